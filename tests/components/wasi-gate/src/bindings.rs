//! What wit-bindgen makes of the world `gate`, and the export of this component.
#![allow(
    missing_docs,
    unsafe_code,
    unreachable_pub,
    reason = "generated code; its documentation is in the WIT package"
)]

wit_bindgen::generate!({
    path: "../../../wit",
    world: "gate",
    generate_all,
});

export!(Gate with_types_in self);

use super::Gate;
