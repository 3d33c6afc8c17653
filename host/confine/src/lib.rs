//! Runs shell commands under the policy of the file fence.
