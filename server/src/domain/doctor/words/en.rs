//! English.

use app::types::{NotKept, RejectionReason};

use super::{Finding, Interpretation, KeyForm, SecretEdit, length, mode, moment, seconds};
use crate::domain::doctor::Change;
use crate::domain::signature::FlawKind;

/// Who to ask for when a body was changed.
const UNTOUCHED: &str = "Something between the sender and Acuse rewrites bodies: have whoever runs it pass them \
                         through untouched.";

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn said(finding: &Finding) -> (String, String) {
    match finding {
        Finding::SourceGone => ("The source was deleted".to_owned(), "The source that refused it was deleted. Make one of this name with the provider’s secret, then verify again.".to_owned()),
        Finding::NoScheme => (
            "The source does not say how its sender signs".to_owned(),
            "The settings of the source do not say how its sender signs, so it refuses everything. Set its scheme, then verify again.".to_owned(),
        ),
        Finding::NoActiveSecret => (
            "The source has no active secret".to_owned(),
            "The source has no active secret, so it refuses everything. Paste the secret that the provider shows for \
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
            "Not all of the body is kept".to_owned(),
            format!(
                "Only the first {kept} of its {size} bytes are kept, so its signature cannot be examined, nor can it be \
                 taken in. Have the provider send it again once the cause is mended."
            ),
        ),
        Finding::TokenNotKept(header) => (
            "The secret that came is not kept".to_owned(),
            format!(
                "This sender signs nothing: the header {header} is the secret itself, and is never kept. So it cannot be \
                 examined, nor can it be taken in. Compare the secret at the sender with the one of this source, then \
                 have it sent again."
            ),
        ),
        Finding::TokenUnknown(header, secrets) => (
            "No secret is the one that came".to_owned(),
            format!(
                "This sender signs nothing: the header {header} is the secret itself. {} None is the one that came. \
                 Compare the secret at the sender with the one of this source.",
                tried(*secrets)
            ),
        ),
        Finding::HeaderMissing(header) => (
            format!("{header} is not there"),
            format!(
                "The header {header} did not arrive. Either the sender is not the provider of this source, or a proxy \
                 takes the header away: have it let {header} through."
            ),
        ),
        Finding::OtherScheme(header, scheme) => (
            format!("{header} is there instead"),
            format!(
                "It carries {header}, which belongs to the scheme {scheme}. Check at that provider to which address \
                 it sends: it should be the receive URL of a source of that kind."
            ),
        ),
        Finding::HeaderRepeated(header, times) => (
            format!("{header} is there {times} times"),
            format!(
                "The header {header} came {times} times and must come once. A proxy probably adds it again: have it \
                 left as it was sent."
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
            "The body holds no signatures".to_owned(),
            "This provider puts its signatures into the body, and there are none in this one. Either HMAC signatures \
             are not switched on at the provider, or something else sent it."
                .to_owned(),
        ),
        Finding::SignatureUnreadable(header, at, length) => (
            format!("The signature at character {at} of {header} cannot be one"),
            format!(
                "In the header {header}, the {length} characters from character {at} on have the wrong length or \
                 alphabet for a signature of this provider. It was cut or written anew on the way, or made in \
                 another way: have the sender log the header that it sends, and compare."
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
            format!("It was signed {} before it came", length(*by)),
            format!(
                "The time in the signature is {} behind our clock; {} are allowed. Either it waited on its \
                 way, or somebody sends an old request again, or a clock is wrong. Check the clock of this server, \
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
                "But for the time it is good: the secret {secret} of this source signed exactly the bytes that came."
            ),
        ),
        Finding::GoodNow(secret) => (
            "It is good now".to_owned(),
            format!("With what counts today it is good: the secret {secret} signed it. Verify it again to take it in."),
        ),
        Finding::ExpiredSecret(secret, since) => (
            format!("Signed with the secret {secret}, which ended on {}", moment(*since)),
            format!(
                "It was signed with the secret {secret} of this source, which ended on {} and no longer counts. Look \
                 at the endpoints at the provider: one of them still signs with the old secret. Before you bring it \
                 back, find out why it was ended.",
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
            "No body came. A redirect or a proxy in front drops it: have the provider post to the receive URL itself, \
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
                "{} None made this signature, read in any way, nor with what usually changes a body on its way. Copy \
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
            "It cannot be verified again: it is larger than what is kept, and all of its bytes are needed. Have the sender \
             send it again once the cause is mended."
        }
        NotKept::Token => {
            "It cannot be verified again: its proof is the secret itself in a header, which is never kept. Have the sender \
             send it again once the cause is mended."
        }
    }
}

pub(super) const fn still_refused(reason: RejectionReason) -> &'static str {
    match reason {
        RejectionReason::SignatureMismatch => {
            "No secret that counts today made its signature. Its page says what would have."
        }
        RejectionReason::TimestampTooOld => {
            "It was signed too long before it came. Allow more seconds at the source, if that is right, then verify again."
        }
        RejectionReason::TimestampTooNew => {
            "It was signed too far ahead of our clock. Allow more seconds at the source, if that is right, then verify again."
        }
        RejectionReason::MissingHeader => {
            "A header with its signature is missing, and no secret mends that. Have it sent again, past what drops the header."
        }
        RejectionReason::MalformedHeader => {
            "The header with its signature is not of its form, and no secret mends that. Its page says where."
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
        FlawKind::Absent => "it is not there",
        FlawKind::Repeated => "it is there more than once",
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
        Change::JsonWasCompact => ("The JSON was written anew", "As compact JSON, without spaces,"),
        Change::JsonWasSpaced => {
            ("The JSON was written anew", "As JSON with a space after each comma and colon")
        }
        Change::JsonWasIndented => ("The JSON was written anew", "As indented JSON"),
        Change::JsonWasEscaped => {
            ("The JSON was written anew", "As JSON whose slashes or letters are escaped in another way")
        }
        Change::IntoBase64 => ("The body was put into base64", "Decoded from base64"),
        Change::IntoString => {
            ("The body was put into a JSON string", "Taken out of the JSON string that it is in")
        }
    }
}
