//! Paths of our own, for redirects: nothing that a browser would take to another site.

use url::Url;

/// The text when it is a path of ours, with its query; none for everything that leads elsewhere.
pub(super) fn path(text: &str) -> Option<&str> {
    let plain = text.starts_with('/')
        && !text.starts_with("//")
        && text.len() <= 2048
        && text.bytes().all(|c| (0x21..=0x7e).contains(&c) && c != b'\\');
    let base = Url::parse("http://ours.invalid/").ok()?;
    let stays =
        base.join(text).is_ok_and(|url| url.origin() == base.origin() && !url.path().starts_with("//"));
    (plain && stays).then_some(text)
}

/// The path of the page that a form was on, from `Referer`.
pub(super) fn referer(headers: &axum::http::HeaderMap) -> Option<String> {
    let url = Url::parse(headers.get(axum::http::header::REFERER)?.to_str().ok()?).ok()?;
    let with_query = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    path(&with_query).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_ours_are_taken() {
        for good in
            ["/", "/deliveries", "/deliveries?state=failed&cursor=a-1", "/payments/a/inv_1", "/a?next=//b"]
        {
            assert_eq!(path(good), Some(good));
        }
        for bad in [
            "",
            "deliveries",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "https://evil.example",
            "/\t/evil.example",
            "/ /evil",
            "/\nSet-Cookie: a=b",
            "javascript:alert(1)",
            "/%0d%0a\r\n",
            "/.//evil.example",
            "/x/..//evil.example",
            "/é",
        ] {
            assert_eq!(path(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn the_referer_gives_its_path_only() {
        let from = |text: &str| {
            let mut headers = axum::http::HeaderMap::new();
            headers.insert("referer", text.parse().unwrap());
            referer(&headers)
        };
        assert_eq!(from("http://localhost:3000/secrets?x=1#top").as_deref(), Some("/secrets?x=1"));
        assert_eq!(from("http://localhost:3000//evil.example/"), None);
        assert_eq!(from("about:blank"), None);
    }
}
