//! What headers tell: which is missing or broken, whose they are, and what they came through.

use super::{Case, Finding};
use crate::domain::signature::{Claim, Flaw, FlawKind, Scheme};

/// Headers that proxies add, the most telling first.
const OF_PROXIES: &[&str] = &[
    "via",
    "forwarded",
    "cf-ray",
    "x-amzn-trace-id",
    "x-azure-ref",
    "x-cloud-trace-context",
    "fastly-client-ip",
    "x-forwarded-for",
    "x-real-ip",
];

/// What is wrong with headers that could not be read.
pub(super) fn flawed(case: &Case<'_>, flaw: &Flaw) -> Vec<Finding> {
    let headers = case.incoming.headers;
    let Some(name) = &flaw.header else { return vec![Finding::NoSignaturesInBody] };
    let written = written(name.as_str());
    match flaw.kind {
        FlawKind::Absent => {
            // That it is missing is what the sender was told: what came instead says more.
            let mut findings: Vec<Finding> = other_scheme(case).into_iter().collect();
            findings.push(Finding::HeaderMissing(written));
            findings
        }
        FlawKind::Repeated => {
            vec![Finding::HeaderRepeated(written, headers.get_all(name).iter().count())]
        }
        kind => {
            let length = headers.get(name).map_or(0, |value| value.as_bytes().len());
            // What is not there is missed at the end.
            let at = flaw.at.unwrap_or(length);
            vec![Finding::HeaderMalformed(written, kind, at + 1)]
        }
    }
}

/// The header of another scheme in place of ours.
fn other_scheme(case: &Case<'_>) -> Option<Finding> {
    let ours = case.policy.header_names();
    Scheme::ALL.iter().find_map(|scheme| {
        let names = scheme.policy().header_names();
        let signature = names.into_iter().find(|name| {
            !ours.contains(name) && is_telling(name.as_str()) && case.incoming.headers.contains_key(*name)
        })?;
        Some(Finding::OtherScheme(written(signature.as_str()), scheme.as_str()))
    })
}

/// Whether a header tells whose it is.
fn is_telling(name: &str) -> bool {
    ["signature", "hmac", "verif-hash"].iter().any(|word| name.contains(word))
}

/// A signature that cannot be right by its length or alphabet, where none can be.
pub(super) fn unreadable(case: &Case<'_>, claims: &[Claim<'_>]) -> Option<Finding> {
    let candidates = || claims.iter().flat_map(|claim| &claim.signatures);
    if candidates().any(|candidate| candidate.is_well_formed()) {
        return None;
    }
    let text = &candidates().next()?.text;
    let names = case.policy.header_names();
    let place = names.iter().find_map(|name| {
        let value = case.incoming.headers.get(*name)?.as_bytes();
        let at = match text.is_empty() {
            true => None,
            false => value.windows(text.len()).position(|window| window == &**text),
        };
        Some((written(name.as_str()), at?))
    });
    match place {
        Some((name, at)) => Some(Finding::SignatureUnreadable(name, at + 1, text.len())),
        None => Some(Finding::NoSignaturesInBody),
    }
}

/// A body that its header says is packed, and is not: it was unpacked on the way.
pub(super) fn unpacked(case: &Case<'_>) -> Option<Finding> {
    let named = case.incoming.headers.get("content-encoding")?.to_str().ok()?.trim();
    let (body, is) = (case.incoming.body, |name: &str| named.eq_ignore_ascii_case(name));
    let is_packed = match () {
        () if is("gzip") || is("x-gzip") => body.starts_with(&[0x1f, 0x8b]),
        () if is("zstd") => body.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]),
        // Neither of them begins with a mark; but neither of them is text.
        () if is("br") || is("deflate") => std::str::from_utf8(body).is_err(),
        () => true,
    };
    (!is_packed && !body.is_empty()).then(|| Finding::Unpacked(named.to_ascii_lowercase()))
}

/// The proxy that it came through, if there was one.
pub(super) fn proxy(case: &Case<'_>) -> Option<Finding> {
    OF_PROXIES.iter().find_map(|name| {
        let value = String::from_utf8_lossy(case.incoming.headers.get(*name)?.as_bytes()).into_owned();
        Some(Finding::Proxy(written(name), value.chars().take(80).collect()))
    })
}

/// A name as people write it.
pub(super) fn written(name: &str) -> String {
    let mut upper = true;
    name.chars()
        .map(|letter| {
            let shown = if upper { letter.to_ascii_uppercase() } else { letter };
            upper = letter == '-';
            shown
        })
        .collect()
}
