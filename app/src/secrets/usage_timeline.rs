//! What the secrets of a rotation did, drawn over its time: a lane for each, old above new.

use leptos::prelude::*;

use super::{Holder, Keyring, Span};
use crate::text::fill;
use crate::types::{Timestamp, group_digits};
use crate::ui::{IntoPart, Ui, format};

/// Height of a lane's bars, and of the lane with its words.
const BARS: f64 = 34.0;
const LANE: f64 = 64.0;

/// The drawing; nothing while nothing rotates.
pub fn usage_timeline(ui: Ui, ring: &Keyring, now: Timestamp) -> AnyView {
    // A destination is signed with all of them, always.
    let Some(span) = ring.span.filter(|_| ring.holder == Holder::Source) else { return ().part() };
    let text = ui.text;
    let height = LANE * ring.secrets.len() as f64 + 12.0;
    let words = |place: usize, secret: &super::Secret| {
        let word = if place == 0 { text.rotation.lane_new } else { text.rotation.lane_old };
        fill(word, &[&secret.fingerprint, &group_digits(secret.matches)])
    };
    let lanes: Vec<_> = ring
        .secrets
        .iter()
        .zip(&ring.uses)
        .enumerate()
        .map(|(place, (secret, uses))| (words(place, secret), uses.bars.as_slice(), secret.expires_at))
        .rev()
        .collect();
    let east = ui.clock.utc_offset(now);
    let marks = [
        (span.rotated, format!("{} {}", text.rotation.lane_rotated, format::short_time(span.rotated, east))),
        (now, text.time.now.to_owned()),
        (span.end, text.rotation.lane_end.to_owned()),
    ];
    let drawn = draw(span, &lanes, &marks, now);
    view! { <svg class="chart" height=height aria-hidden="true" inner_html=drawn></svg> }.part()
}

fn draw(
    span: Span,
    lanes: &[(String, &[i64], Option<Timestamp>)],
    marks: &[(Timestamp, String); 3],
    now: Timestamp,
) -> String {
    let length = span.end.seconds_since(span.from).max(1) as f64;
    let x = |at: Timestamp| (at.seconds_since(span.from) as f64 / length * 100.0).clamp(0.0, 100.0);
    let most = lanes.iter().flat_map(|(_, bars, _)| bars.iter()).copied().max().unwrap_or(0).max(1) as f64;
    let wide = span.bar_s as f64 / length * 100.0;
    let mut drawing = String::new();
    for (place, (words, bars, end)) in lanes.iter().enumerate() {
        let bottom = LANE * place as f64 + 20.0 + BARS;
        let top = bottom - BARS;
        let tone = if end.is_none() { "accent" } else { "none" };
        let (from, to) = (x(span.rotated), x(end.unwrap_or(span.end)));
        drawing += &format!(
            "<text x=\"0\" y=\"{:.0}\">{words}</text><rect class=\"window\" x=\"{from:.2}%\" width=\"{:.2}%\" \
             y=\"{top:.0}\" height=\"{BARS:.0}\"/><line x1=\"0\" x2=\"100%\" y1=\"{bottom:.0}\" y2=\"{bottom:.0}\"/>",
            top - 8.0,
            (to - from).max(0.0),
        );
        for (bar, times) in bars.iter().enumerate().filter(|(_, times)| **times > 0) {
            let left = bar as f64 * wide;
            // One use is seen too.
            let high = (*times as f64 / most * BARS).max(2.0);
            drawing += &format!(
                "<rect data-tone=\"{tone}\" x=\"{:.2}%\" width=\"{:.2}%\" y=\"{:.1}\" height=\"{high:.1}\"/>",
                left + wide * 0.1,
                (wide * 0.8).min(100.0 - left),
                bottom - high,
            );
        }
        let at = x(now);
        drawing += &format!(
            "<line class=\"now\" x1=\"{at:.2}%\" x2=\"{at:.2}%\" y1=\"{top:.0}\" y2=\"{bottom:.0}\"/>"
        );
        if let Some(end) = end {
            let at = x(*end);
            drawing += &format!(
                "<line class=\"end-mark\" x1=\"{at:.2}%\" x2=\"{at:.2}%\" y1=\"{top:.0}\" y2=\"{bottom:.0}\"/>"
            );
        }
    }
    // Words that would lie on each other are left out, now first.
    let y = LANE * lanes.len() as f64 + 8.0;
    let [rotated, here, end] = marks.each_ref().map(|(at, word)| (x(*at), word));
    drawing += &format!("<text class=\"middle\" x=\"{:.2}%\" y=\"{y:.0}\">{}</text>", rotated.0, rotated.1);
    if here.0 - rotated.0 > 18.0 && end.0 - here.0 > 9.0 {
        drawing += &format!("<text class=\"middle\" x=\"{:.2}%\" y=\"{y:.0}\">{}</text>", here.0, here.1);
    }
    drawing + &format!("<text class=\"last\" x=\"100%\" y=\"{y:.0}\">{}</text>", end.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_is_above_new_and_bars_stand_where_they_were() {
        let at = Timestamp::from_unix;
        let span = Span { from: at(0), rotated: at(4 * 3600), end: at(28 * 3600), bar_s: 3600 };
        let lanes = [
            ("old".to_owned(), &[10, 5, 0][..], Some(at(28 * 3600))),
            ("new".to_owned(), &[0, 0, 0, 0, 1][..], None),
        ];
        let marks = [
            (at(4 * 3600), "rotated".to_owned()),
            (at(14 * 3600), "now".to_owned()),
            (span.end, "end".to_owned()),
        ];
        let drawn = draw(span, &lanes, &marks, at(14 * 3600));
        assert!(drawn.find(">old<") < drawn.find(">new<"));
        assert_eq!(drawn.matches("data-tone=\"none\"").count(), 2, "an empty hour has no bar");
        assert!(
            drawn.contains("data-tone=\"none\" x=\"0.36%\" width=\"2.86%\" y=\"20.0\" height=\"34.0\""),
            "{drawn}"
        );
        assert!(drawn.contains("data-tone=\"accent\""));
        assert_eq!(drawn.matches("class=\"now\" x1=\"50.00%\"").count(), 2);
        assert_eq!(drawn.matches("end-mark").count(), 1);
    }
}
