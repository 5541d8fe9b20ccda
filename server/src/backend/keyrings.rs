//! What the secrets page shows: every source and destination with its active secrets, what they did lately, and what can
//! be done about a rotation.

use std::collections::HashMap;

use app::secrets::{Holder, Keyring, Secret, Span, TestResult, UsageCounts, rotation_guide};
use app::text::Lang;
use app::types::{Slug, Timestamp};

use crate::db::Db;
use crate::domain::audit::action;
use crate::error::Failure;
use crate::registry::Registry;
use crate::store::secret::usage::{self, SLOT_S};
use crate::store::secret::{self, HolderId, SecretRow};
use crate::store::{audit, destination, source};

/// Bars of a rotation, and how many of them come before it.
const BARS: i64 = 28;
const BEFORE: i64 = 4;

/// All of them; those in a rotation first, the one that ends first before the others.
pub(super) async fn read(
    db: &Db,
    registry: &Registry,
    lang: Lang,
    now: Timestamp,
) -> Result<Vec<Keyring>, Failure> {
    let mut rows: HashMap<HolderId, Vec<SecretRow>> = HashMap::new();
    for row in secret::unexpired(db, now).await?.into_iter().filter(|row| row.created_at <= now) {
        rows.entry(row.holder).or_default().push(row);
    }
    let replaced: HashMap<_, _> = secret::replacements(db).await?.into_iter().collect();
    let spans = rows.values().filter_map(|rows| span(rows));
    let first = spans.map(|span| span.from).min().unwrap_or(now);
    let mut counts = Counts::of(usage::since(db, first).await?);
    // What could be retired: a secret that is the only one cannot.
    let moving = rows.values().filter(|rows| rows.len() > 1).flatten();
    let moving: Vec<_> = moving.map(|row| row.id.clone()).collect();
    counts.lately = usage::count_recent_uses(db, &moving, now).await?.into_iter().collect();
    let mut keyrings = Vec::new();
    let mut add = |holder, id, slug: Slug, scheme: String| {
        let rows = rows.remove(&id).unwrap_or_default();
        let span = span(&rows);
        let uses = rows.iter().map(|row| counts.uses(&row.id, span)).collect();
        let newest = rows.iter().find(|row| row.has_no_end());
        let can_undo = newest
            .and_then(|newest| replaced.get(&newest.id))
            .is_some_and(|before| rows.iter().any(|row| row.id == *before));
        let guide = rotation_guide::steps(lang, holder, &scheme, slug.as_str());
        let mut shared = match holder {
            Holder::Source => registry.shared(&slug),
            Holder::Destination => HashMap::new(),
        };
        let shown = |row: SecretRow| {
            let shared_with = shared.remove(&row.id).unwrap_or_default();
            shown(row, shared_with)
        };
        let secrets: Vec<Secret> = rows.into_iter().map(shown).collect();
        keyrings.push(Keyring { holder, slug, scheme, secrets, uses, span, can_undo, guide, tested: None });
    };
    for row in source::all(db).await? {
        add(Holder::Source, HolderId::Source(row.id), row.slug, row.provider.to_string());
    }
    for row in destination::all(db).await? {
        add(Holder::Destination, HolderId::Destination(row.id), row.slug, row.settings.format.to_string());
    }
    for keyring in keyrings.iter_mut().filter(|keyring| keyring.holder == Holder::Destination) {
        keyring.tested = tested(db, keyring).await?;
    }
    // A stable sort: what is not in a rotation keeps its place.
    keyrings.sort_by_key(|keyring| keyring.span.map_or(i64::MAX, |_| ends_first(&keyring.secrets)));
    Ok(keyrings)
}

fn ends_first(secrets: &[Secret]) -> i64 {
    secrets.iter().filter_map(|secret| secret.expires_at).min().map_or(i64::MAX, Timestamp::micros)
}

/// The time that is drawn, while there is more than one secret.
fn span(rows: &[SecretRow]) -> Option<Span> {
    let (newest, old) = rows.split_first()?;
    let end = old.iter().filter_map(|row| row.expires_at).max()?;
    let rotated = newest.created_at;
    let window = end.seconds_since(rotated).max(1);
    // Whole slots: a bar is the sum of some.
    let slots_per_window = (window - 1) / ((BARS - BEFORE) * SLOT_S) + 1;
    let bar_s = slots_per_window * SLOT_S;
    let first = usage::slot(rotated.plus_seconds(-BEFORE * bar_s));
    Some(Span { from: Timestamp::from_unix(first * SLOT_S), rotated, end, bar_s })
}

/// How often secrets were of use: by slot, and in the last hour.
struct Counts {
    slots: HashMap<String, Vec<(i64, i64)>>,
    lately: HashMap<String, i64>,
}

impl Counts {
    fn of(rows: Vec<(String, i64, i64)>) -> Self {
        let mut slots: HashMap<String, Vec<(i64, i64)>> = HashMap::new();
        for (id, slot, times) in rows {
            slots.entry(id).or_default().push((slot * SLOT_S, times));
        }
        Self { slots, lately: HashMap::new() }
    }

    fn uses(&self, id: &str, span: Option<Span>) -> UsageCounts {
        let counts = self.slots.get(id).map(Vec::as_slice).unwrap_or_default();
        let last_hour = self.lately.get(id).copied().unwrap_or_default();
        let mut bars = Vec::new();
        if let Some(span) = span {
            let length = span.end.seconds_since(span.from).div_euclid(span.bar_s) + 1;
            bars = vec![0; usize::try_from(length).unwrap_or(0)];
            for (at, times) in counts {
                let place = (at - span.from.unix()).div_euclid(span.bar_s);
                if let Some(bar) = usize::try_from(place).ok().and_then(|place| bars.get_mut(place)) {
                    *bar += times;
                }
            }
        }
        UsageCounts { last_hour, bars }
    }
}

/// The last test since the newest secret was made; the audit keeps it.
async fn tested(db: &Db, keyring: &Keyring) -> Result<Option<TestResult>, Failure> {
    let Some(newest) = keyring.secrets.first().filter(|_| keyring.span.is_some()) else { return Ok(None) };
    let subject = format!("destination/{}", keyring.slug);
    let entry = audit::latest(db, action::DESTINATION_TESTED, &subject).await?;
    let entry = entry.filter(|entry| entry.at >= newest.created_at);
    let detail = entry.and_then(|entry| entry.detail).map(serde_json::from_value).transpose();
    detail.map_err(|error| Failure::stored("audit.detail", error))
}

/// A secret as the page shows it.
pub(super) fn shown(row: SecretRow, shared_with: Vec<Slug>) -> Secret {
    Secret {
        id: row.id,
        fingerprint: row.fingerprint,
        created_by: row.created_by,
        created_at: row.created_at,
        expires_at: row.expires_at,
        last_used_at: row.last_used_at,
        matches: row.matches,
        shared_with,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::Sealed;

    fn row(created: i64, ends: Option<i64>) -> SecretRow {
        SecretRow {
            id: format!("sec_{created}"),
            holder: HolderId::Source(1),
            sealed: Sealed { bytes: Vec::new(), key_id: String::new() },
            fingerprint: String::new(),
            created_by: String::new(),
            created_at: Timestamp::from_unix(created),
            expires_at: ends.map(Timestamp::from_unix),
            last_used_at: None,
            matches: 0,
        }
    }

    #[test]
    fn a_day_is_drawn_by_the_hour_and_a_week_in_as_many_bars() {
        let day = span(&[row(36_000, None), row(0, Some(36_000 + 86_400))]).unwrap();
        assert_eq!((day.bar_s, day.from.unix()), (3600, 36_000 - 4 * 3600));
        let week = span(&[row(0, None), row(-9, Some(604_800))]).unwrap();
        assert_eq!(week.bar_s, 604_800 / 24);
        let minute = span(&[row(0, None), row(-9, Some(60))]).unwrap();
        assert_eq!(minute.bar_s, SLOT_S);
        assert_eq!(span(&[row(0, None)]), None);
        assert_eq!(span(&[]), None);
    }

    #[test]
    fn counts_fall_into_their_bars() {
        let span = span(&[row(86_400, None), row(0, Some(2 * 86_400))]).unwrap();
        let slot = |at: i64| at / SLOT_S;
        let counts = Counts::of(vec![
            ("sec_a".to_owned(), slot(span.from.unix()), 2),
            ("sec_a".to_owned(), slot(86_400), 3),
            ("sec_a".to_owned(), slot(86_400 + 3000), 4),
            ("sec_a".to_owned(), slot(2 * 86_400 - 1), 5),
            ("sec_a".to_owned(), slot(span.from.unix()) - 1, 100),
        ]);
        let uses = counts.uses("sec_a", Some(span));
        assert_eq!((uses.bars[0], uses.bars[4], uses.bars[27]), (2, 7, 5));
        assert_eq!(uses.bars.iter().sum::<i64>(), 14);
        assert_eq!(counts.uses("sec_b", None), UsageCounts::default());
    }
}
