//! How a sender signs, as data: where the signatures stand, what they are made of, and over what.

use axum::http::HeaderName;

use super::key::KeyForm;
use super::template::Template;
use crate::domain::json::Pointer;

/// What tells one scheme from another.
#[derive(Debug, Clone)]
pub struct Policy {
    pub(super) place: Place,
    pub(super) algorithm: Algorithm,
    pub(super) encoding: Encoding,
    pub(super) key: KeyForm,
    /// What is signed; senders that are not of one mind have several, and any of them will do.
    pub(super) signed: Vec<Template>,
}

/// Where the signatures stand.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// In headers; the first family of which all headers are there counts.
    Headers { families: Vec<Family>, layout: Layout, unit: Unit },
    /// In the body: one in each item of a list.
    Items(Items),
}

/// The list of a body whose items are signed one by one.
#[derive(Debug, Clone)]
pub(super) struct Items {
    /// The list.
    pub(super) list: Pointer,
    /// What counts of an item.
    pub(super) item: Pointer,
    /// Where in that its signature is.
    pub(super) signature: Pointer,
}

/// A family of names for the headers.
#[derive(Debug, Clone)]
pub(super) struct Family {
    pub(super) signature: HeaderName,
    /// Unless the time is a part of the signature's header, or there is none.
    pub(super) time: Option<HeaderName>,
    pub(super) id: Option<HeaderName>,
}

/// How the signature's header is written.
#[derive(Debug, Clone)]
pub(super) enum Layout {
    /// A signature and nothing else.
    Whole {
        prefix: Prefix,
        /// There may be several: in lines of their own, or with commas between them.
        several: bool,
    },
    /// Parts with a label.
    Parts(Parts),
}

/// What stands before a signature.
#[derive(Debug, Clone)]
pub(super) enum Prefix {
    None,
    Required(Box<[u8]>),
    Optional(Box<[u8]>),
}

/// Parts with a label, such as `t=…,v1=…` or `v1,… v1,…`.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    pub(super) separator: u8,
    /// Between label and value.
    pub(super) joint: u8,
    /// Spaces and tabs around a part are dropped; those around its joint never are.
    pub(super) trim: bool,
    pub(super) signature: Box<[u8]>,
    pub(super) time: Option<Box<[u8]>>,
    /// Signatures under other labels show that the header is of its form.
    pub(super) others_count: bool,
}

/// What a time is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Seconds since 1970.
    Seconds,
    /// Milliseconds since 1970.
    Milliseconds,
    /// Either: what would be after the year 5138 in seconds is in milliseconds.
    Either,
}

impl Unit {
    pub(super) const fn seconds(self, stamp: i64) -> i64 {
        match self {
            Self::Seconds => stamp,
            Self::Milliseconds => stamp.div_euclid(1000),
            Self::Either if stamp >= 100_000_000_000 => stamp.div_euclid(1000),
            Self::Either => stamp,
        }
    }
}

/// How a signature is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// HMAC with SHA-256.
    Sha256,
    /// HMAC with SHA-512.
    Sha512,
    /// The secret itself: nothing is signed.
    Token,
}

/// How a signature is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Lower case only.
    Hex,
    /// Lower or upper case.
    HexAnyCase,
    /// The standard alphabet, padded.
    Base64,
}

impl Policy {
    /// How a secret's text becomes a key.
    pub const fn key_form(&self) -> KeyForm {
        self.key
    }

    /// The same with another reading of the secret.
    pub fn with_key(self, key: KeyForm) -> Self {
        Self { key, ..self }
    }

    /// The same under the first family of names only.
    pub fn with_first_names(mut self) -> Self {
        if let Place::Headers { families, .. } = &mut self.place {
            families.truncate(1);
        }
        self
    }

    /// Whether the URL at which the sender knows us is signed.
    pub fn signs_url(&self) -> bool {
        self.signed.iter().any(Template::has_url)
    }

    /// Whether a time is signed, so that there can be a window.
    pub fn has_time(&self) -> bool {
        match &self.place {
            Place::Headers { families, layout, .. } => {
                families.iter().any(|family| family.time.is_some())
                    || matches!(layout, Layout::Parts(Parts { time: Some(_), .. }))
            }
            Place::Items(_) => false,
        }
    }

    /// Whether the bytes of the body are signed.
    pub fn signs_body(&self) -> bool {
        self.algorithm != Algorithm::Token && self.signed.iter().any(Template::has_body)
    }

    /// The header that is the secret itself, where nothing is signed.
    pub fn token_header(&self) -> Option<&HeaderName> {
        self.header_names().into_iter().next().filter(|_| self.algorithm == Algorithm::Token)
    }

    /// Whether that header carries a signature or what belongs to it, and may be kept: not when it is the secret.
    pub fn signs_in(&self, name: &HeaderName) -> bool {
        match &self.place {
            Place::Headers { families, .. } if self.algorithm != Algorithm::Token => {
                families.iter().any(|it| {
                    it.signature == name || it.time.as_ref() == Some(name) || it.id.as_ref() == Some(name)
                })
            }
            _ => false,
        }
    }

    /// The names of the headers that it may read, as the sender writes them.
    pub fn header_names(&self) -> Vec<&HeaderName> {
        let mut names: Vec<_> = match &self.place {
            Place::Headers { families, .. } => families
                .iter()
                .flat_map(|family| [family.id.as_ref(), family.time.as_ref(), Some(&family.signature)])
                .flatten()
                .collect(),
            Place::Items(_) => Vec::new(),
        };
        self.signed.iter().for_each(|template| template.header_names(&mut names));
        names.dedup();
        names
    }
}
