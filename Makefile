# The two commands of the README, and the smaller ones behind them.
#
#   make demo         sets up what is needed and walks you through a guarded session
#   make test         sets up what is needed and runs every test
#   make wasmtime     builds the stock wasmtime that some tests run the components in
#   make conformance  runs the vectors everywhere and writes tests/kit/RESULTS.md
#   make bench        measures against floors, in the release profile
#   make dist         writes what is handed out into dist/: components, packages, sums
#   make ci           what .ci/run does

SHELL := /bin/bash
SETUP := . .ci/setup &&

.PHONY: demo test vectors wasmtime conformance bench check dist ci install

demo:
	@echo 'building dsh-fs: a few minutes the first time' >&2
	@$(SETUP) cargo run --quiet --locked -p dsh-fs-cli -- demo

test:
	@$(SETUP) bash .ci/packages && bash .ci/test

vectors:
	@$(SETUP) cargo run --quiet --locked -p dsh-fs-tests --bin vectors -- tests/vectors

wasmtime:
	@$(SETUP) bash .ci/wasmtime

conformance: wasmtime
	@$(SETUP) DSH_FS_WRITE_CONFORMANCE=1 cargo test --quiet --locked -p dsh-fs-tests --test all -- \
	--exact runtimes::conformance::the_table_is_written

bench:
	@$(SETUP) cargo bench --locked -p dsh-fs-tests

check:
	@$(SETUP) cargo fmt --all --check && \
	cargo clippy --workspace --all-targets --locked -- -D warnings && \
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

install:
	@$(SETUP) cargo install --locked --path host/cli

dist:
	@$(SETUP) bash .ci/dist

ci:
	@bash .ci/run
