//! What stands where data would: nothing yet, no match, failed. Each says what to do next.

use leptos::prelude::*;

use super::{IntoPart, Ui, icon, query, title};
use crate::error::AppError;

/// Nothing to show, and why; `actions` are links.
pub fn empty(shape: &'static str, title: String, help: String, actions: Vec<(String, String)>) -> AnyView {
    let links = actions
        .into_iter()
        .map(|(href, word)| view! { <a class="button" href=href>{word}</a> })
        .collect_view();
    view! {
        <div class="empty">
            {icon::icon(shape)}
            <h2>{title}</h2>
            <p>{help}</p>
            <p class="row">{links}</p>
        </div>
    }
    .part()
}

/// A page, or its main part, that could not be read.
pub fn failed(ui: Ui, error: &AppError, here: &str) -> AnyView {
    let text = ui.text;
    let (shape, title, action) = match error {
        AppError::LoginRequired => {
            let login = query::link("/login", &query::write([("next", here.to_owned())]));
            ("key", text.errors.login_title, (login, text.common.log_in))
        }
        AppError::Forbidden => {
            ("key", text.errors.forbidden_title, ("/".to_owned(), text.common.back_to_deliveries))
        }
        AppError::NotFound => {
            ("search", text.errors.not_found_title, ("/".to_owned(), text.common.back_to_deliveries))
        }
        _ => ("warn", text.errors.page_title, (here.to_owned(), text.common.try_again)),
    };
    view! {
        <section class="panel">
            <div class="empty" role="alert" data-tone="bad">
                {icon::icon(shape)}
                <h2>{title}</h2>
                <p>{text.error(error)}</p>
                <p class="row">
                    <a class="button primary" rel="external" href=action.0>
                        {action.1}
                    </a>
                </p>
            </div>
        </section>
    }
    .part()
}

/// The page for an address that leads nowhere.
pub fn not_found(ui: Ui) -> AnyView {
    view! {
        {title::title(move || ui.text.errors.not_found_title.to_owned())}
        <header class="page-head">
            <div>
                <h1>{ui.text.errors.not_found_title}</h1>
                <p class="lede">{ui.text.errors.not_found}</p>
            </div>
        </header>
        <p>
            <a class="button" href="/deliveries">
                {ui.text.common.back_to_deliveries}
            </a>
        </p>
    }
    .part()
}

/// Bones of a list that is on its way; the style shows them only after a moment.
pub fn skeleton() -> AnyView {
    let row = || {
        let bone = || view! { <td><span class="bone"></span><span class="bone"></span></td> };
        view! { <tr>{bone()}{bone()}{bone()}{bone()}</tr> }
    };
    view! {
        <section class="panel loading" aria-busy="true" aria-hidden="true">
            <table class="table keep">
                <tbody>{(0..8).map(|_| row()).collect_view()}</tbody>
            </table>
        </section>
    }
    .part()
}
