//! `acuse`: reads the command line and does what it says.

use clap::Parser;
use server::cli::{self, Cli};

/// What the threads that serve allocate, the database's threads free; this allocator is made for that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::run(Cli::parse())
}
