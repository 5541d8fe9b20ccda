//! Which uniqueness a failed insert broke. SQLite names the columns in the message, PostgreSQL the index.

/// Whether the error is a broken uniqueness of this table.
pub fn is_violation_of(error: &sqlx::Error, table: &str) -> bool {
    let sqlx::Error::Database(error) = error else { return false };
    error.is_unique_violation()
        && match error.table() {
            Some(of) => of == table,
            None => error.message().contains(&format!("{table}.")) || error.message().contains(table),
        }
}
