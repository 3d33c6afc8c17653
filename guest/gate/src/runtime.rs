//! What a program without a standard library must bring: an answer to a panic.
//!
//! A panic is a broken promise of this component. It becomes a trap, which ends the
//! session that it happened in and no other; no message is made, since the machinery for
//! that would be a third of the component.

use core::panic::PanicInfo;

#[panic_handler]
fn trap(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
