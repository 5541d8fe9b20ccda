//! Making, changing, pausing, resuming and deleting: states of the page, with the same forms with and without script.

use leptos::prelude::*;

use super::DestinationRow;
use crate::action::{ActionState, FormKind};
use crate::text::fill;
use crate::types::{Format, SignatureOrder, group_digits};
use crate::ui::{IntoPart, Ui, dialog, query};

/// What the URL asks for.
pub enum OpenForm {
    /// A new one.
    New,
    /// Other settings.
    Edit(DestinationRow),
    /// To hold its deliveries.
    Pause(DestinationRow),
    /// To let them out.
    Resume(DestinationRow),
    /// To end it.
    Delete(DestinationRow),
}

/// Reads it. What is no longer so is not asked.
pub fn form_from_url(search: &str, rows: &[DestinationRow]) -> Option<OpenForm> {
    if query::value(search, "new").is_some() {
        return Some(OpenForm::New);
    }
    let row = |name: &str| {
        let slug = query::value(search, name)?;
        rows.iter().find(|row| row.slug.as_str() == slug).cloned()
    };
    row("edit")
        .map(OpenForm::Edit)
        .or_else(|| row("pause").filter(|row| row.paused_at.is_none()).map(OpenForm::Pause))
        .or_else(|| row("resume").filter(|row| row.paused_at.is_some()).map(OpenForm::Resume))
        .or_else(|| row("delete").map(OpenForm::Delete))
}

/// The form that is asked for.
pub fn panel(ui: Ui, ask: OpenForm, doing: ActionState) -> AnyView {
    let text = ui.text;
    match ask {
        OpenForm::New => settings(ui, None, doing),
        OpenForm::Edit(row) => settings(ui, Some(row), doing),
        OpenForm::Pause(row) => {
            let help = fill(text.destinations.pause_help, &[&group_digits(row.pending), row.slug.as_str()]);
            confirm(
                ui,
                &row,
                "pause",
                (text.destinations.pause_title, text.destinations.pause, help),
                "button primary",
                doing,
            )
        }
        OpenForm::Resume(row) => {
            let pace = match row.rate_per_s {
                Some(rate) => fill(text.common.at_most_a_second, &[&rate.to_string()]),
                None => fill(text.common.at_most_at_once, &[&row.max_in_flight.to_string()]),
            };
            let help =
                fill(text.destinations.resume_help, &[&group_digits(row.held), row.slug.as_str(), &pace]);
            confirm(
                ui,
                &row,
                "resume",
                (text.destinations.resume_title, text.destinations.resume, help),
                "button primary",
                doing,
            )
        }
        OpenForm::Delete(row) => {
            let waiting = group_digits(row.pending + row.held);
            let help = fill(text.destinations.delete_help, &[&waiting, row.slug.as_str()]);
            confirm(
                ui,
                &row,
                "delete",
                (text.destinations.delete_title, text.destinations.delete, help),
                "button danger",
                doing,
            )
        }
    }
}

fn confirm(
    ui: Ui,
    row: &DestinationRow,
    change: &'static str,
    (title, act, help): (&'static str, &'static str, String),
    class: &'static str,
    doing: ActionState,
) -> AnyView {
    let typed = (change == "delete").then(|| {
        let label = fill(ui.text.destinations.type_name, &[row.slug.as_str()]);
        view! {
            <div class="field">
                <label for="typed">{label}</label>
                <input id="typed" name="typed" required autocomplete="off" autocapitalize="off" spellcheck="false" />
            </div>
        }
    });
    let content = view! {
        <input type="hidden" name="slug" value=row.slug.to_string() />
        <input type="hidden" name="change" value=change />
        <div class="panel-body stack">
            <p>{help}</p>
            {dialog::problem(ui, move || doing.error())}
            {typed}
        </div>
        <footer class="panel-foot">
            <a class="button" href="/destinations">{ui.text.common.cancel}</a>
            <button class=class disabled=move || doing.is_pending()>{fill(act, &[row.slug.as_str()])}</button>
        </footer>
    };
    dialog_page(
        fill(title, &[row.slug.as_str()]),
        doing.form(ui, FormKind::ApplyToDestination, content.part()),
    )
}

fn dialog_page(title: String, form: AnyView) -> AnyView {
    view! {
        <section class="panel" aria-labelledby="ask-title">
            <header class="panel-head"><h2 id="ask-title">{title}</h2></header>
            {form}
        </section>
    }
    .part()
}

fn settings(ui: Ui, row: Option<DestinationRow>, doing: ActionState) -> AnyView {
    let text = ui.text;
    let is_new = row.is_none();
    let title = match &row {
        None => text.destinations.new.to_owned(),
        Some(row) => fill(text.destinations.edit_title, &[row.slug.as_str()]),
    };
    let joined = |of: fn(&DestinationRow) -> &Vec<String>| row.as_ref().map(|row| of(row).join(", "));
    let number = |of: fn(&DestinationRow) -> i64| row.as_ref().map(|row| of(row).to_string());
    let rate = row.as_ref().and_then(|row| row.rate_per_s).map(|rate| rate.to_string());
    let chosen = row.as_ref().map_or(Format::Paymos, |row| row.format);
    let slug = match &row {
        Some(row) => view! { <input type="hidden" name="form[slug]" value=row.slug.to_string() /> }.part(),
        None => {
            field("form[slug]", text.destinations.name, "shop-eu", text.destinations.slug_hint, None, true)
        }
    };
    let option = |format: &Format| {
        view! { <option value=format.as_str() selected=*format == chosen>{format.as_str()}</option> }
    };
    let order = row.as_ref().map_or(SignatureOrder::NewestFirst, |row| row.signature_order);
    let ordered = |one: &SignatureOrder| {
        view! { <option value=one.as_str() selected=*one == order>{text.signature_order(*one)}</option> }
    };
    let content = view! {
        <div class="panel-body stack">
            {dialog::problem(ui, move || doing.error())}
            {slug}
            {field("form[url]", "URL", "https://shop.example/webhooks", "", row.as_ref().map(|row| row.url.clone()), true)}
            <div class="field">
                <label for="format">{text.destinations.format}</label>
                <select id="format" name="form[format]">{Format::ALL.iter().map(option).collect_view()}</select>
                <small>{text.destinations.format_hint}</small>
            </div>
            <div class="field">
                <label for="signature-order">{text.destinations.order_field}</label>
                <select id="signature-order" name="form[signature_order]">
                    {SignatureOrder::ALL.iter().map(ordered).collect_view()}
                </select>
                <small>{text.destinations.order_hint}</small>
            </div>
            {field("form[sources]", text.destinations.sources_taken, "*", text.destinations.sources_hint, joined(|row| &row.sources), false)}
            {field("form[events]", text.destinations.events_taken, "invoice.*, charge.*", text.destinations.events_hint, joined(|row| &row.events), false)}
            {field("form[ladder]", text.destinations.ladder_gaps, "1m, 2m, 4m, 1h", text.destinations.ladder_hint, joined(|row| &row.ladder), false)}
            {field("form[timeout_ms]", text.destinations.timeout_field, "10000", "", number(|row| row.timeout_ms), false)}
            {field("form[max_in_flight]", text.destinations.in_flight, "16", "", number(|row| row.max_in_flight), false)}
            {field("form[rate_per_s]", text.resends.pace, "", text.resends.pace_hint, rate, false)}
        </div>
        <footer class="panel-foot">
            <a class="button" href="/destinations">{text.common.cancel}</a>
            <button class="button primary" disabled=move || doing.is_pending()>
                {if is_new { text.destinations.create } else { text.destinations.save_changes }}
            </button>
        </footer>
    };
    let form = if is_new { FormKind::CreateDestination } else { FormKind::EditDestination };
    dialog_page(title, doing.form(ui, form, content.part()))
}

fn field(
    name: &'static str,
    label: &'static str,
    example: &'static str,
    hint: &'static str,
    value: Option<String>,
    required: bool,
) -> AnyView {
    let hint = (!hint.is_empty()).then(|| view! { <small>{hint}</small> });
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <input id=name name=name value=value placeholder=example required=required autocomplete="off" spellcheck="false" />
            {hint}
        </div>
    }
    .part()
}
