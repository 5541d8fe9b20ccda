//! Who looks at the dashboard, and how they prefer it.

use serde::{Deserialize, Serialize};

use crate::text::Lang;
use crate::types::Role;

/// Who asks: a person or a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Viewer {
    /// The e-mail, or `token:` and the token's name. Written down as the actor of what they do.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// The address that they ask from, for the audit; none: not over the network, or in the browser.
    pub from: Option<String>,
}

/// How the viewer wants the pages: from cookies and headers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preferences {
    /// `light`, `dark`, or empty for the system's.
    pub theme: String,
    /// High contrast.
    pub contrast: bool,
    /// Language of the texts.
    pub lang: Lang,
    /// Times in UTC and not in the browser's zone.
    pub utc: bool,
}

/// Who looks at a page and how they want it: the request's on the server, the root element's in the browser, so that
/// both render the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reader {
    /// Who; none on the log-in page.
    pub viewer: Option<Viewer>,
    /// How.
    pub preferences: Preferences,
    /// On the log-in page after a try that failed: the e-mail that was typed.
    pub typed_email: String,
    /// How many alerts are open.
    pub open_alerts: i64,
}
