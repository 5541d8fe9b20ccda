//! Lists that renew without moving: the rows that are on the page stay the rows on the page; their cells change, and
//! what is newer is counted and announced.

use leptos::prelude::*;

use super::list_query::{ListRequest, ListState};
use super::{IntoPart, Ui};
use crate::text::fill;

/// The rows of a page, and how many are newer than them.
#[derive(Clone, Copy)]
pub struct FrozenRows {
    ui: Ui,
    search: Memo<String>,
    rows: StoredValue<Option<Page>>,
    newer: RwSignal<usize>,
}

/// The query that the rows are the answer to, their numbers, and where the next page begins.
type Page = (String, Vec<i64>, Option<String>);

impl FrozenRows {
    /// For the list that the URL asks for.
    pub fn new(ui: Ui, search: Memo<String>) -> Self {
        Self { ui, search, rows: StoredValue::new(None), newer: RwSignal::new(0) }
    }

    /// What to ask now; follows the URL and the renewals.
    pub fn ask(self) -> ListRequest {
        let search = self.search.get();
        self.ui.live.tick();
        let held = self.rows.with_value(|rows| match rows {
            // A number that no row has.
            Some((of, rows, _)) if *of == search && rows.is_empty() => "0".to_owned(),
            Some((of, rows, _)) if *of == search => {
                rows.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
            }
            _ => String::new(),
        });
        ListRequest { search, held }
    }

    /// An answer came.
    pub fn came(self, rows: Option<ListState>) {
        let Some(ListState { ids, next, newer }) = rows else { return };
        let search = self.search.get_untracked();
        let is_held = self
            .rows
            .with_value(|rows| rows.as_ref().is_some_and(|(of, rows, _)| *of == search && !rows.is_empty()));
        if !is_held {
            self.rows.set_value(Some((search, ids, next)));
        }
        if self.newer.get_untracked() != newer {
            self.newer.set(newer);
        }
    }

    /// Where the next page begins: a renewal of held rows does not know.
    pub fn next(self, answered: Option<String>) -> Option<String> {
        let search = self.search.get_untracked();
        self.rows.with_value(|rows| match rows {
            Some((of, rows, next)) if *of == search && !rows.is_empty() => next.clone(),
            _ => answered,
        })
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
            self.rows.set_value(None);
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
