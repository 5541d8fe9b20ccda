//! `acuse verify`: the binary over every vector, and what it says.

use std::path::Path;
use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use server::domain::signature::Scheme;

/// Exit status and output.
fn verify(folder: &Path, secrets: &str, body: &[u8], args: &[String]) -> (i32, String, String) {
    let (secret_file, body_file) = (folder.join("secrets"), folder.join("body"));
    std::fs::write(&secret_file, secrets).unwrap();
    std::fs::write(&body_file, body).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_acuse"))
        .current_dir(folder)
        .env_clear()
        .arg("verify")
        .arg("--secret-file")
        .arg(&secret_file)
        .args(args)
        .arg(&body_file)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn args(pairs: &[(&str, &str)]) -> Vec<String> {
    pairs.iter().flat_map(|(name, value)| [format!("--{name}"), (*value).to_owned()]).collect()
}

/// The URL that a row's scheme signs, or whose query it does.
fn url(row: &Value) -> Option<String> {
    if let Some(url) = row["extra"]["notification_url"].as_str() {
        return Some(url.to_owned());
    }
    let query = row["extra"]["query"].as_object()?;
    let pairs: Vec<_> =
        query.iter().map(|(name, value)| format!("{name}={}", value.as_str().unwrap())).collect();
    Some(format!("https://shop.example/hook?{}", pairs.join("&")))
}

#[test]
fn every_vector_comes_out_as_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let files =
        [include_str!("../../data/vectors/signatures.json"), include_str!("../../data/vectors/more.json")];
    let (mut checked, mut wrong) = (0, Vec::new());
    let rows =
        |file: &str| serde_json::from_str::<Value>(file).unwrap()["vectors"].as_array().unwrap().clone();
    for row in &files.map(rows).concat() {
        let text = |name: &str| row[name].as_str().unwrap();
        assert!(text("scheme").parse::<Scheme>().is_ok(), "{}", text("scheme"));
        let secrets: Vec<_> =
            row["secrets"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        let tolerance = row["tolerance_s"].as_i64().map_or("none".to_owned(), |it| it.to_string());
        let mut given =
            args(&[("scheme", text("scheme")), ("now", &row["now"].to_string()), ("tolerance", &tolerance)]);
        for (name, value) in row["headers"].as_object().unwrap() {
            given.extend(args(&[("header", &format!("{name}: {}", value.as_str().unwrap()))]));
        }
        given.extend(url(row).iter().flat_map(|url| args(&[("url", url)])));
        let body = STANDARD.decode(text("body_base64")).unwrap();
        let secrets = secrets.iter().map(|secret| format!("{secret}\n")).collect::<String>();
        let (status, said, errors) = verify(folder.path(), &secrets, &body, &given);
        let expected = text("expect");
        let first = said.lines().next().unwrap_or_default();
        if first != expected || status != i32::from(expected != "valid") || !errors.is_empty() {
            wrong.push(format!("{}: {status} {first} {errors}, expected {expected}", text("id")));
        }
        if expected == "valid" {
            assert_eq!(said, "valid\n", "{}", text("id"));
        } else {
            assert!(said.lines().count() >= 3, "{}: {said}", text("id"));
        }
        checked += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(checked, 182);
}

#[test]
fn what_was_found_is_said_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let now = ("now", "1700000000");
    let square = ("header", "X-Square-HmacSha256-Signature: O1AlXa/fNbt8zUaZ8h5uxXXShIS3GZwKGLiPqrsus1M=");
    let square_body = square_body();
    let cases: &[(&str, &[u8], Vec<String>, &str)] = &[
        ("whsec_!!!\n", b"{}", args(&[("scheme", "svix"), now]), "missing_header_or_secret"),
        (
            "asdf1234\n",
            &square_body,
            args(&[("scheme", "square"), square, ("url", "https://example.com/webhook/")]),
            "signature_mismatch\n\nThis provider signs the address that it posts to. It matches \
             https://example.com/webhook; this source has https://example.com/webhook/. Make the two the same, letter by \
             letter.\n",
        ),
        (
            "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056\n",
            b"{}",
            args(&[("scheme", "adyen_standard")]),
            "malformed_header\n\nThis provider puts its signatures into the body, and there are none in this one. Either \
             HMAC signatures are not enabled at the provider, or something else sent it.\n",
        ),
        (
            "one\nanother\n",
            b"{}",
            args(&[("scheme", "flutterwave_static"), ("header", "verif-hash: a third")]),
            "signature_mismatch\n\nThis sender signs nothing: the header Verif-Hash is the secret itself. 2 secrets were \
             tried. None matches the one that arrived. Compare the secret at the sender with the one of this source.\n",
        ),
    ];
    for (secrets, body, given, expected) in &cases[1..] {
        let (status, said, errors) = verify(folder.path(), secrets, body, given);
        assert_eq!((status, said.as_str(), errors.as_str()), (1, *expected, ""));
    }
    let (secrets, body, given, _) = &cases[0];
    let (status, said, _) = verify(folder.path(), secrets, body, given);
    assert_eq!(status, 1);
    assert!(
        said.starts_with(
            "bad_secret\n\nNo active secret of the source can be read as base64. Copy it from the provider once more, all \
             of it and nothing else, then verify again.\n"
        ),
        "{said}"
    );
}

fn square_body() -> Vec<u8> {
    let file: Value = serde_json::from_str(include_str!("../../data/vectors/signatures.json")).unwrap();
    let rows = file["vectors"].as_array().unwrap();
    let row = rows.iter().find(|row| row["id"] == "square-01").unwrap();
    STANDARD.decode(row["body_base64"].as_str().unwrap()).unwrap()
}

#[test]
fn a_wrong_call_is_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    for (given, told) in [
        (
            args(&[("scheme", "paypal")]),
            "ACUSE_VERIFY_SCHEME=\"paypal\" is not a scheme (--scheme); accepted: paymos, ",
        ),
        (
            args(&[("scheme", "paymos"), ("now", "noon")]),
            "ACUSE_VERIFY_NOW=\"noon\" is not a time (--now); accepted: Unix seconds",
        ),
        (
            args(&[("scheme", "paymos"), ("tolerance", "-1")]),
            "ACUSE_VERIFY_TOLERANCE=\"-1\" is below zero (--tolerance); accepted: a number of seconds from 0 on, or none",
        ),
        (
            args(&[("scheme", "paymos"), ("header", "x")]),
            "ACUSE_VERIFY_HEADER=\"x\" is not a header (--header); accepted: NAME: VALUE, once for each header",
        ),
    ] {
        let (status, said, errors) = verify(folder.path(), "a\n", b"", &given);
        assert_eq!((status, said.as_str()), (2, ""), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.contains(told), "{errors}");
    }
    let output =
        Command::new(env!("CARGO_BIN_EXE_acuse")).args(["verify", "--scheme", "paymos"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "a file is missing");
}
