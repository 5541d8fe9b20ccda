//! Lists that renew without moving: while the first page renews, it goes on beginning with the row that it began
//! with, and what came after that row is counted and announced.

use leptos::prelude::*;

use super::{IntoPart, Ui, query};
use crate::text::fill;
use crate::types::{Cursor, Timestamp};

/// Where a list's first page begins, and how much is newer than it.
#[derive(Clone, Copy)]
pub struct Anchor {
    ui: Ui,
    search: Memo<String>,
    /// The query that it holds for, and the cursor.
    from: StoredValue<Option<(String, String)>>,
    newer: RwSignal<usize>,
}

impl Anchor {
    /// For the list that the URL asks for.
    pub fn new(ui: Ui, search: Memo<String>) -> Self {
        Self { ui, search, from: StoredValue::new(None), newer: RwSignal::new(0) }
    }

    /// The query to ask with now; follows the URL and the renewals.
    pub fn asked(self) -> String {
        let search = self.search.get();
        self.ui.live.tick();
        match self.held(&search) {
            Some(from) => {
                let pairs = query::parse(&search);
                let filters = pairs.iter().map(|(name, value)| (name.as_str(), value.clone()));
                query::write(filters.chain([("cursor", from)]))
            }
            None => search,
        }
    }

    fn held(self, search: &str) -> Option<String> {
        self.from.get_value().filter(|(of, _)| of == search).map(|(_, from)| from)
    }

    /// A page came. Tells what to count, if anything: the query, and the cursor of the row that is held.
    pub fn came(self, first: Option<(Timestamp, i64)>) -> Option<(String, String)> {
        let search = self.search.get_untracked();
        if query::value(&search, "cursor").is_some() {
            self.newer.set(0);
            return None;
        }
        if let Some(from) = self.held(&search) {
            return Some((search, from));
        }
        self.newer.set(0);
        // The cursor just before the row: a page that comes after it begins with the row.
        let before = first.map(|(at, id)| Cursor { at, id: id.saturating_add(1) }.to_string());
        self.from.set_value(before.map(|before| (search, before)));
        None
    }

    /// So many are newer.
    pub fn counted(self, count: usize) {
        self.newer.try_set(count);
    }

    /// "5 newer: show", politely. Without script the link is the list itself.
    pub fn announcement(self, (one, many): (&'static str, &'static str), href: String) -> AnyView {
        let newer = self.newer;
        let said = move || match newer.get() {
            0 => String::new(),
            1 => one.to_owned(),
            100.. => fill(many, &["100+"]),
            count => fill(many, &[&count.to_string()]),
        };
        let show = move |event: web_sys::MouseEvent| {
            event.prevent_default();
            self.from.set_value(None);
            newer.set(0);
            self.ui.live.renew();
        };
        view! {
            <span role="status">
                <a href=href class="nowrap" hidden=move || newer.get() == 0 on:click=show>
                    {said}
                </a>
            </span>
        }
        .part()
    }
}
