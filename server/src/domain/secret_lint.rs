//! What people paste by mistake in place of a provider's signing secret. Only what is certainly wrong is refused.

use app::error::Rule;
use app::types::Provider;

use super::signature::{KeyForm, Policy};

/// Bytes of a pasted secret at most.
const LONGEST: usize = 1024;
/// Bytes of a key that its provider makes of at least 24.
const SHORTEST_KEY: usize = 24;
/// Characters of a secret that is used as it is. Providers' have 30 and more; those of people may be shorter.
const SHORTEST_TEXT: usize = 6;
/// How keys of providers' APIs begin: they open the API, and sign no webhooks.
const API_KEYS: &[&str] = &["sk_", "pk_", "rk_"];

/// What is wrong with a secret for a source of this provider, if anything is.
pub fn lint(secret: &str, provider: Provider, policy: Option<&Policy>) -> Option<Rule> {
    if secret.trim().is_empty() {
        return Some(Rule::Required);
    }
    if secret.trim() != secret {
        return Some(Rule::WhiteSpace);
    }
    if secret.len() > LONGEST {
        return Some(Rule::TooLong);
    }
    if secret.chars().any(char::is_control) {
        return Some(Rule::Malformed);
    }
    if secret.starts_with("v1,") {
        return Some(Rule::VersionPrefix);
    }
    // Any sender may sign with whatever it likes, and one signs with its API key.
    let is_any = provider == Provider::Hmac;
    if !is_any && API_KEYS.iter().any(|prefix| secret.starts_with(prefix)) {
        return Some(Rule::ApiKey);
    }
    let form = policy.map_or(KeyForm::Raw, Policy::key_form);
    let Some(key) = form.of(secret.as_bytes()) else { return Some(Rule::Undecodable) };
    let shortest = match form {
        KeyForm::Base64 => SHORTEST_KEY,
        KeyForm::Raw if !is_any => SHORTEST_TEXT,
        KeyForm::Raw | KeyForm::Hex => 1,
    };
    (key.len() < shortest).then_some(Rule::TooShort)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::signature::Scheme;

    #[test]
    fn what_is_certainly_wrong_is_named() {
        let long = "x".repeat(1025);
        for (provider, scheme, secret, rule) in [
            (Provider::Paymos, Scheme::Paymos, "", Some(Rule::Required)),
            (Provider::Paymos, Scheme::Paymos, " \n", Some(Rule::Required)),
            (Provider::Paymos, Scheme::Paymos, "whsec_test_secret\n", Some(Rule::WhiteSpace)),
            (Provider::Paymos, Scheme::Paymos, "\u{a0}whsec_test_secret", Some(Rule::WhiteSpace)),
            (Provider::Paymos, Scheme::Paymos, "whsec_test\0secret", Some(Rule::Malformed)),
            (Provider::Paymos, Scheme::Paymos, &long, Some(Rule::TooLong)),
            (Provider::Paymos, Scheme::Paymos, "sk_test_51Hxxxxxxxxxxxx", Some(Rule::ApiKey)),
            (Provider::Stripe, Scheme::Stripe, "rk_live_51Hxxxxxxxxxxxx", Some(Rule::ApiKey)),
            (Provider::Stripe, Scheme::Stripe, "pk_live_51Hxxxxxxxxxxxx", Some(Rule::ApiKey)),
            (Provider::Hmac, Scheme::Paystack, "sk_test_paystack", None),
            (Provider::Hmac, Scheme::Shopify, "hush", None),
            (Provider::Paddle, Scheme::Paddle, "pdl", Some(Rule::TooShort)),
            (Provider::Paddle, Scheme::Paddle, "pdl_ntfset_01", None),
            (Provider::Stripe, Scheme::Stripe, "whsec_test_secret", None),
            (
                Provider::StandardWebhooks,
                Scheme::Svix,
                "v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                Some(Rule::VersionPrefix),
            ),
            (Provider::StandardWebhooks, Scheme::Svix, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", None),
            (Provider::StandardWebhooks, Scheme::Svix, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", None),
            (Provider::StandardWebhooks, Scheme::Svix, "whsec_MfKQ9r8G", Some(Rule::TooShort)),
            (
                Provider::StandardWebhooks,
                Scheme::Svix,
                "whsec_not base64 at all, but long",
                Some(Rule::Undecodable),
            ),
            (Provider::StandardWebhooks, Scheme::StandardWebhooksRawKey, "whsec_not base64 at all", None),
            (Provider::Hmac, Scheme::AdyenPayload, "44782DEF547AAA06", None),
            (Provider::Hmac, Scheme::AdyenPayload, "44782DEF547AAA0", Some(Rule::Undecodable)),
        ] {
            assert_eq!(lint(secret, provider, Some(scheme.policy())), rule, "{provider} {secret:?}");
        }
    }
}
