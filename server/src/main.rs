//! `acuse`: reads the command line and does what it says.

use clap::Parser;
use server::cli::{self, Cli};

fn main() -> std::process::ExitCode {
    cli::run(Cli::parse())
}
