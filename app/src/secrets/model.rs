//! What a rotation needs next, from what its secrets did.

use super::{Holder, Keyring, Secret, TestFinding};
use crate::types::Timestamp;

/// The old secret is out of use when the new one was used this much later than it.
const QUIET_SECONDS: i64 = 600;

/// What to do about a source or destination with more than one active secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RotationAdvice {
    /// No webhook has used the new secret: is it saved at the provider?
    NotUsed,
    /// The old one has not been used for so many seconds, and the new one has.
    Safe(i64),
    /// Both are in use; the old one was, at this moment.
    Both(Timestamp),
    /// A destination's server has not said yet what it reads.
    Untested,
    /// It has.
    Found(TestFinding),
}

/// The advice for a rotation; none while there is one secret.
pub fn advice(ring: &Keyring, now: Timestamp) -> Option<RotationAdvice> {
    let (new, old) = ring.secrets.split_first()?;
    if old.is_empty() {
        return None;
    }
    if ring.holder == Holder::Destination {
        return Some(
            ring.tested
                .as_ref()
                .map_or(RotationAdvice::Untested, |tested| RotationAdvice::Found(tested.finding)),
        );
    }
    let Some(new_used) = new.last_used_at.filter(|_| new.matches > 0) else {
        return Some(RotationAdvice::NotUsed);
    };
    let old_used = old.iter().filter_map(|secret| secret.last_used_at).max();
    Some(match old_used {
        Some(at) if new_used.seconds_since(at) < QUIET_SECONDS => RotationAdvice::Both(at),
        Some(at) => RotationAdvice::Safe(now.seconds_since(at)),
        None => RotationAdvice::Safe(now.seconds_since(new.created_at)),
    })
}

/// When the first of the old secrets ends.
pub fn overlap_end(secrets: &[Secret]) -> Option<Timestamp> {
    secrets.iter().filter_map(|secret| secret.expires_at).min()
}

/// Which secret goes on without an end when this one is retired; none: this is not the one without.
pub fn successor<'a>(ring: &'a Keyring, secret: &Secret) -> Option<&'a Secret> {
    ring.secrets.iter().find(|other| other.id != secret.id).filter(|_| secret.expires_at.is_none())
}

/// How people call a provider or a format.
pub fn scheme_name(scheme: &str) -> &str {
    match scheme {
        "paymos" => "Paymos",
        "paddle" => "Paddle",
        "stripe" => "Stripe",
        "standard_webhooks" => "Standard Webhooks",
        "hmac" => "HMAC",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::UsageCounts;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix(1_000_000 + seconds)
    }

    fn secret(created: i64, used: Option<i64>, matches: i64) -> Secret {
        Secret {
            id: "sec_1".to_owned(),
            fingerprint: "c71e".to_owned(),
            created_by: "a@b.example".to_owned(),
            created_at: at(created),
            expires_at: (created == 0).then(|| at(86_400)),
            last_used_at: used.map(at),
            matches,
            shared_with: Vec::new(),
        }
    }

    fn ring(holder: Holder, secrets: Vec<Secret>) -> Keyring {
        Keyring {
            holder,
            slug: "paymos-live".parse().unwrap(),
            scheme: "paymos".to_owned(),
            uses: vec![UsageCounts::default(); secrets.len()],
            secrets,
            span: None,
            can_undo: false,
            guide: Vec::new(),
            tested: None,
        }
    }

    #[test]
    fn advises_by_what_the_secrets_did() {
        let now = at(10_000);
        let of = |new: Secret, old: Secret| advice(&ring(Holder::Source, vec![new, old]), now);
        assert_eq!(of(secret(1_000, None, 0), secret(0, Some(9_999), 50)), Some(RotationAdvice::NotUsed));
        assert_eq!(
            of(secret(1_000, Some(9_000), 3), secret(0, Some(8_401), 50)),
            Some(RotationAdvice::Both(at(8_401)))
        );
        assert_eq!(
            of(secret(1_000, Some(9_000), 3), secret(0, Some(8_400), 50)),
            Some(RotationAdvice::Safe(1_600))
        );
        assert_eq!(of(secret(1_000, Some(9_000), 3), secret(0, None, 0)), Some(RotationAdvice::Safe(9_000)));
        assert_eq!(advice(&ring(Holder::Source, vec![secret(0, None, 0)]), now), None);
        let signing = ring(Holder::Destination, vec![secret(1_000, None, 0), secret(0, None, 0)]);
        assert_eq!(advice(&signing, now), Some(RotationAdvice::Untested));
        assert_eq!(overlap_end(&signing.secrets), Some(at(86_400)));
    }

    #[test]
    fn the_newest_of_the_others_takes_the_place_of_the_one_without_an_end() {
        let three = [("sec_3", 20), ("sec_2", 10), ("sec_1", 0)];
        let three = three.map(|(id, created)| Secret {
            id: id.to_owned(),
            expires_at: (id != "sec_3").then(|| at(86_400 + created)),
            ..secret(created, None, 0)
        });
        let ring = ring(Holder::Source, three.to_vec());
        assert_eq!(successor(&ring, &ring.secrets[0]).unwrap().id, "sec_2");
        assert_eq!(successor(&ring, &ring.secrets[1]), None);
    }
}
