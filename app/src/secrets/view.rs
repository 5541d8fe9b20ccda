//! The secrets: those in a rotation first, with what to do about each, then those at rest.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::model::{RotationAdvice, advice, overlap_end, scheme_name};
use super::rotate::{OpenForm, RotationForms};
use super::{Holder, Keyring, Probe, Secret, SecretsPage, TestFinding, TestResult, usage_timeline};
use crate::context;
use crate::page_data::{self, Answer, Question};
use crate::text::fill;
use crate::types::{Slug, Timestamp, group_digits};
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, badge, empty, format, icon, live, time, title};

/// A year: older secrets are due for a rotation.
const OLD_SECONDS: i64 = 365 * 86_400;

/// The page.
#[component]
pub fn SecretsView() -> impl IntoView {
    let ui = context::ui();
    let search = use_location().search;
    ui.live.expect(false);
    let rotating = RotationForms::new(ui);
    let data = page_data::load(ui, Box::new(move || Question::Secrets));
    Effect::new(move |_| {
        let made = data.with(|data| match data {
            Some(Ok(Answer::Secrets(page))) => page.made.clone(),
            _ => None,
        });
        rotating.keep_created(made);
    });
    let here = Memo::new(|_| "/secrets".to_owned());
    let page = move |answer| match answer {
        Answer::Secrets(page) => content(ui, &search.get_untracked(), page, rotating),
        _ => ().part(),
    };
    view! {
        {title::title(move || ui.text.secrets.title.to_owned())}
        {page_data::loaded(ui, data, here, Arc::new(page))}
        {rotating.dialog(Timestamp::from_unix(0))}
    }
}

fn content(ui: Ui, search: &str, page: SecretsPage, rotating: RotationForms) -> AnyView {
    let text = ui.text;
    let now = page.now;
    let asked = RotationForms::form_from_url(search, &page.keyrings).map(|ask| rotating.in_page(ask, now));
    let is_empty = page.keyrings.is_empty();
    let (moving, resting): (Vec<_>, Vec<_>) =
        page.keyrings.into_iter().partition(|ring| ring.secrets.len() > 1);
    let moving = moving.into_iter().map(|ring| rotation(ui, ring, now, rotating)).collect_view();
    let rest = match (is_empty, resting.is_empty()) {
        (true, _) => {
            let nothing =
                empty::empty("key", text.secrets.none.to_owned(), text.secrets.none_help.to_owned(), vec![]);
            view! { <section class="panel">{nothing}</section> }.part()
        }
        (_, true) => ().part(),
        _ => sealing_panel(ui, resting, now, rotating).part(),
    };
    view! {
        <header class="page-head">
            <div>
                <h1>{text.secrets.title}</h1>
                <p class="lede">{text.secrets.lede}</p>
            </div>
            {live::line(ui, now)}
        </header>
        {rotating.created_panel(page.made)}
        {asked}
        <div class="stack">{moving} {rest}</div>
    }
    .part()
}

fn rotation(ui: Ui, ring: Keyring, now: Timestamp, rotating: RotationForms) -> AnyView {
    let text = ui.text;
    let scheme = scheme_name(&ring.scheme);
    let about = match ring.holder {
        Holder::Source => fill(text.secrets.source_from, &[scheme]),
        Holder::Destination => fill(text.secrets.destination_signed, &[scheme]),
    };
    let title_id = format!("ring-{}-{}", super::rotate::of(ring.holder), ring.slug);
    let countdown = overlap_end(&ring.secrets).map(|at| {
        view! {
            <p class="end">
                <span class="countdown">{time::remaining(ui, at, now)}</span>
                " "
                {sentence(text.secrets.left_until, [time::exact(ui, at, now).part()])}
            </p>
        }
    });
    let matches = if ring.holder == Holder::Source { text.secrets.matched } else { text.secrets.signed };
    let rows = ring.secrets.iter().enumerate().map(|(index, secret)| {
        let extend = secret.expires_at.map(|_| rotating.link(OpenForm::Extend(ring.clone(), secret.clone())));
        let retire = rotating.link(OpenForm::Retire(ring.clone(), secret.clone()));
        self::row(ui, secret, index == 0, matches, now, view! { {extend} " " {retire} }.part())
    });
    let undo = ring.can_undo.then(|| rotating.link(OpenForm::Undo(ring.clone())));
    view! {
        <section class="panel" aria-labelledby=title_id.clone()>
            <header class="panel-head">
                <div>
                    <h2 id=title_id.clone()>{ring.slug.to_string()}</h2>
                    <p class="faint">{about}</p>
                </div>
                {countdown}
            </header>
            <div class="panel-body stack">
                {note(ui, &ring, now)} {usage_timeline::usage_timeline(ui, &ring, now)} {tested(ui, &ring, now, rotating)} {rotation_guide(ui, &ring)}
            </div>
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">{text.common.secret}</th>
                        <th scope="col" class="num">
                            {matches}
                        </th>
                        <th scope="col">{text.secrets.last_used}</th>
                        <th scope="col">{text.secrets.ends}</th>
                        <th scope="col" class="shrink">
                            <span class="visually-hidden">{text.common.action}</span>
                        </th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
            <footer class="panel-foot">{undo} {rotating.link(OpenForm::Rotate(ring.clone()))}</footer>
        </section>
    }
    .part()
}

fn note(ui: Ui, ring: &Keyring, now: Timestamp) -> AnyView {
    let text = ui.text;
    let new_matches = ring.secrets.first().map_or(0, |secret| secret.matches);
    let new_matches = text.counted(new_matches, text.secrets.webhooks_one, text.secrets.webhooks_many);
    let Some(advice) = advice(ring, now) else { return ().part() };
    let (tone, shape, title, help) = match advice {
        RotationAdvice::NotUsed => {
            let help = fill(text.secrets.no_secret_used_help, &[scheme_name(&ring.scheme)]);
            ("bad", "warn", text.secrets.no_secret_used_title, vec![help.part()])
        }
        RotationAdvice::Safe(quiet) => {
            let help = fill(text.secrets.safe_help, &[&new_matches, &format::duration(quiet)]);
            ("ok", "delivered", text.secrets.safe_title, vec![help.part()])
        }
        RotationAdvice::Both(old_used) => {
            let used = time::relative(ui, old_used, now).part();
            let help = sentence(text.secrets.both_used_help, [new_matches.part(), used]);
            ("wait", "info", text.secrets.both_used_title, help)
        }
        RotationAdvice::Untested => {
            let title = fill(text.rotation.untested_title, &[ring.slug.as_str()]);
            return notice(("wait", "info", title, vec![text.rotation.untested_help.part()]));
        }
        RotationAdvice::Found(finding) => {
            let (tone, shape, title, help) = found(ui, finding);
            (tone, shape, title, vec![help.part()])
        }
    };
    notice((tone, shape, title.to_owned(), help))
}

/// What a test found, and what to do about it.
const fn found(ui: Ui, finding: TestFinding) -> (&'static str, &'static str, &'static str, &'static str) {
    let text = ui.text;
    match finding {
        TestFinding::Ready => ("ok", "delivered", text.secrets.safe_title, text.rotation.found_ready_help),
        TestFinding::OldOnly => {
            ("wait", "warn", text.rotation.found_old_only_title, text.rotation.found_old_only_help)
        }
        TestFinding::NewButNoList => {
            ("bad", "warn", text.rotation.found_no_list_title, text.rotation.found_no_list_help)
        }
        TestFinding::OldAndNoList => {
            ("bad", "warn", text.rotation.found_old_no_list_title, text.rotation.found_old_no_list_help)
        }
        TestFinding::TakesNone => {
            ("bad", "failed", text.rotation.found_none_title, text.rotation.found_none_help)
        }
        TestFinding::NotVerified => {
            ("bad", "warn", text.rotation.found_unverified_title, text.rotation.found_unverified_help)
        }
    }
}

fn notice((tone, shape, title, help): (&'static str, &'static str, String, Vec<AnyView>)) -> AnyView {
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

/// The answers of the last test, and the button for another one.
fn tested(ui: Ui, ring: &Keyring, now: Timestamp, rotating: RotationForms) -> AnyView {
    let text = ui.text;
    if ring.holder == Holder::Source {
        return ().part();
    }
    let answers = ring.tested.as_ref().map(|tested| answers(ui, tested, now));
    let word = if ring.tested.is_some() { text.rotation.test_again } else { text.rotation.test_send };
    view! {
        <div class="stack">{answers} {rotating.test(&ring.slug, word)}</div>
    }
    .part()
}

fn answers(ui: Ui, tested: &TestResult, now: Timestamp) -> AnyView {
    let text = ui.text;
    let one = |word: &'static str, probe: &Probe| {
        let answer = match (probe.status, probe.error) {
            (Some(status), _) => status.to_string(),
            (None, Some(error)) => text.attempt_error(error).0.to_owned(),
            (None, None) => String::new(),
        };
        let taken = matches!(probe.status, Some(200..=299));
        let (tone, shape) = if taken { ("ok", "delivered") } else { ("none", "failed") };
        view! {
            <div class="finding" data-tone=tone>
                {icon::icon(shape)}
                <div>
                    <h3>{word}</h3>
                    <p>{fill(text.rotation.probe_answer, &[&answer, &format::took(probe.duration_ms, text)])}</p>
                </div>
            </div>
        }
    };
    let when = time::relative(ui, tested.at, now).part();
    view! {
        {one(text.rotation.probe_all, &tested.all)}
        {one(text.rotation.probe_newest, &tested.newest)}
        {tested.old.as_ref().map(|old| one(text.rotation.probe_old, old))}
        {one(text.rotation.probe_wrong, &tested.wrong)}
        <p class="faint">{sentence(text.rotation.tested_when, [when, tested.by.clone().part()])}</p>
    }
    .part()
}

/// The steps at the other end; open while nothing has used the new secret.
fn rotation_guide(ui: Ui, ring: &Keyring) -> AnyView {
    let text = ui.text;
    let title = match ring.holder {
        Holder::Source => fill(text.rotation.guide_source, &[scheme_name(&ring.scheme)]),
        Holder::Destination => fill(text.rotation.guide_destination, &[ring.slug.as_str()]),
    };
    let is_open = ring.secrets.first().is_some_and(|newest| newest.matches == 0);
    let steps = ring.guide.iter().map(|step| view! { <li>{step.clone()}</li> }).collect_view();
    view! {
        <details open=is_open>
            <summary>{title}</summary>
            <ol class="steps">{steps}</ol>
        </details>
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
    let look = if is_new {
        ("accent", "key", text.secrets.new_badge)
    } else {
        ("none", "ending", text.secrets.old_badge)
    };
    let ends = match secret.expires_at {
        Some(at) => time::both(ui, at, now).part(),
        None => text.secrets.stays.part(),
    };
    view! {
        <tr>
            <th scope="row">
                <span class="row">
                    <span class="id">{secret.fingerprint.clone()}</span>
                    {badge::badge(look)}
                </span>
                {shared(ui, secret)}
                <small>{fill(text.common.by_whom, &[&secret.created_by])} ", " {time::exact(ui, secret.created_at, now)}</small>
            </th>
            <td class="num" data-label=matches>
                <b>{group_digits(secret.matches)}</b>
            </td>
            <td data-label=text.secrets.last_used>{last_used(ui, secret, now)}</td>
            <td data-label=text.secrets.ends>{ends}</td>
            <td class="shrink">{retire}</td>
        </tr>
    }.part()
}

/// That other sources have it as well: meant, or pasted by mistake.
fn shared(ui: Ui, secret: &Secret) -> AnyView {
    let names: Vec<&str> = secret.shared_with.iter().map(Slug::as_str).collect();
    (!names.is_empty())
        .then(|| {
            view! {
                <small>
                    {icon::toned("warn", "wait")}
                    {fill(ui.text.rotation.secret_shared, &[&names.join(", ")])}
                </small>
            }
        })
        .part()
}

fn last_used(ui: Ui, secret: &Secret, now: Timestamp) -> AnyView {
    match secret.last_used_at {
        Some(at) => time::both(ui, at, now).part(),
        None => view! { <span class="muted">{ui.text.secrets.never_used}</span> }.part(),
    }
}

fn sealing_panel(ui: Ui, rings: Vec<Keyring>, now: Timestamp, rotating: RotationForms) -> AnyView {
    let text = ui.text;
    let row = move |ring: Keyring| {
        let secret = ring.secrets.first().cloned();
        let about = match ring.holder {
            Holder::Source => fill(text.secrets.from_provider, &[scheme_name(&ring.scheme)]),
            Holder::Destination => text.secrets.signed_by_us.to_owned(),
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
                <small>{text.secrets.older_year}</small>
            }
            .part()
        });
        view! {
            <tr>
                <th scope="row">{ring.slug.to_string()} <small>{about}</small></th>
                <td data-label=text.common.secret>
                    <span class="id">{secret.as_ref().map(|secret| secret.fingerprint.clone())}</span>
                    {secret.as_ref().map(|secret| shared(ui, secret))}
                </td>
                <td data-label=text.secrets.age>{age}</td>
                <td data-label=text.secrets.last_used>{secret.as_ref().map(|secret| last_used(ui, secret, now))}</td>
                <td class="shrink">{rotating.link(OpenForm::Rotate(ring))}</td>
            </tr>
        }
    };
    view! {
        <section class="panel" aria-labelledby="rest-title">
            <header class="panel-head">
                <h2 id="rest-title">{text.secrets.one_secret_each}</h2>
                <p>{text.secrets.nothing_rotates}</p>
            </header>
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">{text.secrets.source_or_destination}</th>
                        <th scope="col">{text.common.secret}</th>
                        <th scope="col">{text.secrets.age}</th>
                        <th scope="col">{text.secrets.last_used}</th>
                        <th scope="col" class="shrink">
                            <span class="visually-hidden">{text.common.action}</span>
                        </th>
                    </tr>
                </thead>
                <tbody>{rings.into_iter().map(row).collect_view()}</tbody>
            </table>
        </section>
    }
    .part()
}
