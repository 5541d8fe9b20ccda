//! The lists of the API: their query, closed as the provider's is, and their cursors.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::account::Problem;
use crate::sandbox::records::{Record, RecordFilter};

/// What a list was asked for.
#[derive(Debug)]
pub struct ListQuery {
    /// Which records.
    pub filter: RecordFilter,
    /// At most so many.
    pub limit: i64,
}

/// Reads the query of a list; `accepted` are the names of its parameters.
///
/// # Errors
/// 400 that names the parameter.
pub fn read_query(query: &str, accepted: &[&str]) -> Result<ListQuery, Problem> {
    let mut asked = ListQuery { filter: RecordFilter::default(), limit: 50 };
    let mut seen = Vec::new();
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        let wrong =
            |accepted: &str| Problem::invalid(format!("{name}={value:?} is not valid; accepted: {accepted}"));
        if !accepted.contains(&name.as_ref()) {
            return Err(Problem::invalid(format!("unknown query parameter {name:?}")));
        }
        if name != "status" && seen.contains(&name) {
            return Err(Problem::invalid(format!("{name} is given twice")));
        }
        let second = || value.parse().map_err(|_| wrong("Unix seconds"));
        match name.as_ref() {
            "limit" => {
                asked.limit = value
                    .parse()
                    .ok()
                    .filter(|limit| (1..=100).contains(limit))
                    .ok_or_else(|| wrong("1 to 100"))?;
            }
            "cursor" => {
                asked.filter.after = Some(read_cursor(&value).ok_or_else(|| wrong("a next_cursor"))?);
            }
            "status" if value.bytes().all(|c| c.is_ascii_lowercase() || c == b'_') => {
                asked.filter.statuses.push(value.clone().into_owned());
            }
            "status" => return Err(wrong("a status")),
            "external_order_id" => asked.filter.order_ref = Some(value.clone().into_owned()),
            "project_id" => asked.filter.project_id = Some(value.clone().into_owned()),
            "created_from" => asked.filter.created_from = Some(second()?),
            "created_to" => asked.filter.created_to = Some(second()?),
            _ => {}
        }
        seen.push(name);
    }
    if let (Some(from), Some(to)) = (asked.filter.created_from, asked.filter.created_to)
        && from >= to
    {
        return Err(Problem::invalid("created_from must be before created_to"));
    }
    Ok(asked)
}

/// A page of `limit + 1` records.
pub fn page(mut records: Vec<Record>, limit: i64, item: impl Fn(&Record) -> Option<Value>) -> Value {
    let limit = usize::try_from(limit).unwrap_or(100);
    let more = records.len() > limit;
    records.truncate(limit);
    let next = records.last().filter(|_| more).map(|last| write_cursor(last.created_at, &last.id));
    json!({ "items": records.iter().filter_map(item).collect::<Vec<_>>(), "next_cursor": next })
}

fn write_cursor(created_at: i64, id: &str) -> String {
    URL_SAFE_NO_PAD.encode(format!("{created_at}:{id}"))
}

fn read_cursor(text: &str) -> Option<(i64, String)> {
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let (created_at, id) = text.split_once(':')?;
    Some((created_at.parse().ok()?, id.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &[&str] = &["limit", "cursor", "status", "created_from", "created_to"];

    #[test]
    fn a_query_is_closed() {
        let asked =
            read_query("limit=100&status=paid&status=paid_over&created_from=1&created_to=2", NAMES).unwrap();
        assert_eq!((asked.limit, asked.filter.statuses.len()), (100, 2));
        for (bad, named) in [
            ("updated_from=1", "updated_from"),
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("limit=1&limit=2", "limit"),
            ("cursor=x", "cursor"),
            ("created_from=yesterday", "created_from"),
            ("created_from=2&created_to=2", "created_from"),
            ("status=a,b", "status"),
        ] {
            let problem = read_query(bad, NAMES).unwrap_err();
            assert!(problem.detail.contains(named), "{bad}: {}", problem.detail);
        }
    }

    #[test]
    fn a_cursor_reads_back() {
        assert_eq!(read_cursor(&write_cursor(17, "inv_1")), Some((17, "inv_1".to_owned())));
        assert_eq!(read_cursor("é"), None);
    }
}
