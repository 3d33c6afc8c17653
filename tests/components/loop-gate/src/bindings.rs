//! What wit-bindgen makes of the world `chained-gate`, and the export of this component.
#![allow(
    missing_docs,
    unsafe_code,
    unreachable_pub,
    reason = "generated code; its documentation is in the WIT package"
)]

wit_bindgen::generate!({
    path: "../../../wit",
    world: "chained-gate",
    generate_all,
});

export!(Link with_types_in self);

use super::Link;
