//! What the official client library sees. Each scenario says in `client.py` what it holds.

use super::python::play;

/// Of the server: what it says of itself, and of the policy.
#[test]
fn the_greeting_describes_the_policy() {
    play("greeting");
}

/// Turns red without `supported_protocol_versions` in `server.rs`: the server then promises
/// a protocol in which it could ask nobody.
#[test]
fn a_client_that_tries_a_later_protocol_finds_the_one_that_is_spoken() {
    play("newest_client");
}

/// Turns red where `wider_modes` in `server.rs` does not look at `askable`.
#[test]
fn escalation_is_offered_where_somebody_can_be_asked() {
    play("tools");
}

#[test]
fn reading_comes_before_changing_and_failures_carry_codes() {
    play("flow");
}

/// Turns red where `decision` in `approval.rs` takes every accepted form for a yes.
#[test]
fn only_a_person_who_says_so_lets_a_change_through_and_one_alone() {
    play("elicitation");
}

/// Turns red where neither `approver` in `server.rs` looks at what the client can do, nor
/// `put` in `approval.rs` takes a failed question for no permission.
#[test]
fn a_client_that_cannot_ask_changes_nothing_outside() {
    play("nobody_to_ask");
}

/// Turns red without `closed` in `approval.rs`: the question keeps its session
/// until it is answered.
#[test]
fn a_call_that_is_withdrawn_takes_its_question_along() {
    play("cancelled_question");
}

/// Turns red without `cancel.cancel()` in `call.rs`: the read goes on to the end.
#[test]
fn a_read_of_200_megabytes_stops_when_it_is_cancelled() {
    play("cancelled_read");
}

/// Turns red without `cancel.advance` in the stream of the local files.
#[test]
fn a_long_read_tells_how_far_it_is() {
    play("progress");
}

#[test]
fn fifty_reads_and_twenty_edits_at_once_lose_nothing() {
    play("parallel");
}

/// Turns red without `settle_roots` in `call_tool`; with the line on `renew` in
/// `host/runtime/src/imports/mutation.rs` removed, where the roots change.
#[test]
fn the_roots_of_the_client_narrow_and_never_widen() {
    play("roots");
}

/// Turns red where `settle` in `client_roots.rs` takes no answer for no roots.
#[test]
fn a_client_that_does_not_name_its_roots_changes_nothing() {
    play("silent_about_roots");
}

/// Turns red where `exchange` in `host/fs/src/local/publish/exchange.rs` does not look at what
/// came out: a few of sixty changes are then lost.
#[test]
fn two_servers_on_one_workspace_lose_no_update() {
    play("two_servers");
}

#[test]
fn a_server_that_is_killed_leaves_no_torn_file() {
    play("killed");
}

/// Turns red where `multi_edit` is not in `TOOLS`; its undo, where `together` in the
/// runtime's `answer.rs` leaves `changes` out.
#[test]
fn several_files_are_changed_and_taken_back_as_one() {
    play("several_files");
}

/// Turns red where a command runs under another mode than the session's.
#[test]
fn commands_keep_the_policy_of_the_files() {
    play("commands");
}

/// Turns red without `find` in `Remembering::ask`, and where `revoke_grant` deletes
/// nothing.
#[test]
fn an_answer_for_longer_is_asked_for_once_until_it_is_revoked() {
    play("remembered");
}

/// Turns red where `to_keep_in` in `host/harness/src/answers.rs` makes no store in memory, and
/// where `choice` in `wording.rs` does not look at `lasting`.
#[test]
fn without_a_session_an_answer_for_longer_holds_until_the_server_ends() {
    play("remembered_for_the_server");
}

/// Turns red where `turn` in `call.rs` lets reads wait for mutations.
#[test]
fn reads_go_on_while_a_question_is_open() {
    play("pending_question");
}

/// Turns red without `tell_of_another_mode` in `call_tool`.
#[test]
fn a_mode_given_elsewhere_changes_the_list_of_tools() {
    play("mode_from_outside");
}

/// Turns red where `commands/mcp.rs` passes no `keeping`.
#[test]
fn the_server_keeps_what_the_command_line_names() {
    play("configured");
}
