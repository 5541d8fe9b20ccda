//! English.

use app::types::{NotKept, RejectionReason};

use super::{Finding, Interpretation, KeyForm, SecretEdit, length, mode, moment, seconds};
use crate::domain::doctor::Change;
use crate::domain::signature::FlawKind;

/// Who to ask for when a body was changed.
const UNTOUCHED: &str = "Something between the sender and Acuse rewrites bodies: ask whoever runs it to pass \
                         them through unchanged.";

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn describe(finding: &Finding) -> (String, String) {
    match finding {
        Finding::SourceGone => ("The source was deleted".to_owned(), "The source that rejected it was deleted. Create one with the same name and the provider’s secret, then verify again.".to_owned()),
        Finding::NoScheme => (
            "The source does not say how its sender signs".to_owned(),
            "The settings of the source do not say how its sender signs, so it rejects everything. Set its scheme, then verify again.".to_owned(),
        ),
        Finding::NoActiveSecret => (
            "The source has no active secret".to_owned(),
            "The source has no active secret, so it rejects everything. Paste the secret that the provider shows for \
             this endpoint, then verify again."
                .to_owned(),
        ),
        Finding::UnusableSecret(form) => (
            "The secret cannot be read".to_owned(),
            format!(
                "No active secret of the source can be read as {}. Copy it from the provider once more, all of it and \
                 nothing else, then verify again.",
                key_form(*form)
            ),
        ),
        Finding::BodyNotWhole(kept, size) => (
            "The body is not stored in full".to_owned(),
            format!(
                "Only the first {kept} of its {size} bytes are stored, so its signature cannot be checked and it cannot be \
                 imported. Ask the provider to resend it when the cause is fixed."
            ),
        ),
        Finding::TokenNotKept(header) => (
            "The secret that arrived is not stored".to_owned(),
            format!(
                "This sender signs nothing: the header {header} is the secret itself, and is never stored. So it cannot be \
                 checked or imported. Compare the secret at the sender with the one of this source, then ask for a \
                 resend."
            ),
        ),
        Finding::TokenUnknown(header, secrets) => (
            "No secret matches the one that arrived".to_owned(),
            format!(
                "This sender signs nothing: the header {header} is the secret itself. {} None matches the one that arrived. \
                 Compare the secret at the sender with the one of this source.",
                tried(*secrets)
            ),
        ),
        Finding::HeaderMissing(header) => (
            format!("{header} is missing"),
            format!(
                "The header {header} did not arrive. Either the sender is not the provider of this source, or a proxy \
                 removes the header: configure it to pass {header}."
            ),
        ),
        Finding::OtherScheme(header, scheme) => (
            format!("{header} was sent instead"),
            format!(
                "It carries {header}, which belongs to the scheme {scheme}. Check at that provider to which address \
                 it sends: it should be the receive URL of a source of that kind."
            ),
        ),
        Finding::HeaderRepeated(header, times) => (
            format!("{header} was sent {times} times"),
            format!(
                "The header {header} came {times} times and must come once. A proxy probably adds it again: configure \
                 the proxy to leave it unchanged."
            ),
        ),
        Finding::HeaderMalformed(header, kind, at) => (
            format!("{header} is malformed at character {at}"),
            format!(
                "The header {header} is malformed at character {at}: {}. Either a proxy changes it, or the sender is \
                 not the provider of this source.",
                flaw(*kind)
            ),
        ),
        Finding::NoSignaturesInBody => (
            "The body contains no signatures".to_owned(),
            "This provider puts its signatures into the body, and there are none in this one. Either HMAC signatures \
             are not enabled at the provider, or something else sent it."
                .to_owned(),
        ),
        Finding::SignatureUnreadable(header, at, length) => (
            format!("The signature at character {at} of {header} cannot be one"),
            format!(
                "In the header {header}, the {length} characters from character {at} on have the wrong length or \
                 alphabet for a signature of this provider. It was cut or rewritten on the way, or created in \
                 another way: ask the sender to log the header that it sends, and compare."
            ),
        ),
        Finding::TimeAhead(by, tolerance) => (
            format!("The sender’s clock is {} ahead of ours", length(*by)),
            format!(
                "The time in the signature is {} ahead of our clock; {} are allowed. Check that the clock \
                 of this server is right. If it is, and more of these come, allow more seconds at this source, then \
                 verify again.",
                seconds(*by),
                seconds(*tolerance)
            ),
        ),
        Finding::TimeBehind(by, tolerance) => (
            format!("It was signed {} before it arrived", length(*by)),
            format!(
                "The time in the signature is {} behind our clock; {} are allowed. Either it was delayed on the \
                 way, or someone replays an old request, or a clock is wrong. Check the clock of this server, \
                 then ask the sender why it was late.",
                seconds(*by),
                seconds(*tolerance)
            ),
        ),
        Finding::TimeInMilliseconds(time) => (
            "The time is in milliseconds".to_owned(),
            format!(
                "The time in the signature is {time}, which counts milliseconds; this provider counts seconds. Have \
                 the sender divide by 1000 before it signs."
            ),
        ),
        Finding::SignatureGood(secret) => (
            "The signature matches".to_owned(),
            format!(
                "Except for the time it is valid: the secret {secret} of this source signed exactly the bytes that arrived."
            ),
        ),
        Finding::GoodNow(secret) => (
            "It is valid now".to_owned(),
            format!("It is valid with the current secrets: the secret {secret} signed it. Verify it again to store it."),
        ),
        Finding::ExpiredSecret(secret, since) => (
            format!("Signed with the secret {secret}, which expired on {}", moment(*since)),
            format!(
                "It was signed with the secret {secret} of this source, which expired on {}. Look \
                 at the endpoints at the provider: one of them still signs with the old secret. Before you bring it \
                 back, find out why it was retired.",
                moment(*since)
            ),
        ),
        Finding::OtherSourceSecret(secret, source, its_mode) => (
            format!("Signed with the secret of {source}"),
            format!(
                "It was signed with the secret {secret}, which belongs to the source {source} ({}). At the provider, \
                 point this endpoint to /webhooks/{source}, or paste its secret here if it was pasted there by \
                 mistake.",
                mode(*its_mode)
            ),
        ),
        Finding::OtherReading(secret, reading, ours) => (
            "The secret is read in another way".to_owned(),
            format!(
                "It matches when the secret {secret} is read as {}; this source reads it as {}. Set this source to \
                 the scheme that reads it so, or paste the secret in that form.",
                self::reading(*reading),
                key_form(*ours)
            ),
        ),
        Finding::BodyChanged(change, secret) => {
            let (title, how) = self::change(*change);
            (title.to_owned(), format!("{how} it matches the secret {secret}. {UNTOUCHED}"))
        }
        Finding::OtherUrl(url, ours) => (
            "It was signed for another address".to_owned(),
            format!(
                "This provider signs the address that it posts to. It matches {url}; this source has {ours}. Make the \
                 two the same, letter by letter."
            ),
        ),
        Finding::EmptyBody => (
            "The body is empty".to_owned(),
            "No body arrived. A redirect or a proxy in front drops it: have the provider post to the receive URL itself, \
             letter by letter, with https and without a slash at the end."
                .to_owned(),
        ),
        Finding::Unpacked(encoding) => (
            "The body was unpacked on its way".to_owned(),
            format!(
                "Its header says that the body is packed with {encoding}, and it is not: something between the sender \
                 and Acuse unpacked it. Have whoever runs it pass bodies through untouched, then have it sent again."
            ),
        ),
        Finding::TimeRight(by, tolerance) => (
            "The time is right".to_owned(),
            format!(
                "The time in the signature is {} from our clock; {} are allowed. It is not the clock.",
                length(by.saturating_abs()),
                length(*tolerance)
            ),
        ),
        Finding::Proxy(header, value) => (
            "It came through a proxy".to_owned(),
            format!(
                "It came through a proxy ({header}: {value}). Proxies that unpack, filter or rewrite bodies or headers \
                 break signatures: look there first."
            ),
        ),
        Finding::NothingMatches(secrets) => (
            "It was signed with a secret that is not known here".to_owned(),
            format!(
                "{} None matches this signature, in any encoding, nor with the usual changes to a body on its way. Copy \
                 the secret of this endpoint at the provider and paste it here as a new one. If that is the one that \
                 is here already, something on the way rewrote the body: ask whoever runs it.",
                tried(*secrets)
            ),
        ),
    }
}

fn tried(secrets: usize) -> String {
    match secrets {
        1 => "1 secret was tried.".to_owned(),
        secrets => format!("{secrets} secrets were tried."),
    }
}

pub(super) const fn not_kept(part: NotKept) -> &'static str {
    match part {
        NotKept::Body => {
            "It cannot be verified again: it is too large to be stored in full. Ask the sender to resend it when the cause \
             is fixed."
        }
        NotKept::Token => {
            "It cannot be verified again: it carries the secret itself in a header, which is never stored. Ask the sender \
             to resend it when the cause is fixed."
        }
    }
}

pub(super) const fn still_refused(reason: RejectionReason) -> &'static str {
    match reason {
        RejectionReason::SignatureMismatch => {
            "None of the current secrets matches its signature. Its page shows which one would."
        }
        RejectionReason::TimestampTooOld => {
            "It was signed too long before it arrived. Increase the clock tolerance of the source if that is expected, then verify again."
        }
        RejectionReason::TimestampTooNew => {
            "Its time is too far ahead of this server’s clock. Increase the clock tolerance of the source if that is expected, then verify again."
        }
        RejectionReason::MissingHeader => {
            "The header with its signature is missing, so no secret can verify it. Find what removes the header, then ask for a resend."
        }
        RejectionReason::MalformedHeader => {
            "The header with its signature is malformed, so no secret can verify it. Its page shows where."
        }
        RejectionReason::BadSecret => {
            "The source has no secret that can verify it. Paste the one of this endpoint, then verify again."
        }
    }
}

const fn key_form(form: KeyForm) -> &'static str {
    match form {
        KeyForm::Raw => "text, letter for letter",
        KeyForm::Base64 => "base64",
        KeyForm::Hex => "hexadecimal digits",
    }
}

fn reading(reading: Interpretation) -> String {
    let form = key_form(reading.form);
    match reading.edit {
        SecretEdit::None => form.to_owned(),
        SecretEdit::WithoutPrefix => format!("{form}, without its beginning whsec_"),
        SecretEdit::Trimmed => format!("{form}, without the white space around it"),
        SecretEdit::WithLineEnd => format!("{form}, with a line end after it"),
    }
}

const fn flaw(kind: FlawKind) -> &'static str {
    match kind {
        FlawKind::Absent => "it is missing",
        FlawKind::Repeated => "it appears more than once",
        FlawKind::NoTime => "there is no time in it",
        FlawKind::TwoTimes => "a second time begins there",
        FlawKind::NotATime => "the time is not a number of 1 to 18 digits",
        FlawKind::NoSignature => "there is no signature in it",
        FlawKind::NoPrefix => "the signature does not begin as it must",
        FlawKind::NoId => "the id is empty",
        FlawKind::NotTheBody => "the body is not the JSON that holds the signatures",
    }
}

const fn change(change: Change) -> (&'static str, &'static str) {
    match change {
        Change::LineEndsToCrLf => ("Line ends were changed", "With LF in place of CR LF at the line ends"),
        Change::LineEndsToLf => ("Line ends were changed", "With CR LF in place of LF at the line ends"),
        Change::BomAdded => ("A byte order mark was added", "Without the byte order mark at its beginning"),
        Change::BomLost => ("A byte order mark was lost", "With a byte order mark at its beginning"),
        Change::LineEndAdded => ("A line end was added", "With one line end fewer after it"),
        Change::LineEndLost => ("A line end was lost", "With one line end more after it"),
        Change::WhiteSpaceAdded => ("White space was added", "Without the white space around it"),
        Change::JsonWasCompact => ("The JSON was rewritten", "As compact JSON, without spaces,"),
        Change::JsonWasSpaced => {
            ("The JSON was rewritten", "As JSON with a space after each comma and colon")
        }
        Change::JsonWasIndented => ("The JSON was rewritten", "As indented JSON"),
        Change::JsonWasEscaped => {
            ("The JSON was rewritten", "As JSON whose slashes or letters are escaped in another way")
        }
        Change::IntoBase64 => ("The body was encoded as base64", "Decoded from base64"),
        Change::IntoString => {
            ("The body was put into a JSON string", "Taken out of the JSON string that it is in")
        }
    }
}
