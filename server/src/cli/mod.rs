//! Command line: what each subcommand does.
