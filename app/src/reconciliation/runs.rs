//! The table of runs: their window, progress and findings.

use leptos::prelude::*;

use super::Reconciliation;
use crate::text::fill;
use crate::types::{RunState, Timestamp, group_digits};
use crate::ui::{IntoPart, Ui, badge, empty, format, time};

pub(super) fn runs(ui: Ui, runs: Vec<Reconciliation>, now: Timestamp) -> AnyView {
    let text = ui.text;
    let content = if runs.is_empty() {
        empty::empty(
            "reconciliation",
            text.reconciliation.no_runs.to_owned(),
            text.reconciliation.no_runs_help.to_owned(),
            vec![],
        )
    } else {
        view! {
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">{text.filters.state}</th>
                        <th scope="col">{text.filters.source}</th>
                        <th scope="col" class="p2">
                            {text.reconciliation.window}
                        </th>
                        <th scope="col">{text.common.started}</th>
                        <th scope="col" class="num">
                            {text.reconciliation.compared}
                        </th>
                        <th scope="col">{text.reconciliation.found}</th>
                    </tr>
                </thead>
                <tbody>{runs.into_iter().map(|row| run(ui, row, now)).collect_view()}</tbody>
            </table>
        }
        .part()
    };
    view! {
        <section class="panel" aria-labelledby="runs-title">
            <header class="panel-head">
                <h2 id="runs-title">{text.reconciliation.runs}</h2>
                <p>{text.reconciliation.runs_lede}</p>
            </header>
            {content}
        </section>
    }
    .part()
}

fn run(ui: Ui, row: Reconciliation, now: Timestamp) -> AnyView {
    let text = ui.text;
    let took = row.finished_at.map(|at| {
        view! { <small>{fill(text.time.took, &[&format::duration(at.seconds_since(row.started_at))])}</small> }
    });
    let by = if row.trigger == "nightly" {
        text.reconciliation.nightly.to_owned()
    } else {
        fill(text.common.by_whom, &[&row.actor])
    };
    let is_running = row.state == RunState::Running;
    let (fetched, compared) = (row.fetched.max(0), row.compared.clamp(0, row.fetched.max(0)));
    let compared_words = match is_running || row.state == RunState::Failed {
        true => fill(text.reconciliation.compared_of, &[&group_digits(compared), &group_digits(fetched)]),
        false => group_digits(compared),
    };
    let progress = is_running.then(|| {
        view! {
            <progress
                value=compared.to_string()
                max=fetched.max(1).to_string()
                aria-label=format!("{} {}", text.states.running, row.source)
            ></progress>
        }
    });
    let found: i64 = row.differences.values().sum();
    let backfilled = row.backfill.then(|| {
        view! { <small>{fill(text.reconciliation.backfilled, &[&group_digits(row.backfilled)])}</small> }
    });
    let kinds: Vec<String> = row.differences.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let found = match (&row.error, found, is_running) {
        (Some(error), ..) => view! { <small>{error.clone()}</small> }.part(),
        (None, found, true) => fill(text.reconciliation.found_so_far, &[&group_digits(found)]).part(),
        (None, 0, false) => text.reconciliation.found_none.part(),
        (None, found, false) => {
            view! { <b>{group_digits(found)}</b> <small>{kinds.join(", ")}</small> }.part()
        }
    };
    view! {
        <tr>
            <td>{badge::badge(badge::run(ui, row.state))} {took}</td>
            <th scope="row">{row.source.to_string()} <small>{by}</small></th>
            <td class="p2" data-label=text.reconciliation.window>
                {time::exact(ui, row.from, now)}
                " – "
                {time::exact(ui, row.to, now)}
            </td>
            <td data-label=text.common.started>{time::both(ui, row.started_at, now)}</td>
            <td class="num" data-label=text.reconciliation.compared>
                {compared_words} {progress}
            </td>
            <td data-label=text.reconciliation.found>{found} {backfilled}</td>
        </tr>
    }
    .part()
}
