//! What the list's URL asks for.

use super::AuditFilter;
use crate::ui::list_query::{ListFilter, Query, set, text};

/// The list's URL, understood.
pub type AuditQuery = Query<AuditFilter>;

impl ListFilter for AuditFilter {
    const PATH: &'static str = "/audit";

    fn read(&mut self, name: &str, value: &str) -> bool {
        match name {
            "actor" => set(&mut self.actor, value),
            "action" => set(&mut self.action, value),
            "subject" => set(&mut self.subject, value),
            "from" => set(&mut self.from, value),
            "to" => set(&mut self.to, value),
            _ => false,
        }
    }

    fn pairs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("actor", text(&self.actor)),
            ("action", text(&self.action)),
            ("subject", text(&self.subject)),
            ("from", text(&self.from)),
            ("to", text(&self.to)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::query;

    #[test]
    fn what_is_written_reads_back() {
        let search = "actor=ana@shop.test&action=secret.*&subject=source/shop&from=2026-11-29T20:00:00Z";
        let parsed = AuditQuery::parse(&format!("{search}&who=eva"));
        assert_eq!(parsed.url.ignored, [("who".to_owned(), "eva".to_owned())]);
        let again = AuditQuery::parse(&query::write(parsed.url.pairs.iter().cloned()));
        assert_eq!(again.filter, parsed.filter);
        assert_eq!(again.filter.subject.as_deref(), Some("source/shop"));
    }
}
