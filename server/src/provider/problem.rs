//! What a call of a provider's API can end in, each told in one sentence that says what to look at.

/// What is told of an API where it differs from others.
#[derive(Debug, PartialEq, Eq)]
pub struct ApiDescription {
    /// What it lists, such as `invoices`.
    pub lists: &'static str,
    /// What to check when the credentials are not accepted.
    pub check: &'static str,
    /// What is needed when the key may not list.
    pub needed: &'static str,
}

/// Why the API gave no answer that can be used. The text names no secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// The base URL of the settings is none.
    #[error("the API's base URL {0:?} is not an http or https URL")]
    BaseUrl(String),
    /// No client could be made.
    #[error("no HTTP client could be made: {0}")]
    Client(String),
    /// No answer.
    #[error("the API at {host} could not be reached ({problem})")]
    Unreachable {
        /// Host and port.
        host: String,
        /// In the words of the network.
        problem: String,
    },
    /// 401: the key, the secret or the clock.
    #[error("the API did not accept the credentials (401 {code}): check {}", about.check)]
    Unauthorized {
        /// Its code for the reason.
        code: String,
        /// Which API.
        about: &'static ApiDescription,
    },
    /// 403: the key may not do this.
    #[error("the API key may not list {} (403 {code}): {} is needed", about.lists, about.needed)]
    Forbidden {
        /// Its code for the reason.
        code: String,
        /// Which API.
        about: &'static ApiDescription,
    },
    /// 429, still after the retries.
    #[error("the API asked to slow down (429) and did so again after {0} retries")]
    TooMany(u32),
    /// 429 or 503 with a longer wait than a run can take.
    #[error("the API asked to wait {0} seconds, longer than a run waits; try again later")]
    WaitTooLong(u64),
    /// 5xx, still after the retries.
    #[error("the API has a problem of its own ({status}), still after {retries} retries")]
    Broken {
        /// HTTP status.
        status: u16,
        /// How often it was asked again.
        retries: u32,
    },
    /// Any other answer that is not 2xx.
    #[error("the API refused the request ({status} {code})")]
    Refused {
        /// HTTP status.
        status: u16,
        /// Its code for the reason.
        code: String,
    },
    /// Not what its documentation says.
    #[error("the API's answer to {path} is not as documented ({problem})")]
    Malformed {
        /// Which call.
        path: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// A list that would never end.
    #[error("the API gave the same cursor twice: its list would never end")]
    RepeatedCursor,
    /// A list that is longer than a run follows.
    #[error("the window holds more than {most} {}: choose a smaller one", about.lists)]
    TooManyPages {
        /// Rows that a run reads.
        most: usize,
        /// Which API.
        about: &'static ApiDescription,
    },
}

impl ApiError {
    /// From an answer that is not 2xx and is not worth another try.
    pub fn from_answer(status: u16, body: &[u8], about: &'static ApiDescription) -> Self {
        let code = code_of(body);
        match status {
            401 => Self::Unauthorized { code, about },
            403 => Self::Forbidden { code, about },
            _ => Self::Refused { status, code },
        }
    }
}

/// The code of a problem, if it looks like one: it goes into texts and logs. Stripe and Paddle put it into `error`, and
/// where Stripe has none, the type says most.
fn code_of(body: &[u8]) -> String {
    let named = |code: &&str| {
        (1..=64).contains(&code.len())
            && code.bytes().all(|c| c.is_ascii_alphanumeric() || b"_-.".contains(&c))
    };
    let problem: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    ["/code", "/error/code", "/error/type"]
        .iter()
        .find_map(|place| problem.pointer(place)?.as_str().filter(named).map(str::to_owned))
        .unwrap_or_else(|| "without a code".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: ApiDescription = ApiDescription {
        lists: "invoices",
        check: "the key, the secret and the clock",
        needed: "a Payment key",
    };

    #[test]
    fn a_problem_becomes_one_sentence() {
        for (status, body, sentence) in [
            (
                401,
                r#"{"code":"invalid_signature"}"#,
                "the API did not accept the credentials (401 invalid_signature): check the key, the secret and the clock",
            ),
            (
                403,
                r#"{"code":"payment_key_required"}"#,
                "the API key may not list invoices (403 payment_key_required): a Payment key is needed",
            ),
            (400, r#"{"code":"a\nb"}"#, "the API refused the request (400 without a code)"),
            (
                400,
                r#"{"error":{"type":"invalid_request_error","message":"no"}}"#,
                "the API refused the request (400 invalid_request_error)",
            ),
            (
                404,
                r#"{"error":{"type":"request_error","code":"not_found"}}"#,
                "the API refused the request (404 not_found)",
            ),
            (302, "<html>", "the API refused the request (302 without a code)"),
        ] {
            assert_eq!(ApiError::from_answer(status, body.as_bytes(), &ABOUT).to_string(), sentence);
        }
    }
}
