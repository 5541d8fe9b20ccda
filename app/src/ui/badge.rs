//! States: a badge in lists, a stamp for the one that a page is about. Shape, word and colour say the same.

use leptos::prelude::*;

use super::{IntoPart, Ui, icon};
use crate::types::{AlertState, DeliveryState, DifferenceState, ResendState, RunState};

/// How a state looks: tone, shape, word.
pub type BadgeLook = (&'static str, &'static str, &'static str);

/// How a delivery's state looks.
pub fn delivery(ui: Ui, state: DeliveryState) -> BadgeLook {
    let (tone, shape) = match state {
        DeliveryState::Pending => ("wait", "pending"),
        DeliveryState::Failed => ("bad", "failed"),
        DeliveryState::Held => ("hold", "held"),
        DeliveryState::Delivered => ("ok", "delivered"),
        DeliveryState::Cancelled => ("none", "cancelled"),
    };
    (tone, shape, ui.text.delivery_state(state))
}

/// How a difference's state looks.
pub fn difference(ui: Ui, state: DifferenceState) -> BadgeLook {
    let (tone, shape) = match state {
        DifferenceState::Open => ("bad", "open"),
        DifferenceState::Acknowledged => ("wait", "acknowledged"),
        DifferenceState::Resolved => ("ok", "resolved"),
    };
    (tone, shape, ui.text.difference_state(state))
}

/// How an alert's state looks.
pub fn alert(ui: Ui, state: AlertState) -> BadgeLook {
    let (tone, shape) = match state {
        AlertState::Open => ("bad", "open"),
        AlertState::Acknowledged => ("wait", "acknowledged"),
        AlertState::Resolved => ("ok", "resolved"),
    };
    (tone, shape, ui.text.alert_state(state))
}

/// How a run's state looks.
pub fn run(ui: Ui, state: RunState) -> BadgeLook {
    let (tone, shape) = match state {
        RunState::Running => ("accent", "next"),
        RunState::Done => ("ok", "delivered"),
        RunState::Failed => ("bad", "failed"),
    };
    (tone, shape, ui.text.run_state(state))
}

/// How a resend of many looks.
pub fn resend(ui: Ui, state: ResendState) -> BadgeLook {
    let (tone, shape) = match state {
        ResendState::Running => ("accent", "next"),
        ResendState::Done => ("ok", "delivered"),
        ResendState::Cancelled => ("none", "cancelled"),
    };
    (tone, shape, ui.text.resend_state(state))
}

/// In a list.
pub fn badge((tone, shape, word): BadgeLook) -> AnyView {
    view! { <span class="badge" data-tone=tone>{icon::icon(shape)}{word}</span> }.part()
}

/// Beside the title of the page that is about it.
pub fn stamp((tone, shape, word): BadgeLook) -> AnyView {
    view! { <span class="stamp" data-tone=tone>{icon::icon(shape)}{word}</span> }.part()
}
