"""The vendor's own Python SDK against us: its client lists invoices of the sandbox with signed requests, and its
verifier takes our deliveries, also while a secret is being rotated."""

import json
import time
import uuid

import paymos
import pytest
from acuse import Acuse, Endpoint, wait_for

PROJECT = "prj_interop"


def client(acuse: Acuse, secret: str | None = None) -> paymos.Paymos:
    base_url = f"{acuse.base}/sandbox/paymos"
    return paymos.Paymos(acuse.api_key, secret or acuse.api_secret, base_url=base_url, max_retries=0)


def create(sdk: paymos.Paymos, project: str = PROJECT) -> dict:
    return sdk.invoices.create(
        project_id=project, amount="10.50", currency="USD", external_order_id=f"order-{uuid.uuid4()}"
    )


def register(acuse: Acuse, endpoint: Endpoint, **settings: object) -> tuple[str, str]:
    slug = f"interop-{uuid.uuid4().hex[:8]}"
    body = {"slug": slug, "url": endpoint.url, "format": "paymos", "sources": ["*"], "events": ["*"]} | settings
    return slug, acuse.call("POST", "/destinations", body)["secret"]


def delivery_of(invoice_id: str, status: str):
    return lambda _, body: (event := json.loads(body))["data"].get("invoice_id") == invoice_id and (
        event["event_type"] == f"invoice.{status}"
    )


def signatures(headers: dict) -> int:
    return headers["x-webhook-signature"].count("v1=")


def test_the_sdk_asks_for_the_time(acuse: Acuse) -> None:
    assert abs(client(acuse).system.time()["server_time"] - time.time()) <= 2


def test_the_sdk_lists_invoices_page_by_page(acuse: Acuse) -> None:
    sdk = client(acuse)
    begin = int(time.time()) - 1
    project = f"prj_{uuid.uuid4().hex}"
    made = {create(sdk, project)["invoice_id"] for _ in range(23)}
    window = {"created_from": begin, "created_to": int(time.time()) + 1}
    page = sdk.invoices.list(limit=10, project_id=project, **window)
    assert len(page["items"]) == 10 and page["next_cursor"]
    listed = list(sdk.invoices.iterate(limit=10, project_id=project, **window))
    assert [len(listed), {item["invoice_id"] for item in listed}] == [23, made]
    assert {"invoice_id", "project_id", "external_order_id", "status", "is_final", "is_test", "amount", "currency",
            "created_at"} <= listed[0].keys()
    assert list(sdk.invoices.iterate(project_id=project, status=["paid", "expired"], **window)) == []


def test_the_sdk_reads_the_other_lists(acuse: Acuse) -> None:
    sdk = client(acuse)
    wait_for(lambda: sdk.withdrawals.list(limit=1)["items"], 30)
    assert all(item["withdrawal_id"].startswith("wdr_") for item in sdk.withdrawals.iterate(limit=2))
    assert sdk.payment_channel_deposits.read()["next_cursor"]


def test_the_api_is_closed(acuse: Acuse) -> None:
    with pytest.raises(paymos.ApiError) as refused:
        client(acuse, "sk_test_wrong").invoices.list()
    assert [refused.value.status, refused.value.code] == [401, "invalid_signature"]
    with pytest.raises(paymos.ApiError) as unknown:
        client(acuse).request("GET", "/v1/invoices", query="?updated_from=1")
    assert unknown.value.status == 400 and "updated_from" in unknown.value.detail
    with pytest.raises(paymos.ApiError) as late:
        paymos.Paymos(acuse.api_key, acuse.api_secret, base_url=f"{acuse.base}/sandbox/paymos", max_retries=0,
                      clock=lambda: time.time() - 62).system.time()
    assert late.value.status == 401


def test_the_sdk_verifies_a_delivery(acuse: Acuse, endpoint: Endpoint) -> None:
    _, secret = register(acuse, endpoint)
    sdk = client(acuse)
    invoice = create(sdk)
    assert sdk.invoices.simulate_payment(invoice["invoice_id"], "paid")["status"] == "paid"
    headers, body = endpoint.next(delivery_of(invoice["invoice_id"], "paid"))
    event = paymos.WebhookVerifier(secret).construct_event(headers["x-webhook-signature"], body)
    assert event["event_id"] == headers["x-webhook-id"]
    assert event["data"]["status"] == "paid" and event["data"]["is_test"]
    assert signatures(headers) == 1
    assert not paymos.WebhookVerifier("whsec_another").verify(headers["x-webhook-signature"], body)
    assert not paymos.WebhookVerifier(secret).verify(headers["x-webhook-signature"], body + b" ")


def test_the_sdk_verifies_both_signatures_of_a_rotation(acuse: Acuse, endpoint: Endpoint) -> None:
    slug, old = register(acuse, endpoint)
    new = acuse.call("POST", f"/destinations/{slug}/secrets", {"overlap_s": 86400})["secret"]
    sdk = client(acuse)
    invoice = create(sdk)
    sdk.invoices.simulate_payment(invoice["invoice_id"], "overpaid")
    headers, body = endpoint.next(delivery_of(invoice["invoice_id"], "paid_over"))
    assert signatures(headers) == 2
    for secret in (old, new):
        paymos.WebhookVerifier(secret).assert_valid(headers["x-webhook-signature"], body)
    # Newest first: a receiver that reads one signature only knows the new secret already.
    first = headers["x-webhook-signature"].split(",v1=")
    assert paymos.WebhookVerifier(new).verify(f"{first[0]},v1={first[1]}", body)

    # The old one is retired: only the new one signs.
    listed = acuse.call("GET", f"/destinations/{slug}/secrets")["secrets"]
    oldest = min(listed, key=lambda one: one["created_at"])
    acuse.call("DELETE", f"/destinations/{slug}/secrets/{oldest['id']}")
    invoice = create(sdk)
    sdk.invoices.simulate_payment(invoice["invoice_id"], "cancel")
    headers, body = endpoint.next(delivery_of(invoice["invoice_id"], "cancelled"))
    assert signatures(headers) == 1
    assert paymos.WebhookVerifier(new).verify(headers["x-webhook-signature"], body)
    assert not paymos.WebhookVerifier(old).verify(headers["x-webhook-signature"], body)


def test_a_reconciliation_finds_what_the_sdk_was_told(acuse: Acuse) -> None:
    sdk = client(acuse)
    lost, known = create(sdk), create(sdk)
    acuse.sandbox("provider/faults", {"fault": "drop", "count": 1, "resource": lost["invoice_id"]})
    sdk.invoices.simulate_payment(lost["invoice_id"], "paid")
    wait_for(lambda: sdk.invoices.get(lost["invoice_id"])["status"] == "paid", 5)
    sdk.invoices.simulate_payment(known["invoice_id"], "underpay")
    wait_for(lambda: acuse.call("GET", f"/events?resource={known['invoice_id']}")["items"], 10)
    now = time.time()
    window = {"from": utc(now - 3600), "to": utc(now + 5)}
    run = acuse.call("POST", "/sources/paymos-sandbox/reconciliations", window)["id"]
    done = wait_for(lambda: finished(acuse, run), 20)
    assert [done["state"], done["error"] or ""] == ["done", ""]
    found = acuse.call("GET", f"/differences?resource={lost['invoice_id']}")["items"]
    assert [[one["kind"], one["theirs"], one["state"]] for one in found] == [["missing", "paid", "open"]]
    # The endpoints of the other tests are gone, so it is undelivered; but it came, and with its status.
    found = acuse.call("GET", f"/differences?resource={known['invoice_id']}")["items"]
    assert {one["kind"] for one in found} <= {"undelivered"}


def finished(acuse: Acuse, run: int) -> dict | None:
    told = acuse.call("GET", f"/reconciliations/{run}")
    return told if told["state"] != "running" else None


def utc(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
