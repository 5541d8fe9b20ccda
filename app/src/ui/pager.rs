//! Newer and older: keyset pages. The way back is in the URL, so that it works without script and after a reload.

use leptos::prelude::*;

use super::{IntoPart, Ui, filters, icon};

/// How many pages back the URL remembers; from further on, "newer" leads to the newest.
const REMEMBERED: usize = 20;

/// Where a list stands in its pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PagePosition {
    /// The cursor of this page; none on the first.
    pub cursor: Option<String>,
    /// The cursors of the pages before, oldest visit first; empty ones are the first page.
    pub back: Vec<String>,
}

impl PagePosition {
    /// From the values of `cursor` and `back` in a URL.
    pub fn parse(cursor: Option<String>, back: &str) -> Self {
        let back = if cursor.is_some() { back.split('~').map(str::to_owned).collect() } else { Vec::new() };
        Self { cursor, back: if back == [String::new()] { Vec::new() } else { back } }
    }

    /// The page after this one, and `back` for it.
    pub fn older(&self, next: &str) -> [(&'static str, String); 2] {
        let mut back = self.back.clone();
        back.extend(self.cursor.clone());
        let from = back.len().saturating_sub(REMEMBERED);
        [("cursor", next.to_owned()), ("back", back.split_off(from).join("~"))]
    }

    /// The page before this one; none on the first.
    pub fn newer(&self) -> Option<[(&'static str, String); 2]> {
        self.cursor.as_ref()?;
        let mut back = self.back.clone();
        let cursor = back.pop().unwrap_or_default();
        Some([("cursor", cursor), ("back", back.join("~"))])
    }
}

/// The words and links of a pager.
pub struct Pager {
    /// To newer rows.
    pub newer: Option<String>,
    /// To older rows.
    pub older: Option<String>,
    /// The words of both.
    pub words: (&'static str, &'static str),
    /// Rows of a page now; none where there is no filter form to choose it in.
    pub limit: Option<i64>,
}

/// The foot of a list.
pub fn pager(ui: Ui, pager: Pager, span: impl IntoView + 'static) -> AnyView {
    let (newer, older) = pager.words;
    let limit = pager.limit.map(|limit| {
        let option = |rows: i64| {
            view! { <option value=rows.to_string() selected=rows == limit>{rows.to_string()}</option> }
        };
        view! {
            <span class="end row">
                <label for="limit">{ui.text.list.rows}</label>
                <select id="limit" name="limit" form="filters" on:change=filters::changed>
                    {[20, 50, 100, 200].map(option).collect_view()}
                </select>
            </span>
        }
    });
    view! {
        <nav class="panel-foot" aria-label=ui.text.list.pages>
            {step(pager.newer, "prev", view! { {icon::icon("left")}{newer} }.part())}
            {step(pager.older, "next", view! { {older}{icon::icon("right")} }.part())}
            <span>{span}</span>
            {limit}
        </nav>
    }
    .part()
}

fn step(href: Option<String>, rel: &'static str, content: AnyView) -> AnyView {
    match href {
        Some(href) => view! { <a class="button small" rel=rel href=href>{content}</a> }.part(),
        None => view! { <a class="button small" role="link" aria-disabled="true">{content}</a> }.part(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_is_the_way_there() {
        let first = PagePosition::parse(None, "");
        assert_eq!(first.newer(), None);
        let [(_, cursor), (_, back)] = first.older("c1");
        let second = PagePosition::parse(Some(cursor), &back);
        let [(_, cursor), (_, back)] = second.older("c2");
        let third = PagePosition::parse(Some(cursor), &back);
        assert_eq!(third, PagePosition { cursor: Some("c2".to_owned()), back: vec!["c1".to_owned()] });
        assert_eq!(third.newer(), Some([("cursor", "c1".to_owned()), ("back", String::new())]));
        assert_eq!(second.newer(), Some([("cursor", String::new()), ("back", String::new())]));
    }

    #[test]
    fn the_way_back_does_not_grow_for_ever() {
        let mut place = PagePosition::default();
        for page in 0..100 {
            let [(_, cursor), (_, back)] = place.older(&format!("c{page}"));
            place = PagePosition::parse(Some(cursor), &back);
        }
        assert_eq!(place.back.len(), REMEMBERED);
        assert_eq!(place.newer().map(|[(_, cursor), _]| cursor).as_deref(), Some("c98"));
    }
}
