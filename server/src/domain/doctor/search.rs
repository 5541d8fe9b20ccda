//! Looks for what would have made a signature good: the fewest deviations first.

use super::{CandidateSecret, Case, Change, Interpretation, SecretEdit, body};
use crate::domain::signature::{Claim, Incoming, KeyForm};

/// Bytes that are signed at most before it is given up: a second or so.
const MOST_BYTES: usize = 256 << 20;

/// What would have been good.
pub(super) struct SearchMatch<'a> {
    pub(super) secret: &'a CandidateSecret<'a>,
    /// None: as the source reads it.
    pub(super) reading: Option<Interpretation>,
    /// None: the bytes that came.
    pub(super) change: Option<Change>,
    /// None: the address that the source has.
    pub(super) url: Option<String>,
}

pub(super) fn search<'a>(case: &Case<'a>, claims: &[Claim<'_>]) -> Option<SearchMatch<'a>> {
    let mut search = Search { case, claims, left: MOST_BYTES };
    let came = &case.incoming;
    if let Some((secret, reading)) = search.secret(came) {
        return Some(SearchMatch { secret, reading, change: None, url: None });
    }
    for url in urls(case) {
        let incoming = Incoming { url: Some(&url), ..*came };
        if let Some((secret, reading)) = search.secret(&incoming) {
            return Some(SearchMatch { secret, reading, change: None, url: Some(url) });
        }
    }
    if !case.policy.signs_body() {
        return None;
    }
    for (change, was) in body::before(came.body) {
        let incoming = Incoming { body: &was, ..*came };
        if let Some((secret, reading)) = search.secret(&incoming) {
            return Some(SearchMatch { secret, reading, change: Some(change), url: None });
        }
    }
    None
}

struct Search<'s, 'a> {
    case: &'s Case<'a>,
    claims: &'s [Claim<'s>],
    left: usize,
}

impl<'a> Search<'_, 'a> {
    /// The first secret that matches, read as the source does, or in another way.
    fn secret(
        &mut self,
        incoming: &Incoming<'_>,
    ) -> Option<(&'a CandidateSecret<'a>, Option<Interpretation>)> {
        let own = self.case.policy.key_form();
        for secret in self.case.secrets {
            if self.matches(own, secret.value, incoming) {
                return Some((secret, None));
            }
        }
        for reading in interpretations(own) {
            for secret in self.case.secrets {
                let Some(text) = edited(secret.value, reading.edit) else { continue };
                if self.matches(reading.form, &text, incoming) {
                    return Some((secret, Some(reading)));
                }
            }
        }
        None
    }

    fn matches(&mut self, form: KeyForm, secret: &str, incoming: &Incoming<'_>) -> bool {
        let cost = incoming.body.len() + 256;
        let Some(left) = self.left.checked_sub(cost) else { return false };
        self.left = left;
        let policy = self.case.policy;
        !self.claims.is_empty()
            && self.claims.iter().all(|claim| policy.matches(form, secret.as_bytes(), claim, incoming))
    }
}

fn interpretations(own: KeyForm) -> Vec<Interpretation> {
    let forms = || KeyForm::ALL.iter().copied();
    let mut readings: Vec<Interpretation> = forms()
        .filter(|form| *form != own)
        .map(|form| Interpretation { edit: SecretEdit::None, form })
        .collect();
    for edit in [SecretEdit::Trimmed, SecretEdit::WithoutPrefix, SecretEdit::WithLineEnd] {
        readings.extend(forms().map(|form| Interpretation { edit, form }));
    }
    readings
}

/// None: it would be the same text.
fn edited(secret: &str, edit: SecretEdit) -> Option<String> {
    match edit {
        SecretEdit::None => Some(secret.to_owned()),
        SecretEdit::Trimmed => Some(secret.trim()).filter(|text| *text != secret).map(str::to_owned),
        SecretEdit::WithoutPrefix => secret.strip_prefix("whsec_").map(str::to_owned),
        SecretEdit::WithLineEnd => Some(format!("{secret}\n")),
    }
}

/// Addresses near the one that the source has, for schemes that sign it.
fn urls(case: &Case<'_>) -> Vec<String> {
    let Some(ours) = case.incoming.url else { return Vec::new() };
    let other_end = match ours.strip_suffix('/') {
        Some(without) => without.to_owned(),
        None => format!("{ours}/"),
    };
    let other_scheme = |url: &str| match url.split_once("://") {
        Some(("https", rest)) => format!("http://{rest}"),
        Some(("http", rest)) => format!("https://{rest}"),
        _ => url.to_owned(),
    };
    let host = case.incoming.headers.get("host").and_then(|host| host.to_str().ok());
    let asked = host.map(|host| format!("https://{host}{}", case.target));
    let mut urls = vec![other_scheme(ours), other_scheme(&other_end), other_end];
    urls.extend(asked.as_deref().map(other_scheme));
    urls.extend(asked);
    urls.retain(|url| url != ours);
    urls
}
