//! The query of a URL, read and written the same way on both sides.

/// The pairs of a query, decoded, in their order. A leading `?` is no part of it.
pub fn parse(search: &str) -> Vec<(String, String)> {
    search
        .trim_start_matches('?')
        .split('&')
        .filter(|part| !part.is_empty())
        .map(|part| part.split_once('=').unwrap_or((part, "")))
        .map(|(name, value)| (decode(name), decode(value)))
        .collect()
}

/// The value of the first pair with this name.
pub fn value(search: &str, name: &str) -> Option<String> {
    parse(search).into_iter().find(|(found, _)| found == name).map(|(_, value)| value)
}

/// Writes pairs as a query, without `?`; empty values are left out.
pub fn write<'a>(pairs: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut query = String::new();
    for (name, value) in pairs.into_iter().filter(|(_, value)| !value.is_empty()) {
        push(name, &value, &mut query);
    }
    query
}

/// The pairs as the body of a form: empty ones too.
pub fn form<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut form = String::new();
    for (name, value) in pairs {
        push(name, value, &mut form);
    }
    form
}

fn push(name: &str, value: &str, query: &mut String) {
    if !query.is_empty() {
        query.push('&');
    }
    encode(name, query);
    query.push('=');
    encode(value, query);
}

/// A path with a query, or the path alone when there is none.
pub fn link(path: &str, query: &str) -> String {
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// Percent-encodes a value for a query or a path.
pub fn encode(value: &str, out: &mut String) {
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'*' | b':' => {
                out.push(byte as char);
            }
            _ => {
                out.push('%');
                for digit in [byte >> 4, byte & 15] {
                    out.push(char::from_digit(u32::from(digit), 16).unwrap_or('0').to_ascii_uppercase());
                }
            }
        }
    }
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let pair = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        match (byte, pair.and_then(|pair| u8::from_str_radix(pair, 16).ok())) {
            (b'%', Some(decoded)) => {
                out.push(decoded);
                at += 3;
                continue;
            }
            (b'+', _) => out.push(b' '),
            _ => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_forms_and_people_write() {
        let pairs = parse("?state=failed&state=held&q=a+b%20c%C3%A9&empty=&bare&=x&bad=%zz%4");
        let expected = [
            ("state", "failed"),
            ("state", "held"),
            ("q", "a b cé"),
            ("empty", ""),
            ("bare", ""),
            ("", "x"),
            ("bad", "%zz%4"),
        ];
        let expected: Vec<_> = expected.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        assert_eq!(pairs, expected);
        assert_eq!(parse(""), vec![]);
    }

    #[test]
    fn what_is_written_reads_back() {
        for value in ["invoice.*", "a&b=c?d#e", "ñ €", "100%", "2026-11-30T14:00:00Z", "<script>"] {
            let written = write([("a", value.to_owned()), ("b", String::new())]);
            assert_eq!(parse(&written), vec![("a".to_owned(), value.to_owned())], "{written}");
        }
        assert_eq!(link("/deliveries", ""), "/deliveries");
        assert_eq!(link("/deliveries", "a=1"), "/deliveries?a=1");
    }
}
