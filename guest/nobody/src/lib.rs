//! An approver as a component, for programs that run where no person can be asked: every
//! question is answered `unavailable`, and no grant is good. Wider permissions are
//! therefore never given.

#[allow(
    missing_docs,
    unsafe_code,
    unreachable_pub,
    clippy::all,
    reason = "generated from wit/, where the documentation is"
)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        inline: "package dsh:fs-nobody; world nobody { export dsh:fs/approval@0.1.0; }",
        world: "dsh:fs-nobody/nobody",
        generate_all,
    });

    use super::Nobody;

    export!(Nobody with_types_in self);
}

use bindings::dsh::fs::types::{Error, ErrorCode, Grant, SandboxMode, TargetKey};
use bindings::exports::dsh::fs::approval::{Answer, Guest, Question};

/// The component, to which the exported interface is attached.
struct Nobody;

impl Guest for Nobody {
    fn ask(_: Question) -> Answer {
        Answer::Unavailable
    }

    fn redeem(_: Grant, _: String, _: TargetKey, _: SandboxMode) -> Result<(), Error> {
        Err(Error {
            code: ErrorCode::SandboxDenied,
            message: "the permission is not good for this: nobody gives any here".to_owned(),
            path: None,
            detail: None,
        })
    }
}
