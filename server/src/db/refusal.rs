//! Whether the database answered and did not like what it was given: it would not like it the next time either.

use crate::error::Failure;

/// Classes of PostgreSQL's codes: too many columns, values, constraints, limits of a program.
const POSTGRES: [&str; 4] = ["21", "22", "23", "54"];
/// SQLite's codes: too big, a constraint, another type.
const SQLITE: [i64; 3] = [18, 19, 20];

/// Whether what was to be written is at fault, and not the moment.
pub fn is_refusal(failure: &Failure) -> bool {
    match failure {
        Failure::Database(sqlx::Error::Database(error)) => {
            error.code().is_some_and(|code| is_about_values(&code))
        }
        Failure::Database(sqlx::Error::Encode(_) | sqlx::Error::ColumnDecode { .. })
        | Failure::Stored { .. } => true,
        _ => false,
    }
}

fn is_about_values(code: &str) -> bool {
    match code.parse::<i64>() {
        // PostgreSQL's have five places.
        Ok(number) if code.len() < 5 => SQLITE.contains(&(number & 0xff)),
        _ => POSTGRES.iter().any(|class| code.starts_with(class)),
    }
}

#[cfg(test)]
mod tests {
    use super::is_about_values;

    #[test]
    fn values_are_refused_and_moments_are_not() {
        let refused = ["22021", "22P02", "23505", "23514", "54000", "19", "2067", "1811", "20"];
        assert!(refused.iter().all(|code| is_about_values(code)));
        let moments = ["40P01", "40001", "53300", "57P01", "08006", "5", "517", "13", "10", "1"];
        assert!(moments.iter().all(|code| !is_about_values(code)));
    }
}
