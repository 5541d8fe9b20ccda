//! Every source: where it receives, with how many secrets, and what came of its webhooks lately.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_navigate};

use super::{COUNTED, Setup, SourceRow, SourcesPage};
use crate::action::{ActionState, FormKind, FormResult, schema_form};
use crate::context;
use crate::page_data::{self, Answer, Question};
use crate::text::fill;
use crate::types::{Timestamp, group_digits};
use crate::ui::{IntoPart, Ui, badge, empty, format, icon, live, payload, query, time, title};

/// The page.
#[component]
pub fn SourcesView() -> impl IntoView {
    let ui = context::ui();
    let search = use_location().search;
    let navigate = use_navigate();
    let doing = ActionState::new(&[FormKind::ApplyToSource]);
    Effect::new(move |_| {
        if let Some(FormResult::Shown(path)) = doing.done() {
            doing.clear();
            navigate(&path, Default::default());
        }
    });
    ui.live.expect(false);
    let data = page_data::load(ui, Box::new(move || Question::Sources(search.get())));
    let here = Memo::new(move |_| query::link("/sources", &search.get()));
    let page = move |answer| match answer {
        Answer::Sources(page) => content(ui, page, doing),
        _ => ().part(),
    };
    view! {
        {title::title(move || ui.text.sources.title.to_owned())}
        {page_data::loaded(ui, data, here, Arc::new(page))}
    }
}

fn content(ui: Ui, page: SourcesPage, doing: ActionState) -> AnyView {
    let text = ui.text;
    let SourcesPage { sources, asked, setup, now } = page;
    let new = (ui.may_change && asked.is_none()).then(|| {
        view! { <a class="button primary" href="/sources?new=1">{icon::icon("plus")} {text.sources.new}</a> }
    });
    let setup = setup.map(|setup| self::setup(ui, setup));
    let asked =
        asked.map(|asked| schema_form::schema_form(ui, asked, FormKind::ApplyToSource, "/sources", doing));
    let list = match sources.is_empty() {
        true => {
            let title = text.sources.none.to_owned();
            empty::empty("sources", title, text.sources.none_help.to_owned(), vec![])
        }
        false => table(ui, sources, now),
    };
    view! {
        <header class="page-head">
            <div>
                <h1>{text.sources.title}</h1>
                <p class="lede">{text.sources.lede}</p>
            </div>
            <div class="row">{live::line(ui, now)} {new}</div>
        </header>
        {setup}
        {asked}
        <section class="panel" aria-label=text.sources.title>{list}</section>
    }
    .part()
}

/// What to do at the provider, once its source is there.
fn setup(ui: Ui, setup: Setup) -> AnyView {
    let text = ui.text;
    let steps = setup.steps.into_iter().map(|step| view! { <li>{step}</li> }).collect_view();
    view! {
        <section class="panel" aria-labelledby="setup-title">
            <header class="panel-head"><h2 id="setup-title">{setup.title}</h2></header>
            <div class="panel-body stack">
                <p>{payload::copyable(ui, text.sources.receive_url, setup.receive_url)}</p>
                <ol class="steps">{steps}</ol>
            </div>
            <footer class="panel-foot"><a class="button" href="/sources">{text.common.close}</a></footer>
        </section>
    }
    .part()
}

fn table(ui: Ui, sources: Vec<SourceRow>, now: Timestamp) -> AnyView {
    let text = ui.text;
    view! {
        <table class="table">
            <caption class="visually-hidden">{text.sources.title}</caption>
            <thead>
                <tr>
                    <th scope="col">{text.filters.source}</th>
                    <th scope="col">{text.sources.receive_url}</th>
                    <th scope="col">{text.secrets.title}</th>
                    <th scope="col">{text.sources.last_webhook}</th>
                    <th scope="col" class="num">{text.sources.stored_in_a_day}</th>
                    <th scope="col" class="num">{text.sources.rejected_in_a_day}</th>
                    <th scope="col" class="shrink"><span class="visually-hidden">{text.common.action}</span></th>
                </tr>
            </thead>
            <tbody>{sources.into_iter().map(|row| self::row(ui, row, now)).collect_view()}</tbody>
        </table>
    }
    .part()
}

fn row(ui: Ui, row: SourceRow, now: Timestamp) -> AnyView {
    let text = ui.text;
    let slug = row.slug.to_string();
    let link = |path: &'static str, name: &'static str, value: String| {
        query::link(path, &query::write([("source", slug.clone()), (name, value)]))
    };
    let yesterday = now.plus_seconds(-86_400).to_string();
    let count = |count: i64, href: String| match count {
        0 => view! { <span class="muted">"0"</span> }.part(),
        _ => view! { <a href=href>{group_digits(count)}</a> }.part(),
    };
    let hint = |count: i64, what: &'static str, name: &'static str| {
        let said = if count >= COUNTED { format!("{}+", group_digits(COUNTED)) } else { group_digits(count) };
        let href = link("/events", name, "true".to_owned());
        (count > 0).then(|| view! { <small><a href=href>{fill(what, &[&said])}</a></small> })
    };
    let mode = if row.is_test { text.states.mode_test } else { text.states.mode_live };
    view! {
        <tr>
            <th scope="row" class="full">
                <a href=query::link("/events", &query::write([("source", slug.clone())]))>{slug.clone()}</a>
                <small>{row.sender.clone()} " · " {mode}</small>
                {hint(row.held, text.sources.hint_held, "held")}
                {hint(row.unrouted, text.sources.hint_unrouted, "unrouted")}
            </th>
            <td class="full" data-label=text.sources.receive_url>
                {payload::copyable(ui, text.sources.receive_url, row.receive_url.clone())}
            </td>
            <td data-label=text.secrets.title>{secrets(ui, &row, now)}</td>
            <td data-label=text.sources.last_webhook>{row.last.map(|at| time::both(ui, at, now))}</td>
            <td class="num" data-label=text.sources.stored_in_a_day>{count(row.day, link("/events", "from", yesterday.clone()))}</td>
            <td class="num" data-label=text.sources.rejected_in_a_day>
                {count(row.rejected, link("/rejections", "from", yesterday.clone()))}
            </td>
            <td class="shrink full">{actions(ui, &row)}</td>
        </tr>
    }
    .part()
}

/// How many count, and whether one of them ends.
fn secrets(ui: Ui, row: &SourceRow, now: Timestamp) -> AnyView {
    let text = ui.text;
    if row.secrets == 0 {
        return view! { {badge::badge(("bad", "warn", text.sources.no_secret))} <small>{text.sources.no_secret_help}</small> }.part();
    }
    let ends = row.ends.map(|at| {
        view! { <small>{crate::ui::sentence::sentence(text.sources.first_expires, [time::relative(ui, at, now).part()])}</small> }
    });
    view! {
        <a href="/secrets">{text.counted(row.secrets, text.sources.secrets_one, text.sources.secrets_many)}</a>
        {ends}
    }
    .part()
}

/// What admins can do, each asked for by the URL; how to set the provider up is for everybody.
fn actions(ui: Ui, row: &SourceRow) -> AnyView {
    let text = ui.text;
    let link = |name: &'static str, word: &'static str| {
        let href = query::link("/sources", &query::write([(name, row.slug.to_string())]));
        let named = format::name_with(word, row.slug.as_str());
        view! { <a class="button small" href=href aria-label=named>{word}</a> }
    };
    let change = ui.may_change.then(
        || view! { {link("edit", text.common.edit_more)} " " {link("delete", text.common.delete_more)} },
    );
    view! { <span class="row tight">{link("setup", text.sources.setup_more)} {change}</span> }.part()
}
