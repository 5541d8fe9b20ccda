//! The merchant API of the simulated provider, below `/sandbox/paymos`.

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::account::{Problem, signed_only};
use super::list::{page, read_query};
use super::withdrawal::{REFUND, WITHDRAWAL, WithdrawalEnd, listed};
use super::words::{Fault, Stage};
use super::{INVOICE, Provider, Webhook, read};
use crate::sandbox::records as store;

/// The routes, for requests that the account has signed.
pub fn router(provider: Provider) -> Router {
    let signed = axum::middleware::from_fn_with_state(provider.clone(), signed_only);
    Router::new()
        .route("/v1/time", get(time))
        .route("/v1/invoices", get(list_invoices).post(create_invoice))
        .route("/v1/invoices/{id}", get(get_invoice))
        .route("/v1/invoices/{id}/cancel", post(cancel_invoice))
        .route("/v1/sandbox/invoices/{id}/simulate-payment", post(simulate_payment))
        .route("/v1/withdrawals", get(list_withdrawals))
        .route("/v1/withdrawals/{id}", get(get_withdrawal))
        .route("/v1/sandbox/withdrawals/{id}/simulate-completion", post(simulate_completion))
        .route("/v1/refunds", get(list_refunds))
        .route("/v1/refunds/{id}", get(get_withdrawal))
        .route("/v1/sandbox/refunds/{id}/simulate", post(simulate_refund))
        .route("/v1/payment-channel-deposits", get(list_deposits))
        .fallback(async || Problem::new(StatusCode::NOT_FOUND, "not_found", "no such call in the sandbox"))
        .layer(signed)
        .with_state(provider)
}

type Answer = Result<Response, Problem>;

async fn time(State(provider): State<Provider>, RawQuery(query): RawQuery) -> Answer {
    read_query(&query.unwrap_or_default(), &[])?;
    Ok(Json(json!({ "server_time": provider.unix_now() })).into_response())
}

async fn list_invoices(State(provider): State<Provider>, RawQuery(query): RawQuery) -> Answer {
    const NAMES: &[&str] =
        &["limit", "cursor", "status", "external_order_id", "project_id", "created_from", "created_to"];
    let asked = read_query(&query.unwrap_or_default(), NAMES)?;
    let records = store::list(&provider.0.db, INVOICE, &asked.filter, asked.limit + 1).await?;
    Ok(Json(page(records, asked.limit, |record| Some(read(&record.body)?.listed()))).into_response())
}

async fn list_withdrawals(provider: State<Provider>, RawQuery(query): RawQuery) -> Answer {
    const NAMES: &[&str] = &["limit", "cursor", "status", "external_order_id", "created_from", "created_to"];
    list_stored(&provider, WITHDRAWAL, query, NAMES).await
}

async fn list_refunds(provider: State<Provider>, RawQuery(query): RawQuery) -> Answer {
    list_stored(&provider, REFUND, query, &["limit", "cursor", "status"]).await
}

async fn list_stored(provider: &Provider, kind: &str, query: Option<String>, names: &[&str]) -> Answer {
    let asked = read_query(&query.unwrap_or_default(), names)?;
    let records = store::list(&provider.0.db, kind, &asked.filter, asked.limit + 1).await?;
    Ok(Json(page(records, asked.limit, |record| listed(&record.body))).into_response())
}

/// A feed without an end: an empty page gives its cursor back. The sandbox has no payment channels.
async fn list_deposits(RawQuery(query): RawQuery) -> Answer {
    const NAMES: &[&str] = &["limit", "cursor", "project_id", "payment_channel_id", "confirmed_from"];
    let query = query.unwrap_or_default();
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        if !NAMES.contains(&name.as_ref()) {
            return Err(Problem::invalid(format!("unknown query parameter {name:?}")));
        }
        if name == "cursor" && value != "feed-0" {
            return Err(Problem::invalid("the cursor is none of this feed"));
        }
    }
    Ok(Json(json!({ "items": [], "next_cursor": "feed-0" })).into_response())
}

async fn get_invoice(State(provider): State<Provider>, Path(id): Path<String>) -> Answer {
    let invoice = provider.invoice(&id).await?.ok_or_else(|| Problem::not_found(&id))?;
    Ok(Json(invoice).into_response())
}

async fn create_invoice(State(provider): State<Provider>, body: Bytes) -> Answer {
    let asked: super::invoice::NewInvoice = decode(&body)?;
    let amount: rust_decimal::Decimal =
        asked.amount.parse().map_err(|_| Problem::invalid("amount is not a decimal"))?;
    if amount <= rust_decimal::Decimal::ZERO || asked.external_order_id.is_empty() {
        return Err(Problem::invalid("amount must be over 0, and external_order_id must be given"));
    }
    let (invoice, is_new) = provider.create(asked).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(invoice)).into_response())
}

async fn cancel_invoice(State(provider): State<Provider>, Path(id): Path<String>, body: Bytes) -> Answer {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Body {
        reason: String,
    }
    let asked: Body = decode(&body)?;
    if asked.reason.trim().is_empty() || asked.reason.chars().count() > 500 {
        return Err(Problem::invalid("reason is 1 to 500 characters"));
    }
    simulate(&provider, &id, Stage::Cancel).await
}

async fn simulate_payment(State(provider): State<Provider>, Path(id): Path<String>, body: Bytes) -> Answer {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Body {
        stage: Stage,
    }
    let asked: Body = decode(&body)?;
    simulate(&provider, &id, asked.stage).await
}

async fn simulate(provider: &Provider, id: &str, stage: Stage) -> Answer {
    let (invoice, webhook) = provider.simulate(id, stage).await?;
    if let Some(webhook) = webhook {
        announce(provider, webhook);
    }
    Ok(Json(invoice).into_response())
}

async fn get_withdrawal(State(provider): State<Provider>, Path(id): Path<String>) -> Answer {
    let (_, data) = provider.withdrawal(&id).await?.ok_or_else(|| Problem::not_found(&id))?;
    Ok(Json(data).into_response())
}

async fn simulate_completion(State(provider): State<Provider>, Path(id): Path<String>) -> Answer {
    end_withdrawal(&provider, &id, WithdrawalEnd::Completed).await
}

async fn simulate_refund(State(provider): State<Provider>, Path(id): Path<String>, body: Bytes) -> Answer {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Body {
        stage: String,
    }
    let asked: Body = decode(&body)?;
    let ending = match asked.stage.as_str() {
        "completed" => WithdrawalEnd::Completed,
        "failed" => WithdrawalEnd::Failed,
        "cancelled" => WithdrawalEnd::Cancelled,
        _ => return Err(Problem::invalid("stage is completed, failed or cancelled")),
    };
    end_withdrawal(&provider, &id, ending).await
}

async fn end_withdrawal(provider: &Provider, id: &str, ending: WithdrawalEnd) -> Answer {
    let (data, webhook) = provider.end_withdrawal(id, ending).await?;
    announce(provider, webhook);
    Ok(Json(data).into_response())
}

/// The API answers before the webhook goes out.
fn announce(provider: &Provider, webhook: Webhook) {
    let sender = provider.sender().clone();
    tokio::spawn(async move { sender.announce(webhook, Fault::None).await });
}

fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(body).map_err(|error| Problem::invalid(format!("the body is not valid: {error}")))
}
