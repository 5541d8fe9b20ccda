//! Posts the simulated provider's webhooks: signed afresh at each attempt with every secret of the source, newest
//! first, on the provider's ladder in seconds instead of minutes, and with the faults that it is told to have.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use app::types::Slug;
use bytes::Bytes;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::words::Fault;
use crate::clock::SharedClock;
use crate::domain::secret::{SecretValue, active};
use crate::registry::Registry;

const TIMEOUT: Duration = Duration::from_secs(10);
/// The gaps of the provider's ladder, a second for a minute.
const GAPS: [u64; 10] = [1, 2, 4, 8, 16, 32, 60, 120, 240, 480];
/// Webhooks that wait for another attempt; more are given up.
const MOST_WAITING: usize = 256;
const MOST_ARMED: usize = 1000;
const DELAY: Duration = Duration::from_secs(5);
const LONGEST_HOLD: Duration = Duration::from_secs(20);

/// One event on its way. Its bytes are the same at every attempt.
#[derive(Debug, Clone)]
pub struct Webhook {
    /// `evt_…`.
    pub event_id: String,
    /// What it tells of.
    pub resource: String,
    /// What is posted.
    pub body: Bytes,
}

/// Posts webhooks to one source. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sender(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    http: reqwest::Client,
    clock: SharedClock,
    registry: Arc<Registry>,
    source: Slug,
    url: String,
    shutdown: CancellationToken,
    waiting: Arc<Semaphore>,
    /// Secrets that it was told; none: those that the source has.
    told: Mutex<Option<Vec<SecretValue>>>,
    armed: Mutex<VecDeque<(Option<String>, Fault)>>,
    held: Mutex<HashMap<String, Webhook>>,
    posted: AtomicU64,
    accepted: AtomicU64,
}

/// What it has done since the start.
#[derive(Debug, Clone, Copy, serde::Serialize)]
pub struct Counts {
    /// Attempts.
    pub posted: u64,
    /// Attempts that were answered 2xx.
    pub accepted: u64,
}

impl Sender {
    /// Posts to `url` what the source's provider would.
    pub fn new(
        clock: SharedClock,
        registry: Arc<Registry>,
        source: Slug,
        url: String,
        shutdown: CancellationToken,
    ) -> reqwest::Result<Self> {
        // The second one to install it is told so, and need not care.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .timeout(TIMEOUT)
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .user_agent("Paymos-Sandbox/1")
            .build()?;
        Ok(Self(Arc::new(Inner {
            http,
            clock,
            registry,
            source,
            url,
            shutdown,
            waiting: Arc::new(Semaphore::new(MOST_WAITING)),
            told: Mutex::default(),
            armed: Mutex::default(),
            held: Mutex::default(),
            posted: AtomicU64::new(0),
            accepted: AtomicU64::new(0),
        })))
    }

    /// Signs with these from now on; none: with those that the source has.
    pub fn set_secrets(&self, secrets: Option<Vec<SecretValue>>) {
        *lock(&self.0.told) = secrets;
    }

    /// The next webhooks have this fault, so many of them; with a resource, the next ones of that one.
    pub fn add_fault(&self, fault: Fault, count: usize, resource: Option<&str>) {
        let one = (resource.map(str::to_owned), fault);
        let mut armed = lock(&self.0.armed);
        armed.extend(std::iter::repeat_n(one, count));
        armed.truncate(MOST_ARMED);
    }

    fn fault_for(&self, resource: &str) -> Fault {
        let mut armed = lock(&self.0.armed);
        let place = armed.iter().position(|(of, _)| of.as_deref().is_none_or(|of| of == resource));
        place.and_then(|place| armed.remove(place)).map_or(Fault::None, |(_, fault)| fault)
    }

    /// What it has done.
    pub fn counts(&self) -> Counts {
        Counts {
            posted: self.0.posted.load(Ordering::Relaxed),
            accepted: self.0.accepted.load(Ordering::Relaxed),
        }
    }

    /// Sends it; comes back after the first attempt, the others are made later.
    pub async fn announce(&self, webhook: Webhook, fault: Fault) {
        let fault = match fault {
            Fault::None => self.fault_for(&webhook.resource),
            fault => fault,
        };
        let earlier = lock(&self.0.held).remove(&webhook.resource);
        match fault {
            Fault::Drop => {}
            Fault::None => self.first_attempt(webhook, true).await,
            Fault::Alter => self.first_attempt(webhook, false).await,
            Fault::Duplicate => {
                tokio::join!(self.first_attempt(webhook.clone(), true), self.first_attempt(webhook, true));
            }
            Fault::Reorder => self.hold(webhook),
            Fault::Delay => {
                let sender = self.clone();
                tokio::spawn(async move {
                    if sender.sleep(DELAY).await {
                        sender.first_attempt(webhook, true).await;
                    }
                });
            }
        }
        if let Some(earlier) = earlier {
            self.first_attempt(earlier, true).await;
        }
    }

    /// Keeps it until the next one of its resource has gone out, but not for ever.
    fn hold(&self, webhook: Webhook) {
        let resource = webhook.resource.clone();
        lock(&self.0.held).insert(resource.clone(), webhook);
        let sender = self.clone();
        tokio::spawn(async move {
            sender.sleep(LONGEST_HOLD).await;
            let held = lock(&sender.0.held).remove(&resource);
            if let Some(webhook) = held {
                sender.first_attempt(webhook, true).await;
            }
        });
    }

    async fn first_attempt(&self, webhook: Webhook, is_intact: bool) {
        if self.post(&webhook, is_intact).await {
            return;
        }
        let Ok(place) = Arc::clone(&self.0.waiting).try_acquire_owned() else {
            tracing::warn!(event.id = webhook.event_id, "the sandbox gave up a webhook: too many wait");
            return;
        };
        let sender = self.clone();
        tokio::spawn(async move {
            let _place = place;
            for gap in GAPS {
                if !sender.sleep(Duration::from_secs(gap)).await || sender.post(&webhook, is_intact).await {
                    return;
                }
            }
        });
    }

    /// One attempt; whether it was answered 2xx.
    async fn post(&self, webhook: &Webhook, is_intact: bool) -> bool {
        let timestamp = self.0.clock.now().unix();
        let body = if is_intact { webhook.body.clone() } else { altered(&webhook.body) };
        self.0.posted.fetch_add(1, Ordering::Relaxed);
        let answer = self
            .0
            .http
            .post(&self.0.url)
            .header("Content-Type", "application/json; charset=utf-8")
            .header("X-Webhook-Id", &webhook.event_id)
            .header("X-Webhook-Timestamp", timestamp)
            .header("X-Webhook-Signature", sign(&self.secrets(), timestamp, &webhook.body))
            .body(body)
            .send()
            .await;
        let is_accepted = answer.is_ok_and(|answer| answer.status().is_success());
        self.0.accepted.fetch_add(u64::from(is_accepted), Ordering::Relaxed);
        is_accepted
    }

    fn secrets(&self) -> Vec<SecretValue> {
        if let Some(told) = lock(&self.0.told).clone() {
            return told;
        }
        let now = self.0.clock.now();
        let source = self.0.registry.source(&self.0.source);
        source
            .map(|source| {
                active(&source.secrets, now).into_iter().map(|secret| secret.value.clone()).collect()
            })
            .unwrap_or_default()
    }

    /// False: the process ends.
    async fn sleep(&self, time: Duration) -> bool {
        tokio::select! {
            () = tokio::time::sleep(time) => true,
            () = self.0.shutdown.cancelled() => false,
        }
    }
}

/// The header: one signature for each secret.
fn sign(secrets: &[SecretValue], timestamp: i64, body: &[u8]) -> String {
    let mut header = format!("t={timestamp}");
    for secret in secrets {
        let Ok(mac) = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()) else { continue };
        let mac = mac.chain_update(format!("{timestamp}.")).chain_update(body);
        header.push_str(",v1=");
        header.push_str(&hex::encode(mac.finalize().into_bytes()));
    }
    header
}

/// As a proxy that means well: the same JSON, and other bytes.
fn altered(body: &[u8]) -> Bytes {
    [body, b"\n"].concat().into()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_as_the_vendor_does() {
        let body = br#"{"event_id":"evt_123","event_type":"invoice.paid","version":1,"occurred_at":1700000000,"data":{"invoice_id":"inv_123"}}"#;
        let secrets = ["whsec_new_secret", "whsec_test_secret"].map(SecretValue::new);
        assert_eq!(
            sign(&secrets, 1_700_000_000, body),
            "t=1700000000,v1=802d6499ee15ecb2c3e1d9d39e2753530c62283694e41ed75c2c6a6141e055ff,\
             v1=8f62822925c2d12af1b822edcc1e9392ce064c20d003cbbc11f131485348005b"
        );
    }
}
