//! The `where` of a list: only what is asked for, so that each filter can use its own index.

use std::fmt::Write;

/// A value to bind.
#[derive(Debug, Clone)]
pub(super) enum Bind {
    Int(i64),
    Text(String),
}

impl From<i64> for Bind {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for Bind {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Bind {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

/// Conditions that all must hold. Their texts are constants; values are bound.
#[derive(Debug, Clone, Default)]
pub(super) struct Conditions {
    sql: String,
    values: Vec<Bind>,
}

impl Conditions {
    /// One more, with a value for each `{}` in it.
    pub(super) fn and<const N: usize>(&mut self, sql: &'static str, values: [Bind; N]) {
        self.sql.push_str(if self.sql.is_empty() { " where " } else { " and " });
        let mut values = values.into_iter();
        for (index, part) in sql.split("{}").enumerate() {
            if index > 0
                && let Some(value) = values.next()
            {
                self.push_value(value);
            }
            self.sql.push_str(part);
        }
    }

    /// The column is one of the values. One value keeps the order of an index; none matches nothing.
    pub(super) fn and_one_of<B: Into<Bind>>(&mut self, column: &'static str, values: Vec<B>) {
        self.sql.push_str(if self.sql.is_empty() { " where " } else { " and " });
        let mut values = values.into_iter();
        match (values.next(), values.len()) {
            (None, _) => self.sql.push_str("1 = 0"),
            (Some(only), 0) => {
                self.sql.push_str(column);
                self.sql.push_str(" = ");
                self.push_value(only.into());
            }
            (Some(first), _) => {
                self.sql.push_str(column);
                self.sql.push_str(" in (");
                self.push_value(first.into());
                for value in values {
                    self.sql.push_str(", ");
                    self.push_value(value.into());
                }
                self.sql.push(')');
            }
        }
    }

    /// The column is the name, or begins as `invoice.*` says; `*` alone narrows nothing.
    pub(super) fn and_named(&mut self, columns: &'static [&'static str; 2], pattern: &str) {
        match pattern.strip_suffix('*') {
            Some("") => {}
            Some(beginning) => self.and(columns[1], [beginning.into(), end_of(beginning).into()]),
            None => self.and(columns[0], [pattern.into()]),
        }
    }

    /// The text so far, and the next number of a placeholder.
    pub(super) fn sql(&self) -> &str {
        &self.sql
    }

    /// Adds a value that stands outside of the `where` and returns its placeholder.
    pub(super) fn placeholder(&mut self, value: impl Into<Bind>) -> String {
        self.values.push(value.into());
        format!("${}", self.values.len())
    }

    /// What is to be bound, in order.
    pub(super) fn values(&self) -> &[Bind] {
        &self.values
    }

    fn push_value(&mut self, value: Bind) {
        self.values.push(value);
        // Writing to a string does not fail.
        let _ = write!(self.sql, "${}", self.values.len());
    }
}

/// The last text that begins so, in the order of bytes.
pub(super) fn end_of(beginning: &str) -> String {
    format!("{beginning}\u{10ffff}")
}

/// Runs a select that was put together from constants, on whichever database is open.
macro_rules! fetch {
    ($db:expr, $sql:expr, $values:expr) => {
        $crate::read!($db, on => {
            let mut query = sqlx::query_as(sqlx::AssertSqlSafe($sql));
            for value in $values {
                query = match value {
                    $crate::store::conditions::Bind::Int(value) => query.bind(*value),
                    $crate::store::conditions::Bind::Text(value) => query.bind(value.clone()),
                };
            }
            query.fetch_all(on).await
        })
    };
}
pub(super) use fetch;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_its_values_in_order() {
        let mut conditions = Conditions::default();
        conditions.and("(a, b) < ({}, {})", [1.into(), 2.into()]);
        conditions.and_one_of("c", vec!["x", "y"]);
        conditions.and_one_of("d", vec![7]);
        conditions.and_one_of("e", Vec::<i64>::new());
        conditions.and_named(&["t = {}", "t between {} and {}"], "invoice.*");
        conditions.and_named(&["t = {}", "t between {} and {}"], "*");
        let limit = conditions.placeholder(50);
        assert_eq!(
            format!("{} limit {limit}", conditions.sql()),
            " where (a, b) < ($1, $2) and c in ($3, $4) and d = $5 and 1 = 0 and t between $6 and $7 limit $8"
        );
        assert_eq!(conditions.values().len(), 8);
    }
}
