//! Integration tests: one binary, every storage and HTTP test on both databases.

mod db;
mod lists;
mod sandbox;
mod support;
