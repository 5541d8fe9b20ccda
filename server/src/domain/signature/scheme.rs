//! The schemes that are known by name, and the policy of each.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use app::types::{Format, Provider};
use axum::http::HeaderName;

use super::key::KeyForm;
use super::policy::{Algorithm, Encoding, Family, Items, Layout, Parts, Place, Policy, Prefix, Unit};
use super::template::{Part, Template};
use crate::domain::json::Pointer;

macro_rules! schemes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)+) => {
        /// How a sender signs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Scheme { $($(#[$doc])* $variant,)+ }

        impl Scheme {
            /// Every scheme.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its name on the command line and as a preset.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

schemes! {
    /// `X-Webhook-Signature: t=…,v1=…`.
    Paymos = "paymos",
    /// `Stripe-Signature: t=…,v1=…`: the same but for the case of the hex.
    Stripe = "stripe",
    /// `Paddle-Signature: ts=…;h1=…`.
    Paddle = "paddle",
    /// `webhook-id`, `webhook-timestamp`, `webhook-signature: v1,…`; the key in base64.
    StandardWebhooks = "standard_webhooks",
    /// The same, by senders that take the secret's text as the key.
    StandardWebhooksRawKey = "standard_webhooks_raw_key",
    /// The same under the names `svix-…`, which win over `webhook-…`.
    Svix = "svix",
    /// GitHub.
    Github = "github_sha256",
    /// Shopify.
    Shopify = "shopify",
    /// Square: the URL is signed with the body.
    Square = "square",
    /// Adyen's classic notifications: each item has its signature in the body.
    AdyenStandard = "adyen_standard",
    /// Adyen's platform and management webhooks.
    AdyenPayload = "adyen_payload",
    /// Razorpay.
    Razorpay = "razorpay",
    /// Coinbase Commerce.
    CoinbaseCommerce = "coinbase_commerce",
    /// Mercado Pago: the body is not signed.
    MercadoPago = "mercadopago",
    /// Mollie's next-generation webhooks.
    Mollie = "mollie",
    /// Paystack: SHA-512.
    Paystack = "paystack",
    /// Flutterwave, version 3: a token, and nothing is signed.
    FlutterwaveStatic = "flutterwave_static",
    /// Flutterwave, version 4.
    FlutterwaveHmac = "flutterwave_hmac",
    /// Checkout.com.
    CheckoutCom = "checkout_com",
}

/// A name that is no scheme's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a scheme; accepted: {names}", names = Scheme::ALL.iter().map(|s| s.as_str()).collect::<Vec<_>>().join(", "))]
pub struct UnknownScheme(String);

impl FromStr for Scheme {
    type Err = UnknownScheme;
    fn from_str(name: &str) -> Result<Self, UnknownScheme> {
        let found = Self::ALL.iter().find(|scheme| scheme.as_str() == name);
        found.copied().ok_or_else(|| UnknownScheme(name.chars().take(64).collect()))
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Scheme {
    /// The scheme of a provider's sources when its settings say nothing else; none: the settings must say it.
    pub const fn of(provider: Provider) -> Option<Self> {
        match provider {
            Provider::Paymos => Some(Self::Paymos),
            Provider::Stripe => Some(Self::Stripe),
            Provider::Paddle => Some(Self::Paddle),
            Provider::StandardWebhooks => Some(Self::Svix),
            Provider::Hmac => None,
        }
    }

    /// The scheme in which deliveries of a format are signed.
    pub const fn of_format(format: Format) -> Self {
        match format {
            Format::Paymos => Self::Paymos,
            Format::Stripe => Self::Stripe,
            Format::Paddle => Self::Paddle,
            Format::StandardWebhooks => Self::StandardWebhooks,
        }
    }

    /// What it asks for.
    pub fn policy(self) -> &'static Policy {
        static POLICIES: LazyLock<Vec<Policy>> =
            LazyLock::new(|| Scheme::ALL.iter().map(|scheme| scheme.make()).collect());
        // The variants are numbered in the order of `ALL`.
        &POLICIES[self as usize]
    }

    fn make(self) -> Policy {
        let hex = |header| whole_header(&[header], Encoding::Hex);
        let base64 = |header| whole_header(&[header], Encoding::Base64);
        match self {
            Self::Paymos => Policy {
                encoding: Encoding::HexAnyCase,
                ..pairs("x-webhook-signature", b',', "t", "v1", ".")
            },
            Self::Stripe => pairs("stripe-signature", b',', "t", "v1", "."),
            Self::Paddle => pairs("paddle-signature", b';', "ts", "h1", ":"),
            Self::StandardWebhooks => three_headers(&["webhook"], KeyForm::Base64),
            Self::StandardWebhooksRawKey => three_headers(&["webhook"], KeyForm::Raw),
            Self::Svix => three_headers(&["svix", "webhook"], KeyForm::Base64),
            Self::Github => {
                prefixed(hex("x-hub-signature-256"), Prefix::Required("sha256=".as_bytes().into()), false)
            }
            Self::Shopify => {
                whole_header(&["x-shopify-hmac-sha256", "shopify-hmac-sha256"], Encoding::Base64)
            }
            Self::Square => Policy {
                signed: vec![Template(vec![Part::Url, Part::Body])],
                ..base64("x-square-hmacsha256-signature")
            },
            Self::AdyenStandard => adyen_standard(),
            Self::AdyenPayload => Policy { key: KeyForm::Hex, ..base64("hmacsignature") },
            Self::Razorpay => hex("x-razorpay-signature"),
            Self::CoinbaseCommerce => hex("x-cc-webhook-signature"),
            Self::MercadoPago => mercado_pago(),
            Self::Mollie => {
                prefixed(hex("x-mollie-signature"), Prefix::Optional("sha256=".as_bytes().into()), true)
            }
            Self::Paystack => Policy { algorithm: Algorithm::Sha512, ..hex("x-paystack-signature") },
            Self::FlutterwaveStatic => Policy { algorithm: Algorithm::Token, ..hex("verif-hash") },
            Self::FlutterwaveHmac => base64("flutterwave-signature"),
            Self::CheckoutCom => hex("cko-signature"),
        }
    }
}

fn text(text: &str) -> Part {
    Part::Text(text.as_bytes().into())
}

/// A signature of the body and nothing else, under one of these names.
fn whole_header(headers: &[&'static str], encoding: Encoding) -> Policy {
    let family =
        |name: &&'static str| Family { signature: HeaderName::from_static(name), time: None, id: None };
    let families = headers.iter().map(family).collect();
    let layout = Layout::Whole { prefix: Prefix::None, several: false };
    Policy {
        place: Place::Headers { families, layout, unit: Unit::Seconds },
        algorithm: Algorithm::Sha256,
        encoding,
        key: KeyForm::Raw,
        signed: vec![Template(vec![Part::Body])],
    }
}

fn prefixed(mut policy: Policy, prefix: Prefix, several: bool) -> Policy {
    if let Place::Headers { layout, .. } = &mut policy.place {
        *layout = Layout::Whole { prefix, several };
    }
    policy
}

/// `time=…,signature=…` in one header, over the time, a joint and the body.
fn pairs(header: &'static str, separator: u8, time: &str, signature: &str, joint: &str) -> Policy {
    let parts = Parts {
        separator,
        joint: b'=',
        trim: separator == b',',
        signature: signature.as_bytes().into(),
        time: Some(time.as_bytes().into()),
        others_count: false,
    };
    let family = Family { signature: HeaderName::from_static(header), time: None, id: None };
    Policy {
        place: Place::Headers { families: vec![family], layout: Layout::Parts(parts), unit: Unit::Seconds },
        algorithm: Algorithm::Sha256,
        encoding: Encoding::Hex,
        key: KeyForm::Raw,
        signed: vec![Template(vec![Part::Time, text(joint), Part::Body])],
    }
}

/// Three headers, of which two are signed with the body.
fn three_headers(families: &[&'static str], key: KeyForm) -> Policy {
    let names = |family: &&'static str| match *family {
        "svix" => ["svix-id", "svix-timestamp", "svix-signature"],
        _ => ["webhook-id", "webhook-timestamp", "webhook-signature"],
    };
    let families = families.iter().map(names).map(|names| names.map(HeaderName::from_static));
    let families =
        families.map(|[id, time, signature]| Family { signature, time: Some(time), id: Some(id) }).collect();
    let parts = Parts {
        separator: b' ',
        joint: b',',
        trim: false,
        signature: "v1".as_bytes().into(),
        time: None,
        others_count: true,
    };
    Policy {
        place: Place::Headers { families, layout: Layout::Parts(parts), unit: Unit::Seconds },
        algorithm: Algorithm::Sha256,
        encoding: Encoding::Base64,
        key,
        signed: vec![Template(vec![Part::Id, text("."), Part::Time, text("."), Part::Body])],
    }
}

/// Fields of each item with colons between them, as they are: nothing is escaped.
fn adyen_standard() -> Policy {
    let fields: [&[&str]; 8] = [
        &["pspReference"],
        &["originalReference"],
        &["merchantAccountCode"],
        &["merchantReference"],
        &["amount", "value"],
        &["amount", "currency"],
        &["eventCode"],
        &["success"],
    ];
    let mut parts = Vec::new();
    for field in fields {
        if !parts.is_empty() {
            parts.push(text(":"));
        }
        parts.push(Part::Item(Pointer::of(field)));
    }
    let items = Items {
        list: Pointer::of(&["notificationItems"]),
        item: Pointer::of(&["NotificationRequestItem"]),
        signature: Pointer::of(&["additionalData", "hmacSignature"]),
    };
    Policy {
        place: Place::Items(items),
        algorithm: Algorithm::Sha256,
        encoding: Encoding::Base64,
        key: KeyForm::Hex,
        signed: vec![Template(parts)],
    }
}

/// The id of the query, in lower case according to some of the vendor's pages; what is absent is left out.
fn mercado_pago() -> Policy {
    let signed = |lower_case| {
        let id = Part::Query { name: "data.id".into(), lower_case };
        let request = Part::Header(HeaderName::from_static("x-request-id"));
        Template(vec![
            Part::Group(vec![text("id:"), id, text(";")]),
            Part::Group(vec![text("request-id:"), request, text(";")]),
            text("ts:"),
            Part::Time,
            text(";"),
        ])
    };
    let mut policy = pairs("x-signature", b',', "ts", "v1", "");
    policy.signed = vec![signed(false), signed(true)];
    if let Place::Headers { unit, .. } = &mut policy.place {
        *unit = Unit::Either;
    }
    policy
}
