//! Negotiates the content coding of an answer (RFC 9110, section 12.5.3).

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_ENCODING, HeaderName};

/// A content coding that this server sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Br,
    Gzip,
    Identity,
}

impl Encoding {
    /// Smallest first: the order in which equally welcome ones are chosen.
    const ALL: [Self; 3] = [Self::Br, Self::Gzip, Self::Identity];

    /// The encoding that the client likes best (RFC 9110, section 12.5.3). One that likes none gets the plain bytes.
    pub(super) fn negotiate(headers: &HeaderMap) -> Self {
        let mut best = (Self::Identity, 0);
        for encoding in Self::ALL {
            let weight = encoding.weight(headers);
            if weight > best.1 {
                best = (encoding, weight);
            }
        }
        best.0
    }

    /// How welcome the encoding is, in thousandths.
    fn weight(self, headers: &HeaderMap) -> u16 {
        let mut any = None;
        for member in members(headers, ACCEPT_ENCODING) {
            let (coding, parameters) = member.split_once(';').unwrap_or((member, ""));
            let coding = coding.trim();
            if coding.eq_ignore_ascii_case(self.name()) {
                return thousandths(parameters);
            }
            if coding == "*" {
                any = Some(thousandths(parameters));
            }
        }
        // Unless it is refused, the plain form is acceptable, but only as the last choice.
        any.unwrap_or(u16::from(self == Self::Identity))
    }

    /// Its name in `Accept-Encoding` and `Content-Encoding`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Br => "br",
            Self::Gzip => "gzip",
            Self::Identity => "identity",
        }
    }
}

/// The weight in `q=0.5`; 1 when none is given, 0 when it is not a weight.
fn thousandths(parameters: &str) -> u16 {
    let Some((_, q)) = parameters.split_once('=') else { return 1000 };
    match q.trim().parse::<f32>() {
        Ok(q) if (0.0..=1.0).contains(&q) => (q * 1000.0) as u16,
        _ => 0,
    }
}

/// The members of a comma-separated header, over all its lines.
pub(super) fn members(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    headers
        .get_all(name)
        .into_iter()
        .filter_map(|v| v.to_str().ok())
        .flat_map(|v| v.split(','))
        .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn chosen(accept: &'static str) -> Encoding {
        Encoding::negotiate(&HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(accept))]))
    }

    #[test]
    fn the_encoding_is_the_one_that_the_client_likes_best() {
        for (accept, expected) in [
            ("gzip, deflate, br, zstd", Encoding::Br),
            ("gzip, deflate", Encoding::Gzip),
            ("br;q=0.5, gzip;q=0.8", Encoding::Gzip),
            ("br;q=0, gzip", Encoding::Gzip),
            ("BR , GZIP", Encoding::Br),
            ("gzip;q=0.001", Encoding::Gzip),
            ("identity;q=1, br;q=0.9", Encoding::Identity),
            ("*", Encoding::Br),
            ("br;q=0, *;q=0.1", Encoding::Gzip),
            ("*;q=0", Encoding::Identity),
            ("br;q=nonsense, gzip;q=2", Encoding::Identity),
            ("", Encoding::Identity),
            ("zstd", Encoding::Identity),
        ] {
            assert_eq!(chosen(accept), expected, "{accept}");
        }
        assert_eq!(Encoding::negotiate(&HeaderMap::new()), Encoding::Identity);
    }
}
