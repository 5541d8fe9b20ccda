//! The one way in which a page shows a list: filters, rows, pages, and renewals that never
//! move what somebody is looking at.
//!
//! A list gives a [`ListFilter`](crate::ui::list_query::Filter) (what its URL may ask for), a question, and a function that makes [`ListContent`] of the answer.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::{Answer, Question, load, loaded};
use crate::text::fill;
use crate::types::Timestamp;
use crate::ui::frozen_rows::FrozenRows;
use crate::ui::list_query::{ListRequest, ListUrl};
use crate::ui::pager::{self, Pager};
use crate::ui::{IntoPart, Ui, empty, filters, format, live, query, title};

/// The words of a list.
#[derive(Clone, Copy)]
pub struct ListLabels {
    /// Of the page.
    pub title: &'static str,
    /// A sentence under it.
    pub lede: &'static str,
    /// Names the form of the filters.
    pub filter: &'static str,
    /// `5 newer: show`, for one and for more.
    pub newer: (&'static str, &'static str),
    /// To the pages beside this one: newer, older.
    pub pages: (&'static str, &'static str),
    /// When there is nothing yet: shape, title, help.
    pub nothing: (&'static str, &'static str, &'static str),
    /// When nothing matches.
    pub no_match: &'static str,
}

/// How one list differs from the others.
pub struct List {
    /// Its words.
    pub words: ListLabels,
    /// What it asks for.
    pub question: fn(ListRequest) -> Question,
    /// What it shows of the answer to a query; none for an answer to something else.
    pub show: ShowList,
}

/// Makes what is shown of a query and an answer.
pub type ShowList = Box<dyn Fn(&str, Answer) -> Option<ListContent> + Send + Sync>;

/// What a list shows.
pub struct ListContent {
    /// The query, understood.
    pub url: ListUrl,
    /// The server's time when it was read.
    pub now: Timestamp,
    /// At the end of the page's head.
    pub actions: AnyView,
    /// Between the head and the filters.
    pub above: AnyView,
    /// The fields of the filter form; none: there is no form.
    pub fields: Option<AnyView>,
    /// More in the toolbar.
    pub toolbar: AnyView,
    /// What takes the toolbar's place while rows are picked.
    pub bulk: AnyView,
    /// How many rows.
    pub count: usize,
    /// Of the newest and the oldest row.
    pub span: Option<(Timestamp, Timestamp)>,
    /// Where the next page begins.
    pub next: Option<String>,
    /// The rows.
    pub table: AnyView,
    /// Filters that can be dropped when nothing matches, and the words for it.
    pub ways: Vec<(&'static str, &'static str)>,
}

/// The page of a list.
pub fn list(ui: Ui, list: List) -> AnyView {
    let search = use_location().search;
    ui.live.expect(false);
    let List { words, question, show } = list;
    let held = FrozenRows::new(ui, search);
    let data = load(ui, Box::new(move || question(held.ask())));
    Effect::new(move |_| {
        data.with(|data| {
            if let Some(Ok(answer)) = data {
                held.came(answer.rows());
            }
        });
    });
    let path = use_location().pathname;
    let here = Memo::new(move |_| query::link(&path.get_untracked(), &search.get()));
    let page = move |answer| match show(&search.get_untracked(), answer) {
        Some(shown) => content(ui, words, shown, held),
        None => ().part(),
    };
    view! {
        {title::title(move || words.title.to_owned())}
        {loaded(ui, data, here, Arc::new(page))}
    }
    .part()
}

fn content(ui: Ui, words: ListLabels, mut shown: ListContent, held: FrozenRows) -> AnyView {
    let rows = ui.text.counted(shown.count as i64, ui.text.list.rows_one, ui.text.list.rows_many);
    shown.next = held.next(shown.next);
    let fields = shown.fields.take().map(|fields| filters::form(ui, shown.url.path, words.filter, fields));
    let url = &shown.url;
    view! {
        <header class="page-head">
            <div>
                <h1>{words.title}</h1>
                <p class="lede">{words.lede}</p>
            </div>
            <div class="row">{live::line(ui, shown.now)} {shown.actions}</div>
        </header>
        {shown.above}
        {filters::ignored(ui, &url.ignored)}
        {fields}
        <section class="panel" aria-label=words.title>
            <div class="toolbar">
                <div class="idle">
                    <span>{rows.clone()}</span>
                    {held.announcement(words.newer, url.link([]))}
                    {shown.toolbar}
                </div>
                {shown.bulk}
            </div>
            {match shown.span {
                None => nothing(ui, words, url, &shown.ways),
                Some(span) => {
                    let pager = pager(ui, words, url, shown.next, (rows, span, shown.now));
                    view! { {shown.table} {pager} }.part()
                }
            }}
        </section>
    }
    .part()
}

fn pager(
    ui: Ui,
    words: ListLabels,
    url: &ListUrl,
    next: Option<String>,
    (rows, (newest, oldest), now): (String, (Timestamp, Timestamp), Timestamp),
) -> AnyView {
    let span = move || {
        let said = |at| format::exact(at, ui.clock.now(now), ui.clock.utc_offset(at), ui.text);
        format!("{rows}{}", fill(ui.text.list.rows_span, &[&said(oldest), &said(newest)]))
    };
    let pager = Pager {
        newer: url.place.newer().map(|pairs| url.link(pairs)),
        older: next.map(|next| url.link(url.place.older(&next))),
        words: words.pages,
        limit: Some(url.page.limit.get()),
    };
    pager::pager(ui, pager, span)
}

fn nothing(ui: Ui, words: ListLabels, url: &ListUrl, ways: &[(&'static str, &'static str)]) -> AnyView {
    let text = ui.text;
    if url.place.cursor.is_some() {
        let newest = vec![(url.link([]), text.list.first_page.to_owned())];
        return empty::empty("search", text.list.end_of_list.to_owned(), String::new(), newest);
    }
    if !url.narrows() {
        let (shape, title, help) = words.nothing;
        return empty::empty(shape, title.to_owned(), help.to_owned(), vec![]);
    }
    let narrows = |name: &str| url.pairs.iter().any(|(found, _)| *found == name);
    let mut actions: Vec<(String, String)> = Vec::new();
    for (name, word) in ways.iter().filter(|(name, _)| narrows(name)) {
        if actions.len() < 2 && actions.iter().all(|(_, said)| said != word) {
            actions.push((url.with(name, ""), (*word).to_owned()));
        }
    }
    actions.push((url.path.to_owned(), text.filters.clear_all.to_owned()));
    empty::empty("search", words.no_match.to_owned(), text.filters.no_match_help.to_owned(), actions)
}
