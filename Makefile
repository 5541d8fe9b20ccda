# Every target says what it is about to do and how long each step took; the work itself is in scripts/.

.DEFAULT_GOAL := build
.PHONY: setup build run test dev lint bench fuzz

step := @scripts/step

setup:    # brings the tools that are missing
	$(step) "set up the build tools" scripts/setup

build: setup    # target/release/acuse, one file with everything in it
	$(step) "build the site" scripts/site
	$(step) "build the server" cargo build --release -p server

run: build    # the gateway with its sandbox, data in data/
	@echo "▸ run target/release/acuse serve --sandbox (Ctrl-C stops it)"
	@mkdir -p data
	@exec target/release/acuse serve --sandbox

test:    # everything that must hold, on both databases and in a browser
	@scripts/test

dev: setup    # a debug build with the sandbox, again at every change where cargo-watch is installed
	$(step) "build the site" scripts/site
	@scripts/dev

lint:    # formatting, layers, sizes, documents, clippy and dependencies
	$(step) "check the format" cargo fmt --all --check
	$(step) "check the layers" scripts/layers
	$(step) "check the sizes of files" scripts/file-sizes
	$(step) "check the paths in documents" scripts/doc-paths
	$(step) "lint" cargo clippy --workspace --all-targets -- -D warnings
	$(step) "check the dependencies" scripts/dependencies

bench: build    # the budgets of docs/ARCHITECTURE.md, measured on this machine
	$(step) "run the benchmarks" scripts/bench

fuzz:    # a minute for each target in server/fuzz
	$(step) "fuzz" scripts/fuzz
