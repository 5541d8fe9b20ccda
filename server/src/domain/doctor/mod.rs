//! Why an arrival was refused, found by trying what usually goes wrong: other secrets, other readings of the key, and
//! the body as it may have been before something on the way changed it. Pure, and run on demand only.

mod body;
mod headers;
mod search;
mod words;

#[cfg(test)]
mod tests;

use app::rejections::FindingKind;
use app::types::{Mode, Slug, Timestamp};

use super::signature::{Claim, FlawKind, Incoming, KeyForm, Policy};

pub use body::Change;
pub use words::{FindingText, describe, not_kept, still_refused};

/// What is to be examined.
#[derive(Debug)]
pub struct Case<'a> {
    /// How the source's sender signs.
    pub policy: &'a Policy,
    /// What came.
    pub incoming: Incoming<'a>,
    /// Path and query that were asked for.
    pub target: &'a str,
    /// Bytes that the body had, when not all of them are there.
    pub cut_from: Option<i64>,
    /// The header that is the secret itself and was not kept.
    pub left_out: Option<&'a str>,
    /// When it came, in Unix seconds.
    pub arrived_at: i64,
    /// Seconds that the sender's clock may be off; none: no window.
    pub tolerance: Option<i64>,
    /// Every secret that is known.
    pub secrets: &'a [CandidateSecret<'a>],
}

/// A secret that is known.
#[derive(Debug, Clone)]
pub struct CandidateSecret<'a> {
    /// How people tell it from others.
    pub name: String,
    /// Its text.
    pub value: &'a str,
    /// Whose it is.
    pub whose: SecretOwner,
}

/// Whose secret it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretOwner {
    /// The source's own, and it counts.
    Own,
    /// The source's own, and it ended.
    Ended(Timestamp),
    /// Another source's.
    Other(Slug, Mode),
}

/// How the text of a secret becomes a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interpretation {
    /// What is done to the text first.
    pub edit: SecretEdit,
    /// Then it is read so.
    pub form: KeyForm,
}

/// What people do to the text of a secret without knowing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretEdit {
    /// Nothing.
    None,
    /// The prefix `whsec_` is left away.
    WithoutPrefix,
    /// White space around it is left away.
    Trimmed,
    /// A line end comes after it.
    WithLineEnd,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The source was deleted.
    SourceGone,
    /// The source does not say how its sender signs.
    NoScheme,
    /// No secret of the source counts.
    NoActiveSecret,
    /// None of those that count can be read as a key.
    UnusableSecret(KeyForm),
    /// Not all of the body is there: kept, and how many there were.
    BodyNotWhole(usize, i64),
    /// This header is the secret itself, and was not kept.
    TokenNotKept(String),
    /// This header is the secret itself, and none of so many that are known.
    TokenUnknown(String, usize),
    /// A header that carries the signature is not there.
    HeaderMissing(String),
    /// The signature header of another scheme is there: header and scheme.
    OtherScheme(String, &'static str),
    /// A header is there so many times.
    HeaderRepeated(String, usize),
    /// A header is not of its form, from this character on.
    HeaderMalformed(String, FlawKind, usize),
    /// The body does not hold the signatures.
    NoSignaturesInBody,
    /// The signature of this header cannot be one, and how long it is.
    SignatureUnreadable(String, usize, usize),
    /// The time is ahead of ours by so many seconds, of so many that are allowed.
    TimeAhead(i64, i64),
    /// It is behind.
    TimeBehind(i64, i64),
    /// The time is in milliseconds.
    TimeInMilliseconds(i64),
    /// But for the time it is good.
    SignatureGood(String),
    /// With what counts now it is good.
    GoodNow(String),
    /// It matches a secret that ended then.
    ExpiredSecret(String, Timestamp),
    /// It matches a secret of another source.
    OtherSourceSecret(String, Slug, Mode),
    /// It matches when the key is read so, and not as the source does.
    OtherReading(String, Interpretation, KeyForm),
    /// It matches the body as it was before this change.
    BodyChanged(Change, String),
    /// It matches another address than the one that the source has.
    OtherUrl(String, String),
    /// There is no body.
    EmptyBody,
    /// The body is not packed as its header says.
    Unpacked(String),
    /// The time is right: so many seconds ahead, or behind when below zero, of so many that are allowed.
    TimeRight(i64, i64),
    /// A proxy was on the way: the header that tells, and what it says.
    Proxy(String, String),
    /// So many secrets were tried, and none matches in any way.
    NothingMatches(usize),
}

impl Finding {
    /// Its name for machines.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::SourceGone => "source_gone",
            Self::NoScheme => "no_scheme",
            Self::NoActiveSecret => "no_active_secret",
            Self::UnusableSecret(_) => "unusable_secret",
            Self::BodyNotWhole(..) => "body_not_whole",
            Self::TokenNotKept(_) => "token_not_kept",
            Self::TokenUnknown(..) => "token_unknown",
            Self::HeaderMissing(_) => "header_missing",
            Self::OtherScheme(..) => "other_scheme",
            Self::HeaderRepeated(..) => "header_repeated",
            Self::HeaderMalformed(..) => "header_malformed",
            Self::NoSignaturesInBody => "no_signatures_in_body",
            Self::SignatureUnreadable(..) => "signature_unreadable",
            Self::TimeAhead(..) => "time_ahead",
            Self::TimeBehind(..) => "time_behind",
            Self::TimeInMilliseconds(_) => "time_in_milliseconds",
            Self::SignatureGood(_) => "signature_good",
            Self::GoodNow(_) => "good_now",
            Self::ExpiredSecret(..) => "expired_secret",
            Self::OtherSourceSecret(..) => "other_source_secret",
            Self::OtherReading(..) => "other_key_reading",
            Self::BodyChanged(change, _) => change.code(),
            Self::OtherUrl(..) => "other_url",
            Self::EmptyBody => "empty_body",
            Self::Unpacked(_) => "body_unpacked",
            Self::TimeRight(..) => "time_right",
            Self::Proxy(..) => "proxy",
            Self::NothingMatches(_) => "nothing_matches",
        }
    }

    /// What it means for the arrival.
    pub const fn verdict(&self) -> FindingKind {
        match self {
            Self::SignatureGood(_) | Self::GoodNow(_) | Self::TimeRight(..) => FindingKind::Good,
            Self::Proxy(..)
            | Self::BodyNotWhole(..)
            | Self::TokenNotKept(_)
            | Self::TokenUnknown(..)
            | Self::NothingMatches(_) => FindingKind::Hint,
            _ => FindingKind::Cause,
        }
    }
}

/// Examines it: the cause first, then what else was seen.
pub fn examine(case: &Case<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = secrets(case).into_iter().collect();
    if let Some(header) = case.left_out {
        findings.push(Finding::TokenNotKept(headers::written(header)));
        return findings;
    }
    match case.policy.read(&case.incoming) {
        Err(flaw) => {
            findings.extend(headers::flawed(case, &flaw));
            findings.extend(empty_body(case));
            findings.extend(headers::proxy(case));
        }
        Ok(claims) => {
            let mut times = claims.iter().filter_map(|claim| claim.signed_at);
            let time = times.find_map(|at| time(at, case.arrived_at, case.tolerance));
            let is_late = time.is_some();
            findings.extend(time);
            if let Some(size) = case.cut_from {
                findings.push(Finding::BodyNotWhole(case.incoming.body.len(), size));
            } else {
                findings.extend(signature(case, &claims, is_late));
            }
            findings.extend(time_right(case, &claims).filter(|_| !is_late && is_refused(&findings)));
        }
    }
    findings
}

/// Whether something was found that is not good.
fn is_refused(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.verdict() != FindingKind::Good)
}

/// That it is not the clock: said after what it is.
fn time_right(case: &Case<'_>, claims: &[Claim<'_>]) -> Option<Finding> {
    let ahead = claims.first()?.signed_at?.saturating_sub(case.arrived_at);
    Some(Finding::TimeRight(ahead, case.tolerance?))
}

fn secrets(case: &Case<'_>) -> Option<Finding> {
    let form = case.policy.key_form();
    let own: Vec<_> = case.secrets.iter().filter(|secret| secret.whose == SecretOwner::Own).collect();
    match own.iter().any(|secret| form.of(secret.value.as_bytes()).is_some()) {
        true => None,
        false if own.is_empty() => Some(Finding::NoActiveSecret),
        false => Some(Finding::UnusableSecret(form)),
    }
}

fn empty_body(case: &Case<'_>) -> Option<Finding> {
    case.incoming.body.is_empty().then_some(Finding::EmptyBody)
}

/// What is wrong with a time, if anything.
fn time(signed_at: i64, arrived_at: i64, tolerance: Option<i64>) -> Option<Finding> {
    let tolerance = tolerance?;
    let ahead = signed_at.saturating_sub(arrived_at);
    if ahead.unsigned_abs() <= tolerance.unsigned_abs() {
        None
    } else if (signed_at / 1000).abs_diff(arrived_at) < 86_400 * 366 {
        Some(Finding::TimeInMilliseconds(signed_at))
    } else if ahead > 0 {
        Some(Finding::TimeAhead(ahead, tolerance))
    } else {
        Some(Finding::TimeBehind(ahead.saturating_neg(), tolerance))
    }
}

fn signature(case: &Case<'_>, claims: &[Claim<'_>], is_late: bool) -> Vec<Finding> {
    let mut findings: Vec<Finding> = headers::unreadable(case, claims).into_iter().collect();
    if !findings.is_empty() {
        findings.extend(headers::proxy(case));
        return findings;
    }
    let Some(found) = search::search(case, claims) else {
        let token = case.policy.token_header().map(|name| headers::written(name.as_str()));
        findings.extend(empty_body(case));
        findings.extend(headers::unpacked(case));
        findings.push(match token {
            Some(header) => Finding::TokenUnknown(header, case.secrets.len()),
            None => Finding::NothingMatches(case.secrets.len()),
        });
        findings.extend(headers::proxy(case));
        return findings;
    };
    let name = &found.secret.name;
    match &found.secret.whose {
        SecretOwner::Own => {}
        SecretOwner::Ended(at) => findings.push(Finding::ExpiredSecret(name.clone(), *at)),
        SecretOwner::Other(slug, mode) => {
            findings.push(Finding::OtherSourceSecret(name.clone(), slug.clone(), *mode));
        }
    }
    if let Some(reading) = found.reading {
        findings.push(Finding::OtherReading(name.clone(), reading, case.policy.key_form()));
    }
    if let Some(url) = found.url {
        let ours = case.incoming.url.unwrap_or_default().to_owned();
        findings.push(Finding::OtherUrl(url, ours));
    }
    if let Some(change) = found.change {
        findings.push(Finding::BodyChanged(change, name.clone()));
        findings.extend(headers::proxy(case));
    }
    if findings.is_empty() {
        findings.push(match is_late {
            true => Finding::SignatureGood(name.clone()),
            false => Finding::GoodNow(name.clone()),
        });
    }
    findings
}
