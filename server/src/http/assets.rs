//! The site's files: part of the binary, named by their content and therefore cached for good.
//! `build.rs` makes the table from what `scripts/site` built; nothing is read or compressed at run time.

use app::context::AssetUrls;
use axum::{
    Router,
    body::{Body, Bytes},
    extract::Path,
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY},
    },
    response::{IntoResponse, Response},
    routing::get,
};

use super::encoding::{self, Encoding};

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

    let mut response = Response::new(if known { Body::empty() } else { asset.body(encoding) });
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
    encoding::members(headers, IF_NONE_MATCH)
        .any(|held| held == "*" || held.strip_prefix("W/").unwrap_or(held) == tag)
}

impl Asset {
    fn body(&self, encoding: Encoding) -> Body {
        Body::from(Bytes::from_static(match encoding {
            Encoding::Br => self.br,
            Encoding::Gzip => self.gzip,
            Encoding::Identity => self.identity,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{
        Request,
        header::{ACCEPT_ENCODING, CONTENT_LENGTH},
    };
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
