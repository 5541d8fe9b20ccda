//! Bodies as they may have been when they were signed, before something on the way changed them.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// What happened to a body on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Line ends became CR LF.
    LineEndsToCrLf,
    /// Line ends became LF.
    LineEndsToLf,
    /// A byte order mark came in front.
    BomAdded,
    /// One was lost.
    BomLost,
    /// A line end came after it.
    LineEndAdded,
    /// One was lost.
    LineEndLost,
    /// White space came around it.
    WhiteSpaceAdded,
    /// JSON was written anew, and had no spaces before.
    JsonWasCompact,
    /// JSON was written anew, and had a space after commas and colons.
    JsonWasSpaced,
    /// JSON was written anew, and was indented by two or four.
    JsonWasIndented,
    /// JSON was written anew, and its slashes or letters were escaped.
    JsonWasEscaped,
    /// It was put into base64.
    IntoBase64,
    /// It was put into a JSON string.
    IntoString,
}

impl Change {
    /// Its name for machines.
    pub const fn code(self) -> &'static str {
        match self {
            Self::LineEndsToCrLf => "body_line_ends_crlf",
            Self::LineEndsToLf => "body_line_ends_lf",
            Self::BomAdded => "body_bom_added",
            Self::BomLost => "body_bom_lost",
            Self::LineEndAdded => "body_line_end_added",
            Self::LineEndLost => "body_line_end_lost",
            Self::WhiteSpaceAdded => "body_white_space_added",
            Self::JsonWasCompact => "body_json_was_compact",
            Self::JsonWasSpaced => "body_json_was_spaced",
            Self::JsonWasIndented => "body_json_was_indented",
            Self::JsonWasEscaped => "body_json_was_escaped",
            Self::IntoBase64 => "body_into_base64",
            Self::IntoString => "body_into_string",
        }
    }
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// What the body may have been, the likeliest first; none of them is the body itself.
pub fn before(body: &[u8]) -> Vec<(Change, Cow<'_, [u8]>)> {
    let mut all: Vec<(Change, Cow<'_, [u8]>)> = Vec::new();
    let shorter = [
        (Change::LineEndAdded, body.strip_suffix(b"\r\n").or_else(|| body.strip_suffix(b"\n"))),
        (Change::BomAdded, body.strip_prefix(BOM)),
        (Change::WhiteSpaceAdded, Some(body.trim_ascii())),
    ];
    all.extend(shorter.into_iter().filter_map(|(change, body)| Some((change, Cow::Borrowed(body?)))));
    let mut owned = |change, bytes: Vec<u8>| all.push((change, Cow::Owned(bytes)));
    let to_lf = with_lf(body);
    owned(Change::LineEndsToLf, with_crlf(&to_lf));
    owned(Change::LineEndsToCrLf, to_lf);
    owned(Change::LineEndLost, [body, b"\n"].concat());
    owned(Change::LineEndLost, [body, b"\r\n"].concat());
    owned(Change::BomLost, [BOM, body].concat());
    if let Some(was) = STANDARD.decode(body.trim_ascii()).ok().filter(|was| !was.is_empty()) {
        owned(Change::IntoBase64, was);
    }
    if let Ok(was) = serde_json::from_slice::<String>(body) {
        owned(Change::IntoString, was.into_bytes());
    }
    if let Some(text) = json_text(body) {
        let compact = spaced(text, Spacing::None);
        let wide = spaced(text, Spacing::AfterMarks);
        owned(Change::JsonWasIndented, spaced(text, Spacing::Indented(2)));
        owned(Change::JsonWasIndented, spaced(text, Spacing::Indented(4)));
        for base in [text, compact.as_slice(), wide.as_slice()] {
            owned(Change::JsonWasEscaped, escaped(base, false, true));
            owned(Change::JsonWasEscaped, escaped(base, true, false));
            owned(Change::JsonWasEscaped, escaped(base, true, true));
            owned(Change::JsonWasEscaped, unescaped(base));
        }
        owned(Change::JsonWasCompact, compact);
        owned(Change::JsonWasSpaced, wide);
    }
    all.retain(|(_, bytes)| **bytes != *body);
    // The simplest story that fits: the same bytes by another way are no other story.
    let simplest = |change: &Change| match change {
        Change::LineEndAdded => 0,
        Change::BomAdded => 1,
        Change::LineEndsToCrLf => 2,
        Change::JsonWasCompact => 3,
        Change::JsonWasSpaced => 4,
        Change::JsonWasIndented => 5,
        Change::LineEndsToLf => 6,
        Change::LineEndLost => 7,
        Change::BomLost => 8,
        Change::WhiteSpaceAdded => 9,
        Change::JsonWasEscaped => 10,
        Change::IntoBase64 => 11,
        Change::IntoString => 12,
    };
    all.sort_by_key(|(change, _)| simplest(change));
    let mut seen: Vec<(Change, Cow<'_, [u8]>)> = Vec::with_capacity(all.len());
    for one in all {
        if !seen.iter().any(|(_, bytes)| *bytes == one.1) {
            seen.push(one);
        }
    }
    seen
}

fn with_lf(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    for (at, byte) in body.iter().enumerate() {
        if *byte != b'\r' || body.get(at + 1) != Some(&b'\n') {
            out.push(*byte);
        }
    }
    out
}

fn with_crlf(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + body.len() / 16);
    for byte in body {
        if *byte == b'\n' {
            out.push(b'\r');
        }
        out.push(*byte);
    }
    out
}

/// The body without what stands around it, if it looks like JSON.
fn json_text(body: &[u8]) -> Option<&[u8]> {
    let text = body.strip_prefix(BOM).unwrap_or(body).trim_ascii();
    matches!(text.first()?, b'{' | b'[').then_some(text)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Spacing {
    None,
    AfterMarks,
    Indented(usize),
}

/// The same JSON with other white space. Strings and numbers stay as they are written.
fn spaced(text: &[u8], spacing: Spacing) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let (mut depth, mut at) = (0_usize, 0);
    let line = |out: &mut Vec<u8>, depth: usize| {
        if let Spacing::Indented(width) = spacing {
            out.push(b'\n');
            // A body can nest as deep as it is long.
            out.extend(std::iter::repeat_n(b' ', width * depth.min(64)));
        }
    };
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'"' => {
                let end = at + string_length(&text[at..]);
                out.extend_from_slice(&text[at - 1..end]);
                at = end;
            }
            b'{' | b'[' => {
                out.push(byte);
                depth += 1;
                let next = text[at..].iter().find(|byte| !byte.is_ascii_whitespace());
                if !matches!(next, Some(b'}' | b']')) {
                    line(&mut out, depth);
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if !matches!(out.last(), Some(b'{' | b'[')) {
                    line(&mut out, depth);
                }
                out.push(byte);
            }
            b',' => {
                out.push(byte);
                match spacing {
                    Spacing::AfterMarks => out.push(b' '),
                    _ => line(&mut out, depth),
                }
            }
            b':' => {
                out.push(byte);
                if spacing != Spacing::None {
                    out.push(b' ');
                }
            }
            byte if byte.is_ascii_whitespace() => {}
            _ => out.push(byte),
        }
    }
    out
}

/// Bytes of a string up to and with its closing quote; all of them when it does not end.
fn string_length(text: &[u8]) -> usize {
    let mut escaped = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The same JSON with slashes as `\/`, or with all letters beyond ASCII as `\u…`.
fn escaped(text: &[u8], letters: bool, slashes: bool) -> Vec<u8> {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for letter in String::from_utf8_lossy(text).chars() {
        match letter {
            '/' if slashes && before != '\\' => out.push_str("\\/"),
            letter if letters && !letter.is_ascii() => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            letter => out.push(letter),
        }
        before = letter;
    }
    out.into_bytes()
}

/// The same JSON with slashes and letters as they are.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let (mut out, mut rest) = (String::with_capacity(text.len()), &*text);
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = &rest[at..];
        let (letter, length) = match escape.as_bytes().get(1) {
            Some(b'/') => (Some('/'), 2),
            Some(b'u') => unicode(escape),
            _ => (None, 2),
        };
        match letter {
            Some(letter) => out.push(letter),
            None => out.push_str(escape.get(..length).unwrap_or(escape)),
        }
        rest = escape.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out.into_bytes()
}

/// The letter of `\uXXXX`, or of two of them, if it is one that need not be escaped, and the length of it.
fn unicode(escape: &str) -> (Option<char>, usize) {
    let unit = |at: usize| {
        let hex = escape.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(hex, 16).ok()
    };
    let Some(first) = unit(0) else { return (None, 2) };
    let pair = [first, unit(6).unwrap_or_default()];
    let decoded = match char::decode_utf16(pair).next() {
        Some(Ok(letter)) if !letter.is_ascii() => Some(letter),
        _ => None,
    };
    (decoded, decoded.map_or(6, |letter| 6 * letter.len_utf16()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(body: &[u8], change: Change) -> Vec<String> {
        let all = before(body).into_iter().filter(|(of, _)| *of == change);
        all.map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned()).collect()
    }

    #[test]
    fn each_change_is_taken_back() {
        use Change::*;
        for (body, change, was) in [
            ("a\r\nb\r\n", LineEndsToCrLf, "a\nb\n"),
            ("a\nb", LineEndsToLf, "a\r\nb"),
            ("\u{feff}{}", BomAdded, "{}"),
            ("{}", BomLost, "\u{feff}{}"),
            ("{}\n", LineEndAdded, "{}"),
            ("{}\r\n", LineEndAdded, "{}"),
            ("{}", LineEndLost, "{}\n"),
            (" a=b ", WhiteSpaceAdded, "a=b"),
            ("{\"a\": [1.50, \"b: c\"], \"d\": {}}", JsonWasCompact, "{\"a\":[1.50,\"b: c\"],\"d\":{}}"),
            ("{\"a\":[1,\"b:c\"]}", JsonWasSpaced, "{\"a\": [1, \"b:c\"]}"),
            ("{\"a\":[1],\"b\":{}}", JsonWasIndented, "{\n  \"a\": [\n    1\n  ],\n  \"b\": {}\n}"),
            ("eyJhIjoxfQ==\n", IntoBase64, "{\"a\":1}"),
            ("\"{\\\"a\\\":\\\"\\u00fc\\\"}\"", IntoString, "{\"a\":\"ü\"}"),
            ("{\"a\":\"b/c\"}", JsonWasEscaped, "{\"a\":\"b\\/c\"}"),
            ("{\"a\":\"ü😀\"}", JsonWasEscaped, "{\"a\":\"\\u00fc\\ud83d\\ude00\"}"),
            ("{\"a\":\"\\u00fc\\ud83d\\ude00\\/\\n\\u0041\"}", JsonWasEscaped, "{\"a\":\"ü😀/\\n\\u0041\"}"),
        ] {
            let found = texts(body.as_bytes(), change);
            assert!(found.contains(&was.to_owned()), "{body:?} {change:?}: {found:?}");
        }
    }

    proptest! {
        #[test]
        fn any_body_has_a_bounded_past_that_differs_from_it(
            body in prop::collection::vec(any::<u8>(), 0..200),
            json in r#"[\[{]([\[\]{},: \n"\\u0-9a-f/ü]){0,60}"#,
        ) {
            for body in [body.as_slice(), json.as_bytes()] {
                let past = before(body);
                prop_assert!(past.len() <= 32);
                for (place, (_, bytes)) in past.iter().enumerate() {
                    prop_assert!(**bytes != *body);
                    prop_assert!(!past[..place].iter().any(|(_, other)| other == bytes));
                }
            }
        }
    }
}
