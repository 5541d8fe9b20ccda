//! The site's files: part of the binary, named by their content and therefore cached for good.
//! `build.rs` makes the table from what `scripts/site` built; nothing is read or compressed at run time.

use app::context::AssetUrls;
use axum::{
    Router,
    body::{Body, Bytes},
    extract::Path,
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY},
    },
    response::{IntoResponse, Response},
    routing::get,
};

/// A file of the site in its three encodings.
struct Asset {
    name: &'static str,
    file: &'static str,
    content_type: &'static str,
    identity: &'static [u8],
    br: &'static [u8],
    gzip: &'static [u8],
}

static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Where a page finds the files in this binary; empty for those that it was built without.
#[must_use]
pub fn urls() -> AssetUrls {
    let urls = urls_of(ASSETS);
    // The browser's half takes over only what was rendered by a server of its own kind (.cargo/config.toml).
    if cfg!(erase_components) { urls } else { AssetUrls { js: String::new(), wasm: String::new(), ..urls } }
}

fn urls_of(assets: &[Asset]) -> AssetUrls {
    let url = |name| match assets.iter().find(|a| a.name == name) {
        Some(asset) => format!("/assets/{}", asset.file),
        None => String::new(),
    };
    AssetUrls { js: url("app.js"), wasm: url("app.wasm"), css: url("app.css"), icon: url("mark.svg") }
}

/// Serves `/assets/{file}`, to GET and HEAD.
pub fn router() -> Router {
    Router::new().route(
        "/assets/{file}",
        get(|Path(file): Path<String>, headers: HeaderMap| async move { respond(ASSETS, &file, &headers) }),
    )
}

fn respond(assets: &[Asset], file: &str, headers: &HeaderMap) -> Response {
    let Some(asset) = assets.iter().find(|a| a.file == file) else {
        // A page of another version may ask for what this one does not have yet: that must not stick in a cache.
        return (StatusCode::NOT_FOUND, [(CACHE_CONTROL, "no-store")]).into_response();
    };
    let encoding = Encoding::negotiate(headers);
    // An encoding is a representation of its own, so it has a tag of its own.
    let tag = format!("\"{}-{}\"", asset.file, encoding.name());
    let known = is_known(headers, &tag);

    let mut response = Response::new(if known { Body::empty() } else { encoding.body(asset) });
    let out = response.headers_mut();
    out.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    out.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        out.insert(ETAG, tag);
    }
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    out.insert(CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    if encoding != Encoding::Identity {
        out.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
    }
    response
}

/// Whether the client holds the representation with this tag (RFC 9110, section 13.1.2).
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    list(headers, IF_NONE_MATCH).any(|held| held == "*" || held.strip_prefix("W/").unwrap_or(held) == tag)
}

/// The members of a comma-separated header, over all its lines.
fn list(headers: &HeaderMap, name: axum::http::HeaderName) -> impl Iterator<Item = &str> {
    headers
        .get_all(name)
        .into_iter()
        .filter_map(|v| v.to_str().ok())
        .flat_map(|v| v.split(','))
        .map(str::trim)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Br,
    Gzip,
    Identity,
}

impl Encoding {
    /// Smallest first: the order in which equally welcome ones are chosen.
    const ALL: [Self; 3] = [Self::Br, Self::Gzip, Self::Identity];

    /// The encoding that the client likes best (RFC 9110, section 12.5.3). One that likes none gets the plain bytes.
    fn negotiate(headers: &HeaderMap) -> Self {
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
        for member in list(headers, ACCEPT_ENCODING) {
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

    fn name(self) -> &'static str {
        match self {
            Self::Br => "br",
            Self::Gzip => "gzip",
            Self::Identity => "identity",
        }
    }

    fn body(self, asset: &Asset) -> Body {
        Body::from(Bytes::from_static(match self {
            Self::Br => asset.br,
            Self::Gzip => asset.gzip,
            Self::Identity => asset.identity,
        }))
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

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{Request, header::CONTENT_LENGTH};
    use http_body_util::BodyExt;
    use tower::ServiceExt;

    static SITE: &[Asset] = &[Asset {
        name: "app.wasm",
        file: "app.0123456789.wasm",
        content_type: "application/wasm",
        identity: b"plain bytes",
        br: b"brotli",
        gzip: b"gzipped",
    }];

    fn headers(of: &[(axum::http::HeaderName, &'static str)]) -> HeaderMap {
        of.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    fn chosen(accept: &'static str) -> Encoding {
        Encoding::negotiate(&headers(&[(ACCEPT_ENCODING, accept)]))
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

    #[tokio::test]
    async fn a_file_is_sent_as_negotiated_and_cached_for_good() {
        let response = respond(SITE, "app.0123456789.wasm", &headers(&[(ACCEPT_ENCODING, "gzip, br")]));
        assert_eq!(response.status(), StatusCode::OK);
        let sent = response.headers();
        assert_eq!(sent[CONTENT_TYPE], "application/wasm");
        assert_eq!(sent[CONTENT_ENCODING], "br");
        assert_eq!(sent[VARY], "accept-encoding");
        assert_eq!(sent[CACHE_CONTROL], "public, max-age=31536000, immutable");
        assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), "brotli");

        let plain = respond(SITE, "app.0123456789.wasm", &HeaderMap::new());
        assert!(!plain.headers().contains_key(CONTENT_ENCODING));
        assert_eq!(plain.headers()[VARY], "accept-encoding");
        assert_eq!(plain.into_body().collect().await.unwrap().to_bytes(), "plain bytes");
    }

    #[tokio::test]
    async fn what_the_client_holds_is_not_sent_again() {
        let first = respond(SITE, "app.0123456789.wasm", &headers(&[(ACCEPT_ENCODING, "br")]));
        let tag = first.headers()[ETAG].to_str().unwrap().to_owned();
        assert_eq!(tag, "\"app.0123456789.wasm-br\"");

        for held in [tag.clone(), format!("\"other\", W/{tag}"), "*".to_owned()] {
            let mut again = headers(&[(ACCEPT_ENCODING, "br")]);
            again.insert(IF_NONE_MATCH, held.parse().unwrap());
            let response = respond(SITE, "app.0123456789.wasm", &again);
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{held}");
            assert_eq!(response.headers()[ETAG], tag);
            assert_eq!(response.headers()[VARY], "accept-encoding");
            assert!(response.headers().contains_key(CACHE_CONTROL));
            assert!(response.into_body().collect().await.unwrap().to_bytes().is_empty());
        }

        let mut gzip = headers(&[(ACCEPT_ENCODING, "gzip")]);
        gzip.insert(IF_NONE_MATCH, tag.parse().unwrap());
        let response = respond(SITE, "app.0123456789.wasm", &gzip);
        assert_eq!(response.status(), StatusCode::OK, "another encoding is another representation");
    }

    #[tokio::test]
    async fn an_unknown_file_is_not_found_and_not_cached() {
        for path in ["/assets/app.js", "/assets/..%2fCargo.toml"] {
            let request = Request::get(path).body(Body::empty()).unwrap();
            let response = router().oneshot(request).await.unwrap();
            assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
            assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
        }
    }

    #[tokio::test]
    async fn every_embedded_file_answers_get_and_head() {
        for asset in ASSETS {
            for method in ["GET", "HEAD"] {
                let request = Request::builder()
                    .method(method)
                    .uri(format!("/assets/{}", asset.file))
                    .body(Body::empty())
                    .unwrap();
                let response = router().oneshot(request).await.unwrap();
                assert_eq!(response.status(), StatusCode::OK);
                assert_eq!(response.headers()[CONTENT_LENGTH], asset.identity.len().to_string());
                let body = response.into_body().collect().await.unwrap().to_bytes();
                assert_eq!(body, if method == "GET" { asset.identity } else { b"" });
            }
        }
    }

    #[test]
    fn urls_are_those_of_the_files_at_hand() {
        let urls = urls_of(SITE);
        assert_eq!(urls.wasm, "/assets/app.0123456789.wasm");
        assert_eq!(urls, AssetUrls { wasm: urls.wasm.clone(), ..AssetUrls::default() });
    }
}
