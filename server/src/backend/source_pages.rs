//! What the server does for the page of sources.

use std::collections::HashMap;
use std::sync::Arc;

use app::context::Viewer;
use app::error::AppError;
use app::secrets::rotation_guide;
use app::sources::{self as wire, Setup, SourcesPage};
use app::text::{Lang, fill};
use app::types::{Choice, FormInput, Mode, Role, Slug, Timestamp};
use app::ui::query;

use super::source_form::{form_from_url, sender_of, senders};
use super::sources::{Sources, receive_url};
use super::{source_input, source_labels};
use crate::clock::SharedClock;
use crate::db::Db;
use crate::error::Failure;
use crate::provider::preset_labels::labels;
use crate::provider::presets;
use crate::request_coalescing::{ChangeCount, InFlight};
use crate::store::rejection;
use crate::store::secret::{self, HolderId};
use crate::store::source::SourceRow;
use crate::store::source::status::{self, SourceStatus};

const DAY_S: i64 = 86_400;

/// All sources, as they are stored and as they are shown.
#[derive(Debug, Clone)]
struct ListedSources {
    rows: Arc<[SourceRow]>,
    shown: Vec<wire::SourceRow>,
}

/// Shows, makes, changes and deletes sources.
#[derive(Debug, Clone)]
pub struct SourcePages {
    db: Db,
    clock: SharedClock,
    sources: Sources,
    base: Arc<str>,
    acts: ChangeCount,
    shown: Arc<InFlight<&'static str, ListedSources>>,
}

impl SourcePages {
    /// Over this database; `base` is that of receive URLs.
    pub fn new(db: Db, clock: SharedClock, sources: Sources, base: Arc<str>, acts: ChangeCount) -> Self {
        Self { db, clock, sources, base, acts, shown: Arc::default() }
    }

    async fn read(&self, lang: Lang, now: Timestamp) -> Result<ListedSources, Failure> {
        let lately = RecentRejections::read(&self.db, now).await?;
        let mut rows = self.sources.list().await?;
        rows.sort_by(|a, b| a.slug.cmp(&b.slug));
        let senders = senders(lang);
        let shown = rows.iter().map(|row| lately.row(row, &self.base, &senders)).collect();
        Ok(ListedSources { rows: rows.into(), shown })
    }
}

#[async_trait::async_trait]
impl wire::Sources for SourcePages {
    async fn page(&self, viewer: &Viewer, search: &str, lang: Lang) -> Result<SourcesPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let ListedSources { rows, shown } =
            self.shown.get(lang.code(), look, self.read(lang, look.at)).await?;
        let may_change = viewer.role >= Role::Admin;
        let asked = may_change.then(|| form_from_url(search, &rows, &self.base, lang)).flatten();
        let setup = query::value(search, "setup");
        let setup = setup.and_then(|slug| rows.iter().find(|row| row.slug.as_str() == slug));
        let setup = setup.map(|row| setup_of(row, &self.base, lang));
        Ok(SourcesPage { sources: shown, asked, setup, now: look.at })
    }

    async fn apply(&self, viewer: &Viewer, form: &FormInput) -> Result<String, AppError> {
        if form.get("act") == "new" {
            let new = source_input::new(form, |slug| receive_url(&self.base, slug))?;
            let (made, _) = self.sources.create(viewer, new).await?;
            return Ok(format!("/sources?setup={}", made.slug));
        }
        let slug: Slug = source_input::slug(form)?;
        let row = self.sources.get(&slug).await?;
        if form.get("act") == "delete" {
            source_input::confirmed(form, &slug)?;
            self.sources.delete(viewer, &slug).await?;
        } else {
            let change = source_input::change(form, &row, &receive_url(&self.base, &slug))?;
            if !change.is_empty() {
                self.sources.change(viewer, &slug, change).await?;
            }
        }
        Ok("/sources".to_owned())
    }
}

/// What sources did lately, by their number.
struct RecentRejections {
    standing: HashMap<i64, SourceStatus>,
    unrouted: HashMap<i64, i64>,
    rejected: HashMap<i64, i64>,
    /// How many secrets of each count, and when the first of them ends.
    secrets: HashMap<i64, (i64, Option<Timestamp>)>,
}

impl RecentRejections {
    async fn read(db: &Db, now: Timestamp) -> Result<Self, Failure> {
        let yesterday = now.plus_seconds(-DAY_S);
        let standing = status::list_status(db, yesterday).await?;
        let minute = rejection::count::minute(now) + 1;
        let rejected = rejection::count::count_by_hour(db, minute - DAY_S / 60, minute).await?;
        let mut secrets: HashMap<i64, (i64, Option<Timestamp>)> = HashMap::new();
        for row in secret::unexpired(db, now).await?.into_iter().filter(|row| row.created_at <= now) {
            if let HolderId::Source(id) = row.holder {
                let (count, ends) = secrets.entry(id).or_default();
                *count += 1;
                *ends = [*ends, row.expires_at].into_iter().flatten().min();
            }
        }
        Ok(Self {
            standing: standing.into_iter().map(|row| (row.id, row)).collect(),
            unrouted: status::unrouted(db, yesterday).await?.into_iter().collect(),
            rejected: rejected.into_iter().collect(),
            secrets,
        })
    }

    fn row(&self, row: &SourceRow, base: &str, senders: &[Choice]) -> wire::SourceRow {
        let stands = self.standing.get(&row.id);
        let (secrets, ends) = self.secrets.get(&row.id).copied().unwrap_or_default();
        let (sender, _) = sender_of(row);
        let name = senders.iter().find(|choice| choice.value == sender).map(|choice| choice.name.clone());
        wire::SourceRow {
            slug: row.slug.clone(),
            sender: name.unwrap_or(sender),
            is_test: row.mode == Mode::Test,
            receive_url: receive_url(base, &row.slug),
            secrets,
            ends,
            last: stands.and_then(|row| row.last).map(Timestamp::from_micros),
            day: stands.map_or(0, |row| row.taken),
            rejected: self.rejected.get(&row.id).copied().unwrap_or_default(),
            held: stands.map_or(0, |row| row.held),
            unrouted: self.unrouted.get(&row.id).copied().unwrap_or_default(),
        }
    }
}

/// How to set up who sends; of a preset also what its signatures do not prove.
fn setup_of(row: &SourceRow, base: &str, lang: Lang) -> Setup {
    let (sender, _) = sender_of(row);
    let (provider, preset) = sender.split_once(':').unwrap_or((&sender, ""));
    let receive_url = receive_url(base, &row.slug);
    let mut steps = rotation_guide::first_steps(lang, provider, &receive_url);
    if let (Some(preset), Some(second)) = (presets::find(preset), steps.get_mut(1)) {
        let words = labels(preset, lang);
        words.setup.clone_into(second);
        steps.extend(words.caution.map(str::to_owned));
    }
    let title = fill(source_labels::labels(lang).set_up, &[row.slug.as_str()]);
    Setup { title, receive_url, steps }
}
