//! The sandbox: a provider and a merchant over real HTTP on loopback, in the same process. Nothing of it exists
//! without the flag: its routes are not there, and its tables are made when it starts.

pub mod provider;
pub mod records;
mod setup;
pub mod shop;
mod traffic;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use anyhow::Context;
use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::clock::SharedClock;
use crate::db::Db;
use crate::notify::Notifiers;
use crate::reconcile::Reconciler;
use crate::registry::Registry;
use crate::vault::Vault;
use provider::{Provider, Sender};
use shop::Shop;
use traffic::Traffic;

/// What the sandbox is made of.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The same as the gateway's.
    pub db: Db,
    /// Seals what the sandbox keeps.
    pub vault: Arc<Vault>,
    /// The same as the gateway's.
    pub clock: SharedClock,
    /// Where its source and destinations are.
    pub registry: Arc<Registry>,
    /// Told of new destinations.
    pub notifiers: Notifiers,
    /// Reconciles once by itself.
    pub reconciler: Reconciler,
    /// Where this process is reached from itself: `http://127.0.0.1:3000`.
    pub base: String,
    /// When to end.
    pub shutdown: CancellationToken,
}

/// The sandbox. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sandbox {
    parts: Parts,
    provider: Provider,
    shop: Shop,
    traffic: Traffic,
}

/// Where a process that listens here reaches itself.
pub fn base_url(listen: SocketAddr) -> String {
    format!("http://{}", SocketAddr::new(address(listen), listen.port()))
}

/// The address of it.
pub fn address(listen: SocketAddr) -> IpAddr {
    match listen.ip() {
        IpAddr::V4(address) if address.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(address) if address.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        address => address,
    }
}

impl Sandbox {
    /// Made before there are tables, so that its routes can be mounted; `run` brings it to life.
    ///
    /// # Errors
    /// No HTTP client can be made.
    pub fn new(parts: Parts) -> anyhow::Result<Self> {
        let url = format!("{}/webhooks/{}", parts.base, setup::SOURCE);
        let sender = Sender::new(
            Arc::clone(&parts.clock),
            Arc::clone(&parts.registry),
            setup::SOURCE.parse().context("the sandbox's source")?,
            url,
            parts.shutdown.clone(),
        )
        .context("the sandbox's HTTP client")?;
        let provider = Provider::new(parts.db.clone(), Arc::clone(&parts.clock), sender);
        let shop = Shop::new(
            parts.db.clone(),
            Arc::clone(&parts.clock),
            Arc::clone(&parts.registry),
            parts.shutdown.clone(),
        );
        let traffic = Traffic::new(parts.clone(), provider.clone(), shop.clone());
        Ok(Self { parts, provider, shop, traffic })
    }

    /// The simulated provider.
    pub const fn provider(&self) -> &Provider {
        &self.provider
    }

    /// The simulated merchant.
    pub const fn shop(&self) -> &Shop {
        &self.shop
    }

    /// Its routes, to be mounted at `/sandbox`, past every layer that asks for a session.
    pub fn router(&self) -> Router {
        let control = Router::new()
            .route("/traffic", post(set_traffic))
            .with_state(self.traffic.clone())
            .merge(provider::control_router(self.provider.clone()));
        Router::new()
            .nest("/paymos", provider::router(self.provider.clone()))
            .nest("/provider", control)
            .merge(shop::router(self.shop.clone()))
    }

    /// Makes what is not there yet and prints the credentials. Needs the tables.
    ///
    /// # Errors
    /// The database does not answer, or something of the sandbox's cannot be made.
    pub async fn start(&self) -> anyhow::Result<()> {
        let welcome = setup::set_up(&self.parts).await?;
        self.provider.open_account(welcome.account.clone());
        welcome.print();
        Ok(())
    }

    /// Makes traffic until the end.
    pub async fn run_traffic(self) {
        self.traffic.run(self.parts.shutdown.clone()).await;
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetTraffic {
    running: bool,
}

async fn set_traffic(State(traffic): State<Traffic>, Json(asked): Json<SetTraffic>) -> Json<Value> {
    traffic.set_running(asked.running);
    Json(json!({ "running": traffic.is_running() }))
}
