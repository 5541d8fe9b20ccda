//! The query of a list's URL, read and written: which rows, which page, and how a renewal asks for the same rows again.

use std::str::FromStr;

use super::pager::PagePosition;
use super::query;
use crate::types::PageRequest;

/// What narrows a list, as its URL says it.
pub trait ListFilter: Default {
    /// Where the list is.
    const PATH: &'static str;
    /// Names in the URL that are the page's own and no filter.
    const OWN: &'static [&'static str] = &[];

    /// Reads a pair of the URL; false when it is not understood. The value is trimmed and not empty.
    fn read(&mut self, name: &str, value: &str) -> bool;

    /// Everything that was read, in the order of the form; empty values are left out.
    fn pairs(&self) -> Vec<(&'static str, String)>;
}

/// The URL of a list, understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query<F> {
    /// Which rows.
    pub filter: F,
    /// Which page of them, and how the URL says all this.
    pub url: ListUrl,
}

/// What the URLs of all lists have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListUrl {
    /// Where the list is.
    pub path: &'static str,
    /// The filters, and the rows of a page unless they are as many as always.
    pub pairs: Vec<(&'static str, String)>,
    /// Which page.
    pub page: PageRequest,
    /// The same as text, with the way back.
    pub place: PagePosition,
    /// Pairs that were not understood, to be said.
    pub ignored: Vec<(String, String)>,
}

impl<F: ListFilter> Query<F> {
    /// Reads a URL's query.
    pub fn parse(search: &str) -> Self {
        let mut filter = F::default();
        let mut url = ListUrl::parse(F::PATH, F::OWN, search, &mut |name, value| filter.read(name, value));
        let mut pairs = filter.pairs();
        pairs.append(&mut url.pairs);
        pairs.retain(|(_, value)| !value.is_empty());
        url.pairs = pairs;
        Self { filter, url }
    }
}

impl ListUrl {
    fn parse(
        path: &'static str,
        own: &[&str],
        search: &str,
        read: &mut dyn FnMut(&str, &str) -> bool,
    ) -> Self {
        let mut url = Self { path, ..Self::default() };
        let mut back = String::new();
        for (name, value) in query::parse(search) {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            let understood = match name.as_str() {
                "limit" => value.parse().is_ok_and(|limit| {
                    url.page.limit = limit;
                    true
                }),
                "cursor" => value.parse().is_ok_and(|at| {
                    url.page.cursor = Some(at);
                    url.place.cursor = Some(value.to_owned());
                    true
                }),
                "back" => {
                    value.clone_into(&mut back);
                    true
                }
                // What a form without script left there.
                "__path" | "__err" => true,
                // What nobody typed finds nothing, and not every database can look for it.
                _ if value.chars().any(char::is_control) => false,
                name => own.contains(&name) || read(name, value),
            };
            if !understood {
                url.ignored.push((name, value.to_owned()));
            }
        }
        url.place = PagePosition::parse(url.place.cursor.take(), &back);
        if url.page.limit != Default::default() {
            url.pairs.push(("limit", url.page.limit.get().to_string()));
        }
        url
    }

    /// The list with these filters and other pairs.
    pub fn link(&self, more: impl IntoIterator<Item = (&'static str, String)>) -> String {
        query::link(self.path, &query::write(self.pairs.iter().cloned().chain(more)))
    }

    /// The list with one filter changed; an empty value drops it.
    pub fn with(&self, name: &'static str, value: &str) -> String {
        let others = self.pairs.iter().filter(|(found, _)| *found != name).cloned();
        query::link(self.path, &query::write(others.chain([(name, value.to_owned())])))
    }

    /// The filters as a query, without the rows of a page.
    pub fn filters(&self) -> String {
        query::write(self.pairs.iter().filter(|(name, _)| *name != "limit").cloned())
    }

    /// Whether any filter narrows the list.
    pub fn narrows(&self) -> bool {
        self.pairs.iter().any(|(name, _)| *name != "limit")
    }
}

/// Reads a value into a field that takes one; false for a second one, and for what is none.
pub fn set<T: FromStr>(field: &mut Option<T>, value: &str) -> bool {
    field.is_none() && value.parse().is_ok_and(|value| field.replace(value).is_none())
}

/// A field's value as text; empty for none.
pub fn text<T: ToString>(field: &Option<T>) -> String {
    field.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// What a list asks for.
#[derive(Clone, PartialEq, Eq)]
pub struct ListRequest {
    /// The URL's query.
    pub search: String,
    /// The rows that are on the page, by number with commas; empty at first.
    pub held: String,
}

/// What a list got, for its next question.
pub struct ListState {
    /// The rows' numbers, in order.
    pub ids: Vec<i64>,
    /// Where the next page begins.
    pub next: Option<String>,
    /// How many are newer than the first, up to 100.
    pub newer: usize,
}

impl ListRequest {
    /// The numbers of the rows that are held.
    #[cfg(feature = "ssr")]
    pub fn numbers(held: &str) -> Vec<i64> {
        held.split(',').filter_map(|id| id.parse().ok()).take(200).collect()
    }
}
