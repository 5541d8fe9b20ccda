//! Times and numbers as people read them. Pure: the moment that counts as now is always given.

use crate::text::{Texts, fill};
use crate::types::Timestamp;

/// The accessible name of one of many controls that look alike: its visible words, then what it is about.
pub fn name_with(word: &str, object: &str) -> String {
    format!("{word} {object}")
}

/// A length of time, in at most two units, rounded down: `43 s`, `2 min 41 s`, `7 min`, `1 h 18 min`, `2 d`.
/// Seconds show below 5 minutes only: longer ones need not tick.
pub fn duration(seconds: i64) -> String {
    match seconds {
        300..3_600 => format!("{} min", seconds / 60),
        172_800.. => format!("{} d", seconds / 86_400),
        _ => precisely(seconds),
    }
}

/// The same with its two units whatever its length, for what does not tick: `6 min 52 s`, `3 d 2 h`.
pub fn precisely(seconds: i64) -> String {
    let seconds = seconds.max(0);
    let two = |big: i64, unit: &str, small: i64, small_unit: &str| match small {
        0 => format!("{big} {unit}"),
        _ => format!("{big} {unit} {small} {small_unit}"),
    };
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => two(seconds / 60, "min", seconds % 60, "s"),
        3_600..86_400 => two(seconds / 3_600, "h", seconds / 60 % 60, "min"),
        _ => two(seconds / 86_400, "d", seconds / 3_600 % 24, "h"),
    }
}

/// How long something took: `0.31 s`, `10.00 s`, with the decimal mark of the language.
pub fn took(millis: i64, text: &Texts) -> String {
    format!("{}{}{:02} s", millis / 1000, text.time.decimal_mark, millis % 1000 / 10)
}

/// How far a moment is from now, in words of the language.
pub fn relative(at: Timestamp, now: Timestamp, text: &Texts) -> String {
    let seconds = at.seconds_since(now);
    // From a moment that has passed, the whole seconds gone are counted, as a clock does.
    match (at.micros() - now.micros()).signum() {
        1 if seconds > 0 => fill(text.time.in_time, &[&duration(seconds)]),
        -1 if now.seconds_since(at) > 0 => fill(text.time.ago, &[&duration(now.seconds_since(at))]),
        _ => text.time.now.to_owned(),
    }
}

/// Hours, minutes and seconds.
pub fn time_of_day(at: Timestamp, east: i64) -> String {
    let (.., hour, minute, second) = at.civil(east);
    format!("{hour:02}:{minute:02}:{second:02}")
}

/// Hours and minutes.
pub fn short_time(at: Timestamp, east: i64) -> String {
    let (.., hour, minute, _) = at.civil(east);
    format!("{hour:02}:{minute:02}")
}

/// The time of day when it is today; with `tomorrow`, `yesterday` or the date when it is not.
pub fn exact(at: Timestamp, now: Timestamp, east: i64, text: &Texts) -> String {
    let day = |moment: Timestamp| (moment.unix() + east).div_euclid(86_400);
    let (year, month, date, ..) = at.civil(east);
    match day(at) - day(now) {
        0 => time_of_day(at, east),
        1 => format!("{} {}", text.time.tomorrow, short_time(at, east)),
        -1 => format!("{} {}", text.time.yesterday, short_time(at, east)),
        _ if year == now.civil(east).0 => {
            format!("{date} {}, {}", text.month(month), short_time(at, east))
        }
        _ => format!("{date} {} {year}", text.month(month)),
    }
}

/// Everything: `Mon 30 Nov 2026, 14:09:07 UTC+1`.
pub fn full(at: Timestamp, east: i64, text: &Texts) -> String {
    let (year, month, date, ..) = at.civil(east);
    let zone = match (east / 60, east.abs() / 60 % 60) {
        (0, _) => "UTC".to_owned(),
        (minutes, 0) => format!("UTC{:+}", minutes / 60),
        (minutes, rest) => format!("UTC{:+}:{rest:02}", minutes / 60),
    };
    let weekday = text.weekday(at.weekday(east));
    format!("{weekday} {date} {} {year}, {} {zone}", text.month(month), time_of_day(at, east))
}

/// A size in bytes.
pub fn bytes(size: i64) -> String {
    match size {
        0..10_240 => format!("{} B", crate::types::group_digits(size)),
        _ => format!("{} KB", crate::types::group_digits(size / 1024)),
    }
}

/// An id shortened in its middle: both ends tell ids apart, the middle does not.
pub fn shorten(id: &str) -> String {
    let letters: Vec<char> = id.chars().collect();
    if letters.len() <= 18 {
        return id.to_owned();
    }
    let (head, tail) = (&letters[..9], &letters[letters.len() - 6..]);
    head.iter().chain(&['…']).chain(tail).collect()
}

/// Text that is safe between tags and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lang;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// Whoever speaks to their computer says what they see (WCAG 2.5.3).
    #[test]
    fn an_accessible_name_holds_the_visible_words() {
        let words = |text: &str| text.to_lowercase().replace(['¿', '?', '…'], "");
        for lang in [Lang::En, Lang::Es] {
            let text = lang.texts();
            for (visible, name) in [
                (text.rotation.more, text.rotation.rotate_of),
                (text.rotation.retire_more, text.rotation.retire_title),
                (text.rotation.undo_more, text.rotation.undo_title),
                (text.reconciliation.acknowledge_more, text.reconciliation.acknowledge_title),
                (text.common.acknowledge, text.alerts.acknowledge),
                ("Acuse", text.frame.home_label),
            ] {
                assert!(words(name).contains(&words(visible)), "{visible} is not in {name}");
            }
        }
        assert_eq!(name_with("Extend…", "a1b2"), "Extend… a1b2");
    }

    #[test]
    fn durations_have_at_most_two_units_and_round_down() {
        for (seconds, expected) in [
            (-5, "0 s"),
            (0, "0 s"),
            (43, "43 s"),
            (60, "1 min"),
            (161, "2 min 41 s"),
            (299, "4 min 59 s"),
            (300, "5 min"),
            (3_599, "59 min"),
            (3_600, "1 h"),
            (4_680, "1 h 18 min"),
            (86_399, "23 h 59 min"),
            (86_400, "1 d"),
            (90_000, "1 d 1 h"),
            (604_800, "7 d"),
        ] {
            assert_eq!(duration(seconds), expected);
        }
        assert_eq!(took(10_004, Lang::En.texts()), "10.00 s");
        assert_eq!(took(87, Lang::Es.texts()), "0,08 s");
    }

    #[test]
    fn relative_times_say_before_and_after() {
        let now = at("2026-11-30T14:06:26.5Z");
        for (moment, english, spanish) in [
            ("2026-11-30T14:09:07.5Z", "in 2 min 41 s", "dentro de 2 min 41 s"),
            ("2026-11-30T14:02:07.5Z", "4 min 19 s ago", "hace 4 min 19 s"),
            ("2026-11-30T14:06:26.5Z", "now", "ahora"),
            ("2026-11-30T14:06:26.9Z", "now", "ahora"),
            ("2026-11-30T14:06:26.1Z", "now", "ahora"),
        ] {
            assert_eq!(relative(at(moment), now, Lang::En.texts()), english);
            assert_eq!(relative(at(moment), now, Lang::Es.texts()), spanish);
        }
    }

    #[test]
    fn exact_times_carry_a_day_when_it_is_not_today() {
        let (now, text) = (at("2026-11-30T13:06:26Z"), Lang::En.texts());
        let madrid = 3_600;
        assert_eq!(exact(at("2026-11-30T13:09:07Z"), now, madrid, text), "14:09:07");
        assert_eq!(exact(at("2026-11-30T23:30:00Z"), now, madrid, text), "tomorrow 00:30");
        assert_eq!(exact(at("2026-11-30T23:30:00Z"), now, 0, text), "23:30:00");
        assert_eq!(exact(at("2026-11-29T20:38:04Z"), now, madrid, text), "yesterday 21:38");
        assert_eq!(exact(at("2026-11-28T02:00:12Z"), now, madrid, text), "28 Nov, 03:00");
        assert_eq!(exact(at("2025-11-28T02:00:12Z"), now, madrid, text), "28 Nov 2025");
        assert_eq!(full(at("2026-11-30T13:09:07Z"), madrid, text), "Mon 30 Nov 2026, 14:09:07 UTC+1");
        assert_eq!(full(at("2026-11-30T13:09:07Z"), 0, text), "Mon 30 Nov 2026, 13:09:07 UTC");
        assert_eq!(full(at("2026-11-30T13:09:07Z"), -12_600, text), "Mon 30 Nov 2026, 09:39:07 UTC-3:30");
    }

    #[test]
    fn ids_are_shortened_in_the_middle() {
        assert_eq!(shorten("inv_74BPZFhr9qy9Uz2fbRkdJX"), "inv_74BPZ…bRkdJX");
        assert_eq!(shorten("evt_short"), "evt_short");
        assert_eq!(shorten("ñandúñandúñandúñandú"), "ñandúñand…úñandú");
    }

    #[test]
    fn nothing_escapes_the_escaping() {
        assert_eq!(
            escape("</textarea><a href='x'>\"&"),
            "&lt;/textarea&gt;&lt;a href=&#39;x&#39;&gt;&quot;&amp;"
        );
    }
}
