//! The senders that the provider `hmac` knows by name. The one list of them: the API's errors and its document read
//! it, and so does whoever shows them to people; what those are told of each is in `preset_words`.

use crate::domain::signature::Scheme;

/// A sender that is known by name.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// How it signs; its name is the word that the settings take.
    pub scheme: Scheme,
    /// How people call it, in every language.
    pub name: &'static str,
    /// What its requests carry.
    pub carries: &'static str,
    /// Whose a secret is.
    pub secret: Secret,
}

/// Whose a sender's secret is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secret {
    /// Made for one endpoint: no other has the same.
    OfEndpoint,
    /// One for an account, a shop or an application, or one that people may choose: several endpoints may have the same.
    Shared,
}

/// All of them, in the order in which people see them.
pub const ALL: &[Preset] = &[
    shared(Scheme::AdyenStandard, "Adyen (classic)", "additionalData.hmacSignature"),
    shared(Scheme::AdyenPayload, "Adyen (platforms)", "hmacsignature: base64"),
    shared(Scheme::CheckoutCom, "Checkout.com", "Cko-Signature: hex"),
    shared(Scheme::CoinbaseCommerce, "Coinbase Commerce", "X-CC-Webhook-Signature: hex"),
    shared(Scheme::FlutterwaveStatic, "Flutterwave (v3)", "verif-hash"),
    shared(Scheme::FlutterwaveHmac, "Flutterwave (v4)", "flutterwave-signature: base64"),
    shared(Scheme::Github, "GitHub", "X-Hub-Signature-256: sha256=hex"),
    shared(Scheme::MercadoPago, "Mercado Pago", "x-signature: ts=…,v1=hex"),
    of_endpoint(Scheme::Mollie, "Mollie", "X-Mollie-Signature: sha256=hex"),
    shared(Scheme::Paystack, "Paystack", "x-paystack-signature: hex"),
    shared(Scheme::Razorpay, "Razorpay", "X-Razorpay-Signature: hex"),
    shared(Scheme::Shopify, "Shopify", "X-Shopify-Hmac-Sha256: base64"),
    of_endpoint(Scheme::Square, "Square", "x-square-hmacsha256-signature: base64"),
];

const fn of_endpoint(scheme: Scheme, name: &'static str, carries: &'static str) -> Preset {
    Preset { scheme, name, carries, secret: Secret::OfEndpoint }
}

const fn shared(scheme: Scheme, name: &'static str, carries: &'static str) -> Preset {
    Preset { scheme, name, carries, secret: Secret::Shared }
}

/// The preset of that word.
pub fn find(word: &str) -> Option<&'static Preset> {
    ALL.iter().find(|preset| preset.word() == word)
}

impl Preset {
    /// The word that the settings take.
    pub const fn word(&self) -> &'static str {
        self.scheme.as_str()
    }

    /// Whether the URL that is registered with the sender is signed; it is the receive URL unless the settings say
    /// another.
    pub fn signs_url(&self) -> bool {
        self.scheme.policy().signs_url()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_that_is_no_providers_own_is_a_preset() {
        let own = ["paymos", "stripe", "paddle", "standard_webhooks", "standard_webhooks_raw_key", "svix"];
        for scheme in Scheme::ALL {
            let times = ALL.iter().filter(|preset| preset.scheme == *scheme).count();
            assert_eq!(times, usize::from(!own.contains(&scheme.as_str())), "{scheme}");
        }
        let names: Vec<String> = ALL.iter().map(|preset| preset.name.to_lowercase()).collect();
        assert!(names.is_sorted(), "{names:?}");
        assert_eq!(find("square").map(|preset| preset.name), Some("Square"));
        assert!(find("paymos").is_none());
    }
}
