//! Bodies and headers for people. Nothing here is what was sent: the exact bytes have a link of their own.

use leptos::prelude::*;

use super::{IntoPart, Ui, browser, format, icon};
use crate::types::ShownBody;

/// A body: indented and coloured when it is JSON, as it is otherwise.
pub fn code(body: &str) -> AnyView {
    view! { <pre class="code" tabindex="0" inner_html=pretty(body)></pre> }.part()
}

/// Names and values.
pub fn headers(ui: Ui, headers: Vec<(String, String)>) -> AnyView {
    if headers.is_empty() {
        return view! { <p class="muted">{ui.text.payload.no_headers}</p> }.part();
    }
    let pair = |(name, value): (String, String)| {
        view! {
            <dt class="id">{name}</dt>
            <dd class="id">{value}</dd>
        }
    };
    view! { <dl class="facts headers">{headers.into_iter().map(pair).collect_view()}</dl> }.part()
}

/// The body of an event under its facts, folded.
pub fn body(ui: Ui, body: &ShownBody, size: i64) -> AnyView {
    let text = ui.text;
    if size == 0 {
        return view! { <p class="panel-body muted">{text.payload.empty}</p> }.part();
    }
    view! {
        <div class="panel-body">
            <details open>
                <summary>{crate::text::fill(text.payload.body_of, &[&format::bytes(size)])}</summary>
                {code(&body.text)}
            </details>
            {body.oddities.iter().map(|oddity| view! { <p class="faint">{text.body_oddity(*oddity)}</p> }).collect_view()}
            {body.is_cut.then(|| view! { <p class="faint">{text.payload.cut}</p> })}
        </div>
    }
    .part()
}

/// An id with a button that copies it.
pub fn copyable(ui: Ui, what: &'static str, id: String) -> AnyView {
    let label = crate::text::fill(ui.text.common.copy_of, &[what]);
    let copied = id.clone();
    view! {
        <span class="id">{id}</span>
        " "
        <button
            class="icon-button small with-script"
            type="button"
            aria-label=label
            on:click=move |_| {
                browser::copy(&copied);
                ui.toasts.show("ok", ui.text.common.copied, "");
            }
        >
            {icon::icon("copy")}
        </button>
    }
    .part()
}

/// A text in a `<textarea>`: the one place where its content is written, because what is rendered on the server as a
/// child of it would not be escaped.
pub fn filled_textarea(id: String, name: String, value: &str, about: String) -> AnyView {
    // The first line break after the tag is dropped by parsers, so one is given up for it.
    let content = format!("\n{}", format::escape(value));
    view! { <textarea id=id name=name aria-describedby=about inner_html=content></textarea> }.part()
}

/// Escaped HTML of a body, indented by two when it looks like JSON. Order and spelling of numbers stay as they came.
fn pretty(body: &str) -> String {
    let trimmed = body.trim_start();
    if !trimmed.starts_with(['{', '[']) {
        return format::escape(body);
    }
    let mut out = String::with_capacity(body.len() * 2);
    let mut depth = 0_usize;
    let mut rest = trimmed;
    let mut is_key = trimmed.starts_with('{');
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            '"' => {
                let length = string_length(rest);
                let shown = rest.get(..length).unwrap_or(rest);
                let class = if is_key && rest[length..].trim_start().starts_with(':') { "k" } else { "s" };
                out += &format!("<span class=\"{class}\">{}</span>", format::escape(shown));
                length
            }
            '{' | '[' => {
                let inside = rest[1..].trim_start();
                let close = if letter == '{' { '}' } else { ']' };
                out.push(letter);
                if inside.starts_with(close) {
                    out.push(close);
                    rest = &inside[1..];
                    continue;
                }
                depth += 1;
                is_key = letter == '{';
                indent(&mut out, depth);
                1
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                indent(&mut out, depth);
                out.push(letter);
                is_key = true;
                1
            }
            ',' => {
                out.push(',');
                indent(&mut out, depth);
                is_key = true;
                1
            }
            ':' => {
                out.push_str(": ");
                1
            }
            space if space.is_whitespace() => space.len_utf8(),
            other => {
                out += &format::escape(&other.to_string());
                other.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    out
}

/// Bytes of the JSON string at the beginning of `rest`, both quotes included; all of it when it does not end.
fn string_length(rest: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn indent(out: &mut String, depth: usize) {
    out.push('\n');
    // A body can nest as deep as it is long; what is shown need not.
    out.extend(std::iter::repeat_n("  ", depth.min(40)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_indented_and_otherwise_untouched() {
        assert_eq!(
            pretty(r#"{"b":1.50,"a":["x:{",{}],"e":"\"<b>"}"#),
            "{\n  <span class=\"k\">&quot;b&quot;</span>: 1.50,\n  <span class=\"k\">&quot;a&quot;</span>: [\n    \
             <span class=\"s\">&quot;x:{&quot;</span>,\n    {}\n  ],\n  <span class=\"k\">&quot;e&quot;</span>: \
             <span class=\"s\">&quot;\\&quot;&lt;b&gt;&quot;</span>\n}"
        );
    }

    #[test]
    fn broken_bodies_are_shown_and_harmless() {
        for body in [
            "",
            "{",
            "[",
            "{\"",
            "{\"a",
            "]]]",
            "{\"a\\",
            "plain <script>",
            "[1,2",
            "{\"é\":\"ñ",
            "[\u{fffd}",
        ] {
            let shown = pretty(body);
            assert!(!shown.contains("<script"), "{body}");
        }
        assert!(pretty(&"[".repeat(10_000)).len() < 1_500_000);
    }

    #[cfg(feature = "ssr")]
    #[test]
    fn a_textarea_cannot_be_broken_out_of() {
        let owner = Owner::new();
        owner.set();
        let hostile = "\n</textarea><script>alert(1)</script>&amp;";
        let html = filled_textarea("note".to_owned(), "note".to_owned(), hostile, String::new()).to_html();
        assert!(!html.contains("<script"), "{html}");
        assert!(
            html.contains(">\n\n&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;</textarea>"),
            "{html}"
        );
    }
}
