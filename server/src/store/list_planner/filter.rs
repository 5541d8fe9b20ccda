//! The `where` of a list: only what is asked for, so that each filter can use its own index.

use std::fmt::Write;

/// A value to bind.
#[derive(Debug, Clone)]
pub(in crate::store) enum Bind {
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

/// A select that grows: constant texts, and conditions that all must hold, with their values bound.
#[derive(Debug, Clone, Default)]
pub(in crate::store) struct Filter {
    sql: String,
    values: Vec<Bind>,
    is_begun: bool,
}

impl Filter {
    /// Text as it is; the conditions after it begin with a `where` again.
    pub(in crate::store) fn raw(&mut self, sql: &str) {
        self.sql.push_str(sql);
        self.is_begun = false;
    }

    /// A value where one is expected.
    pub(in crate::store) fn value(&mut self, value: impl Into<Bind>) {
        self.values.push(value.into());
        // Writing to a string does not fail.
        let _ = write!(self.sql, "${}", self.values.len());
    }

    /// One more condition, with a value for each `{}` in it.
    pub(in crate::store) fn and<const N: usize>(&mut self, sql: &'static str, values: [Bind; N]) {
        self.next();
        let mut values = values.into_iter();
        for (index, part) in sql.split("{}").enumerate() {
            if index > 0
                && let Some(value) = values.next()
            {
                self.value(value);
            }
            self.sql.push_str(part);
        }
    }

    /// The column is one of the values. One value keeps the order of an index; none matches nothing.
    pub(in crate::store) fn and_one_of<B: Into<Bind>>(&mut self, column: &'static str, values: Vec<B>) {
        self.next();
        let mut values = values.into_iter();
        match (values.next(), values.len()) {
            (None, _) => self.sql.push_str("1 = 0"),
            (Some(only), 0) => {
                self.sql.push_str(column);
                self.sql.push_str(" = ");
                self.value(only);
            }
            (Some(first), _) => {
                self.sql.push_str(column);
                self.sql.push_str(" in (");
                self.value(first);
                for value in values {
                    self.sql.push_str(", ");
                    self.value(value);
                }
                self.sql.push(')');
            }
        }
    }

    /// The column is the name, or begins as `invoice.*` says; `*` alone narrows nothing.
    pub(in crate::store) fn and_named(&mut self, columns: &'static [&'static str; 2], pattern: &str) {
        match pattern.strip_suffix('*') {
            Some("") => {}
            Some(beginning) => self.and(columns[1], [beginning.into(), end_of(beginning).into()]),
            None => self.and(columns[0], [pattern.into()]),
        }
    }

    /// The text and what is to be bound in it, in order.
    pub(in crate::store) fn finish(self) -> (String, Vec<Bind>) {
        (self.sql, self.values)
    }

    fn next(&mut self) {
        self.sql.push_str(if self.is_begun { " and " } else { " where " });
        self.is_begun = true;
    }
}

/// The last text that begins so, in the order of bytes.
pub(in crate::store) fn end_of(beginning: &str) -> String {
    format!("{beginning}\u{10ffff}")
}

/// A select that was put together from constants, with its values.
macro_rules! bound {
    ($sql:expr, $values:expr) => {{
        let mut query = sqlx::query_as(sqlx::AssertSqlSafe($sql));
        for value in $values {
            query = match value {
                $crate::store::list_planner::filter::Bind::Int(value) => query.bind(*value),
                $crate::store::list_planner::filter::Bind::Text(value) => query.bind(value.clone()),
            };
        }
        query
    }};
}
pub(in crate::store) use bound;

/// Runs a select that was put together from constants, on whichever database is open.
macro_rules! fetch {
    ($db:expr, $sql:expr, $values:expr) => {
        $crate::read!($db, on => $crate::store::list_planner::filter::bound!($sql, $values).fetch_all(on).await)
    };
}
pub(in crate::store) use fetch;

/// The same inside a transaction.
macro_rules! fetch_within {
    ($tx:expr, $sql:expr, $values:expr) => {
        $crate::within!($tx, on => $crate::store::list_planner::filter::bound!($sql, $values).fetch_all(on).await)
    };
}
pub(in crate::store) use fetch_within;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_its_values_in_order() {
        let mut conditions = Filter::default();
        conditions.raw("select x from y");
        conditions.and("(a, b) < ({}, {})", [1.into(), 2.into()]);
        conditions.and_one_of("c", vec!["x", "y"]);
        conditions.and_one_of("d", vec![7]);
        conditions.and_one_of("e", Vec::<i64>::new());
        conditions.and_named(&["t = {}", "t between {} and {}"], "invoice.*");
        conditions.and_named(&["t = {}", "t between {} and {}"], "*");
        conditions.raw(" limit ");
        conditions.value(50);
        conditions.raw(" union all select x from z");
        conditions.and("a = {}", [1.into()]);
        let (sql, values) = conditions.finish();
        assert_eq!(
            sql,
            "select x from y where (a, b) < ($1, $2) and c in ($3, $4) and d = $5 and 1 = 0 and t between $6 and $7 \
             limit $8 union all select x from z where a = $9"
        );
        assert_eq!(values.len(), 9);
    }
}
