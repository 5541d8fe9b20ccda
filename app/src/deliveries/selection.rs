//! Rows that are picked, and what can be done with them. Without script the boxes belong to the same form.

use leptos::prelude::*;
use leptos_router::hooks::use_navigate;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, MouseEvent};

use crate::text::fill;
use crate::types::DeliveryNumber;
use crate::ui::list_query::ListUrl;
use crate::ui::{IntoPart, Ui, browser, filters, query};

const FORM: &str = "bulk";
const PICKED: &str = ".pick:checked";

/// How many rows of the page are picked; the boxes know which.
#[derive(Clone, Copy)]
pub struct Selection {
    ui: Ui,
    count: RwSignal<usize>,
    /// The number on the box that was clicked last: with Shift, all from there to here are picked.
    last: StoredValue<String>,
}

impl Selection {
    /// None.
    pub fn new(ui: Ui) -> Self {
        Self { ui, count: RwSignal::new(0), last: StoredValue::new(String::new()) }
    }

    fn count_again(self) {
        self.count.set(browser::find_all(PICKED).len());
    }

    /// Boxes from the one before to this one become what this one is.
    fn clicked(self, event: &MouseEvent) {
        let input = |element: &Element| element.dyn_ref::<HtmlInputElement>().cloned();
        let target = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        let Some(here) = target else { return };
        let before = self.last.get_value();
        self.last.set_value(here.value());
        if !event.shift_key() && !here.has_attribute(browser::UP_TO_HERE) {
            return;
        }
        let boxes: Vec<_> = browser::find_all(".pick").iter().filter_map(|found| input(found)).collect();
        let at = |value: &str| boxes.iter().position(|found| found.value() == value);
        if let (Some(from), Some(to)) = (at(&before), at(&here.value())) {
            boxes[from.min(to)..=from.max(to)].iter().for_each(|found| found.set_checked(here.checked()));
        }
        self.count_again();
    }

    /// The box of a row.
    pub fn one(self, id: DeliveryNumber) -> AnyView {
        view! {
            <td class="shrink pick-cell">
                <input
                    class="pick"
                    type="checkbox"
                    name="id"
                    value=id.to_string()
                    form=FORM
                    aria-label=fill(self.ui.text.resends.select_delivery, &[&id.to_string()])
                    on:click=move |event| self.clicked(&event)
                    on:mousedown=move |event| {
                        // Text between the two is not marked.
                        if event.shift_key() {
                            event.prevent_default();
                        }
                    }
                    on:change=move |_| self.count_again()
                />
            </td>
        }
        .part()
    }

    /// The box of all rows; it does nothing without script, and is not seen there.
    pub fn all(self) -> AnyView {
        let any = move || self.count.get() > 0;
        let change = move |event: leptos::ev::Event| {
            let checked = event_target_checked(&event);
            browser::check_all(".pick", checked);
            self.count_again();
        };
        view! {
            <th scope="col" class="shrink pick-cell">
                <input
                    class="pick-all with-script"
                    type="checkbox"
                    aria-label=self.ui.text.resends.select_rows
                    prop:checked=any
                    on:change=change
                />
            </th>
        }
        .part()
    }

    /// The link to resend all that match; none where everything does.
    pub fn everything(self, url: &ListUrl, class: &'static str) -> AnyView {
        let href = query::link("/resends/new", &url.filters());
        (self.ui.may_act && url.narrows())
            .then(|| view! { <a class=class href=href>{self.ui.text.resends.resend_matching}</a> })
            .part()
    }

    /// What takes the toolbar's place while rows are picked.
    pub fn bar(self, url: &ListUrl) -> AnyView {
        let ui = self.ui;
        if !ui.may_act {
            return ().part();
        }
        let text = ui.text;
        let navigate = use_navigate();
        let submit = move |event: leptos::ev::SubmitEvent| {
            if let Some(form) = filters::sent(&event) {
                event.prevent_default();
                let pairs = browser::form_pairs(&form, false);
                let pairs = pairs.iter().map(|(name, value)| (name.as_str(), value.clone()));
                navigate(&query::link("/resends/new", &query::write(pairs)), Default::default());
            }
        };
        let said = move || {
            text.counted(self.count.get() as i64, text.resends.selected_one, text.resends.selected_many)
        };
        let clear = move |_| {
            browser::check_all(".pick", false);
            self.count_again();
        };
        view! {
            <form class="bulk" id=FORM method="get" action="/resends/new" on:submit=submit>
                <output class="with-script">{said}</output>
                {self.everything(url, "nowrap")}
                <span class="row end">
                    <button class="button small primary">{text.resends.resend_selected}</button>
                    <button class="button small quiet" type="reset" on:click=clear>{text.resends.clear_selection}</button>
                </span>
            </form>
        }
        .part()
    }
}
