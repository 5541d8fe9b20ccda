//! The secrets: those in a rotation first, with what to do about each, then those at rest.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_location;

use super::model::{Advice, advice, ends, scheme_name};
use super::rotate::{Ask, Rotating};
use super::{Holder, Keyring, Secret, SecretsPage};
use crate::context;
use crate::data::{self, Answer, Question};
use crate::text::fill;
use crate::types::{Timestamp, group_digits};
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, badge, empty, format, icon, live, loaded, time};

/// A year: older secrets are due for a rotation.
const OLD_SECONDS: i64 = 365 * 86_400;

/// The page.
#[component]
pub fn SecretsView() -> impl IntoView {
    let ui = context::ui();
    let search = use_location().search;
    ui.live.expect(false);
    let rotating = Rotating::new(ui);
    let data = data::load(ui, Box::new(move || Question::Secrets));
    Effect::new(move |_| {
        let made = data.with(|data| match data {
            Some(Ok(Answer::Secrets(page))) => page.made.clone(),
            _ => None,
        });
        rotating.keep(made);
    });
    let here = Memo::new(|_| "/secrets".to_owned());
    let page = move |answer| match answer {
        Answer::Secrets(page) => content(ui, &search.get_untracked(), page, rotating),
        _ => ().part(),
    };
    view! {
        <Title text=format!("{} · Acuse", ui.text.secrets) />
        {loaded::loaded(ui, data, here, Arc::new(page))}
        {rotating.dialog(Timestamp::from_unix(0))}
    }
}

fn content(ui: Ui, search: &str, page: SecretsPage, rotating: Rotating) -> AnyView {
    let text = ui.text;
    let now = page.now;
    let asked = Rotating::asked(search, &page.keyrings).map(|ask| rotating.in_page(ask, now));
    let is_empty = page.keyrings.is_empty();
    let (moving, resting): (Vec<_>, Vec<_>) =
        page.keyrings.into_iter().partition(|ring| ring.secrets.len() > 1);
    let moving = moving.into_iter().map(|ring| rotation(ui, ring, now, rotating)).collect_view();
    let rest = match (is_empty, resting.is_empty()) {
        (true, _) => {
            let nothing =
                empty::empty("key", text.no_holders.to_owned(), text.no_holders_help.to_owned(), vec![]);
            view! { <section class="panel">{nothing}</section> }.part()
        }
        (_, true) => ().part(),
        _ => at_rest(ui, resting, now, rotating).part(),
    };
    view! {
        <header class="page-head">
            <div>
                <h1>{text.secrets}</h1>
                <p class="lede">{text.secrets_lede}</p>
            </div>
            {live::line(ui, now)}
        </header>
        {rotating.made(page.made)}
        {asked}
        <div class="stack">{moving} {rest}</div>
    }
    .part()
}

fn rotation(ui: Ui, ring: Keyring, now: Timestamp, rotating: Rotating) -> AnyView {
    let text = ui.text;
    let scheme = scheme_name(&ring.scheme);
    let about = match ring.holder {
        Holder::Source => fill(text.source_from, &[scheme]),
        Holder::Destination => fill(text.destination_signed, &[scheme]),
    };
    let title_id = format!("ring-{}-{}", super::rotate::of(ring.holder), ring.slug);
    let countdown = ends(&ring.secrets).map(|at| {
        view! {
            <p class="end">
                <span class="countdown">{time::remaining(ui, at, now)}</span>
                " "
                {sentence(text.left_until, [time::exact(ui, at, now).part()])}
            </p>
        }
    });
    let matches = if ring.holder == Holder::Source { text.matched } else { text.signed };
    let rows = ring.secrets.iter().enumerate().map(|(index, secret)| {
        let retire = rotating.link(Ask::Retire(ring.clone(), secret.clone()));
        self::row(ui, secret, index == 0, matches, now, retire.part())
    });
    view! {
        <section class="panel" aria-labelledby=title_id.clone()>
            <header class="panel-head">
                <div>
                    <h2 id=title_id.clone()>{ring.slug.to_string()}</h2>
                    <p class="faint">{about}</p>
                </div>
                {countdown}
            </header>
            <div class="panel-body stack">{note(ui, &ring, now)}</div>
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">{text.secret}</th>
                        <th scope="col" class="num">
                            {matches}
                        </th>
                        <th scope="col">{text.last_used}</th>
                        <th scope="col">{text.ends}</th>
                        <th scope="col" class="shrink">
                            <span class="visually-hidden">{text.action}</span>
                        </th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
            <footer class="panel-foot">{rotating.link(Ask::Rotate(ring.clone()))}</footer>
        </section>
    }
    .part()
}

fn note(ui: Ui, ring: &Keyring, now: Timestamp) -> AnyView {
    let text = ui.text;
    let new_matches = group_digits(ring.secrets.first().map_or(0, |secret| secret.matches));
    let slug = ring.slug.as_str();
    let Some(advice) = advice(ring, now) else { return ().part() };
    let (tone, shape, title, help) = match advice {
        Advice::NotUsed => {
            let help = fill(text.no_secret_used_help, &[scheme_name(&ring.scheme)]);
            ("bad", "warn", text.no_secret_used_title, vec![help.part()])
        }
        Advice::Safe(quiet) => {
            let help = fill(text.safe_help, &[&new_matches, &format::duration(quiet)]);
            ("ok", "delivered", text.safe_title, vec![help.part()])
        }
        Advice::Both(old_used) => {
            let used = time::relative(ui, old_used, now).part();
            let help = sentence(text.both_used_help, [new_matches.part(), used]);
            ("wait", "info", text.both_used_title, help)
        }
        Advice::Signing => {
            let help = fill(text.destination_both_help, &[slug, slug]);
            ("accent", "info", text.destination_both_title, vec![help.part()])
        }
    };
    view! {
        <div class="note" data-tone=tone>
            {icon::icon(shape)}
            <div>
                <b>{title}</b>
                <p>{help}</p>
            </div>
        </div>
    }
    .part()
}

fn row(
    ui: Ui,
    secret: &Secret,
    is_new: bool,
    matches: &'static str,
    now: Timestamp,
    retire: AnyView,
) -> AnyView {
    let text = ui.text;
    let look = if is_new { ("accent", "key", text.new_badge) } else { ("none", "ending", text.old_badge) };
    let ends = match secret.expires_at {
        Some(at) => time::both(ui, at, now).part(),
        None => text.stays.part(),
    };
    view! {
        <tr>
            <th scope="row">
                <span class="row">
                    <span class="id">{secret.fingerprint.clone()}</span>
                    {badge::badge(look)}
                </span>
                <small>{fill(text.by_whom, &[&secret.created_by])} ", " {time::exact(ui, secret.created_at, now)}</small>
            </th>
            <td class="num" data-label=matches>
                <b>{group_digits(secret.matches)}</b>
            </td>
            <td data-label=text.last_used>{last_used(ui, secret, now)}</td>
            <td data-label=text.ends>{ends}</td>
            <td class="shrink">{retire}</td>
        </tr>
    }.part()
}

fn last_used(ui: Ui, secret: &Secret, now: Timestamp) -> AnyView {
    match secret.last_used_at {
        Some(at) => time::both(ui, at, now).part(),
        None => view! { <span class="muted">{ui.text.never_used}</span> }.part(),
    }
}

fn at_rest(ui: Ui, rings: Vec<Keyring>, now: Timestamp, rotating: Rotating) -> AnyView {
    let text = ui.text;
    let row = move |ring: Keyring| {
        let secret = ring.secrets.first().cloned();
        let about = match ring.holder {
            Holder::Source => fill(text.from_provider, &[scheme_name(&ring.scheme)]),
            Holder::Destination => text.signed_by_us.to_owned(),
        };
        let age = secret.as_ref().map(|secret| {
            let seconds = now.seconds_since(secret.created_at);
            let words = format::duration(seconds);
            if seconds < OLD_SECONDS {
                return view! { {words} }.part();
            }
            view! {
                <span class="badge" data-tone="wait">
                    {icon::icon("warn")}
                    {words}
                </span>
                <small>{text.older_year}</small>
            }
            .part()
        });
        view! {
            <tr>
                <th scope="row">{ring.slug.to_string()} <small>{about}</small></th>
                <td data-label=text.secret class="id">
                    {secret.as_ref().map(|secret| secret.fingerprint.clone())}
                </td>
                <td data-label=text.age>{age}</td>
                <td data-label=text.last_used>{secret.as_ref().map(|secret| last_used(ui, secret, now))}</td>
                <td class="shrink">{rotating.link(Ask::Rotate(ring))}</td>
            </tr>
        }
    };
    view! {
        <section class="panel" aria-labelledby="rest-title">
            <header class="panel-head">
                <h2 id="rest-title">{text.one_secret_each}</h2>
                <p>{text.nothing_rotates}</p>
            </header>
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">{text.source_or_destination}</th>
                        <th scope="col">{text.secret}</th>
                        <th scope="col">{text.age}</th>
                        <th scope="col">{text.last_used}</th>
                        <th scope="col" class="shrink">
                            <span class="visually-hidden">{text.action}</span>
                        </th>
                    </tr>
                </thead>
                <tbody>{rings.into_iter().map(row).collect_view()}</tbody>
            </table>
        </section>
    }
    .part()
}
