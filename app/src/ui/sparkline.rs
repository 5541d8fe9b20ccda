//! The ladder in a line of a list: one tick per rung. Always beside "3/11".

use leptos::prelude::*;

use super::IntoPart;

use crate::types::DeliveryState;

/// The drawing for a delivery.
pub fn sparkline(state: DeliveryState, attempts: u32, rungs: u32) -> AnyView {
    view! {
        <svg class="rungs-mini" viewBox="0 0 68 14" aria-hidden="true" inner_html=draw(state, attempts, rungs)></svg>
    }.part()
}

fn draw(state: DeliveryState, attempts: u32, rungs: u32) -> String {
    // Even rungs while they fit, closer together on longer ladders.
    let step = if rungs > 11 { 63.0 / f64::from(rungs - 1) } else { 6.3 };
    let ticks = |from: u32, to: u32, top: &str, height: &str| -> String {
        (from..to)
            .map(|rung| {
                let x = (2.0 + f64::from(rung) * step) * 10.0;
                format!("M{} {top}v{height}", x.round() / 10.0)
            })
            .collect()
    };
    let path = |tone: &str, d: String| match (d.is_empty(), tone) {
        (true, _) => String::new(),
        (false, "") => format!("<path d=\"{d}\"/>"),
        (false, tone) => format!("<path data-tone=\"{tone}\" d=\"{d}\"/>"),
    };
    let delivered = state == DeliveryState::Delivered;
    let failed = if delivered { attempts.saturating_sub(1) } else { attempts };
    let mut drawing = path("bad", ticks(0, failed, "1", "12"));
    match state {
        DeliveryState::Delivered => drawing += &path("ok", ticks(failed, failed + 1, "1", "12")),
        DeliveryState::Pending => {
            drawing += &path("accent", ticks(attempts, (attempts + 1).min(rungs), "3.5", "7"));
            drawing += &path("", ticks((attempts + 1).min(rungs), rungs, "6.5", "1"));
        }
        DeliveryState::Failed => {}
        DeliveryState::Held | DeliveryState::Cancelled => {
            drawing += &path("", ticks(attempts, rungs, "6.5", "1"));
        }
    }
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_what_was_and_what_comes() {
        let drawn = |state, attempts, rungs| draw(state, attempts, rungs);
        assert_eq!(
            drawn(DeliveryState::Pending, 1, 4),
            "<path data-tone=\"bad\" d=\"M2 1v12\"/><path data-tone=\"accent\" d=\"M8.3 3.5v7\"/>\
             <path d=\"M14.6 6.5v1M20.9 6.5v1\"/>"
        );
        assert_eq!(drawn(DeliveryState::Delivered, 1, 11), "<path data-tone=\"ok\" d=\"M2 1v12\"/>");
        assert_eq!(drawn(DeliveryState::Failed, 2, 2), "<path data-tone=\"bad\" d=\"M2 1v12M8.3 1v12\"/>");
        assert_eq!(drawn(DeliveryState::Held, 0, 1), "<path d=\"M2 6.5v1\"/>");
        assert!(
            drawn(DeliveryState::Pending, 0, 30).contains("M65 6.5v1"),
            "the last of many is still inside"
        );
    }
}
