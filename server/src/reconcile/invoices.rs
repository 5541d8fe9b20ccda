//! The books of Paymos: every invoice, with its state.

use std::collections::HashMap;
use std::sync::Arc;

use app::types::Timestamp;

use super::compare::{StoredRecords, compare, newest};
use super::run::{ComparisonResult, ListedPage, ProviderListing, Run, RunContext, RunError};
use crate::db::Db;
use crate::error::Failure;
use crate::provider::api::whole_seconds;
use crate::provider::paymos::client::{ABOUT, CreatedWindow, ListedInvoice, PaymosClient};
use crate::provider::problem::{ApiDescription, ApiError};
use crate::store::reconciliation as store;

/// Those of a window.
pub struct Invoices<'a> {
    run: &'a Run,
    client: PaymosClient,
    window: CreatedWindow,
}

impl<'a> Invoices<'a> {
    /// Asks for the time first: the API refuses who is far off.
    ///
    /// # Errors
    /// The API gave no answer that can be used.
    pub async fn open(run: &'a Run, tools: &RunContext) -> Result<Self, RunError> {
        let client = PaymosClient::new(&run.credentials, Arc::clone(&tools.clock))?;
        client.learn_clock().await?;
        Ok(Self { run, client, window: window(run.from, run.to) })
    }
}

impl ProviderListing for Invoices<'_> {
    type Row = ListedInvoice;
    const ABOUT: &'static ApiDescription = &ABOUT;

    async fn page(&self, cursor: Option<&str>) -> Result<ListedPage<ListedInvoice>, ApiError> {
        let page = self.client.invoices(self.window, cursor).await?;
        let window = self.run.from..self.run.to;
        let covers = |item: &ListedInvoice| window.contains(&Timestamp::from_unix(item.created_at));
        Ok(ListedPage { rows: page.items.into_iter().filter(covers).collect(), next: page.next_cursor })
    }

    async fn compare(
        &self,
        tools: &RunContext,
        items: &[ListedInvoice],
    ) -> Result<ComparisonResult, RunError> {
        let ours = load_stored(&tools.db, self.run.source.id, items).await?;
        Ok(ComparisonResult {
            resources: items.iter().map(|item| item.invoice_id.clone()).collect(),
            found: items.iter().flat_map(|item| compare(item, &ours)).collect(),
            backfilled: 0,
        })
    }
}

/// What we have of the resources of a page: two statements, and a third when some were paid late.
async fn load_stored(db: &Db, source_id: i64, items: &[ListedInvoice]) -> Result<StoredRecords, Failure> {
    let resources: Vec<_> = items.iter().map(|item| item.invoice_id.as_str()).collect();
    let mut ours = StoredRecords::default();
    for (resource, event) in store::newest_events(db, source_id, &resources).await? {
        ours.newest.entry(resource).or_default().push(event);
    }
    let events: Vec<_> = items.iter().filter_map(|item| Some(newest(item, &ours)?.id)).collect();
    let mut undelivered: HashMap<_, Vec<_>> = HashMap::new();
    for (event, delivery) in store::undelivered(db, &events).await? {
        undelivered.entry(event).or_default().push(delivery);
    }
    ours.undelivered = undelivered;
    let late: Vec<_> = items
        .iter()
        .filter(|item| item.paid_late_at.is_some())
        .map(|item| item.invoice_id.as_str())
        .collect();
    let bodies = store::bodies(db, source_id, &late).await?;
    ours.told_late =
        bodies.into_iter().filter(|(_, body)| is_paid_late(body)).map(|(resource, _)| resource).collect();
    Ok(ours)
}

fn is_paid_late(body: &[u8]) -> bool {
    let body: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    body["data"]["paid_late_at"].is_number()
}

/// The whole seconds of the window. The API wants its end after its begin: a window of one second is asked for with
/// the one after it, whose invoices are left out again.
fn window(from: Timestamp, to: Timestamp) -> CreatedWindow {
    let (first, last) = whole_seconds(from, to);
    CreatedWindow { from: first, to: last.max(first + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_whole_seconds_with_its_end_left_out() {
        let at = |micros| Timestamp::from_micros(micros);
        for (from, to, wanted) in [
            (10_000_000, 20_000_000, (10, 19)),
            (10_000_001, 20_000_001, (11, 20)),
            (10_000_000, 11_000_000, (10, 11)),
            (10_500_000, 10_600_000, (11, 12)),
        ] {
            let window = window(at(from), at(to));
            assert_eq!((window.from, window.to), wanted, "{from}..{to}");
        }
    }

    #[test]
    fn only_a_body_with_the_time_tells_of_a_late_payment() {
        assert!(is_paid_late(br#"{"data":{"paid_late_at":1700000000}}"#));
        for other in [&b"{\"data\":{\"paid_late_at\":null}}"[..], b"{\"data\":{}}", b"[]", b"\xff"] {
            assert!(!is_paid_late(other));
        }
    }
}
