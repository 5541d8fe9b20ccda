//! How often a log-in may fail: 5 times for an account and 20 times from an address within 15 minutes; then it
//! waits for 15 minutes.
//!
//! An attempt is written down as failed before the password is looked at and taken back when it was right: so no
//! number of attempts at the same time gets more tries than the limit.

use std::net::IpAddr;

use app::types::Timestamp;

use crate::db::Db;
use crate::store::user;

/// Seconds that failures count, and that a wait lasts.
pub const WINDOW_S: i64 = 15 * 60;
/// Failures of an account.
pub const PER_ACCOUNT: i64 = 5;
/// Failures from an address.
pub const PER_ADDRESS: i64 = 20;
/// Old rows are dropped each time that so many were written.
const PRUNE_EVERY: i64 = 64;

/// An attempt that may go on.
#[derive(Debug)]
pub struct Attempt {
    account: String,
    rows: [i64; 2],
    /// Tries that are left for the account if this one fails.
    pub left: i64,
    /// Whether this was the address's last one.
    last_of_address: bool,
}

/// Whether an attempt may go on.
#[derive(Debug)]
pub enum LoginDecision {
    /// It may.
    Open(Attempt),
    /// Not before so many seconds have passed.
    Wait(i64),
}

/// Begins an attempt for this account from this address.
///
/// # Errors
/// The database does not answer.
pub async fn begin(
    db: &Db,
    email: &str,
    address: Option<IpAddr>,
    now: Timestamp,
) -> sqlx::Result<LoginDecision> {
    let account = format!("account:{email}");
    let (of_address, left_of_address) = match enter(db, &subject(address), PER_ADDRESS, now).await? {
        Entry::Allowed { row, left } => (row, left),
        Entry::Refused { wait_s } => return Ok(LoginDecision::Wait(wait_s)),
    };
    match enter(db, &account, PER_ACCOUNT, now).await? {
        Entry::Allowed { row, left } => Ok(LoginDecision::Open(Attempt {
            account,
            rows: [of_address, row],
            left,
            last_of_address: left_of_address == 0,
        })),
        Entry::Refused { wait_s } => {
            user::login_failure::delete(db, of_address).await?;
            Ok(LoginDecision::Wait(wait_s))
        }
    }
}

impl Attempt {
    /// The password was right: the account's failures are forgotten, the address's others stay.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn succeeded(self, db: &Db) -> sqlx::Result<()> {
        for row in self.rows {
            user::login_failure::delete(db, row).await?;
        }
        user::login_failure::clear(db, &self.account).await
    }

    /// Seconds to wait after it failed; 0 while tries are left.
    pub const fn wait_s(&self) -> i64 {
        if self.left == 0 || self.last_of_address { WINDOW_S } else { 0 }
    }
}

enum Entry {
    Allowed { row: i64, left: i64 },
    Refused { wait_s: i64 },
}

async fn enter(db: &Db, subject: &str, limit: i64, now: Timestamp) -> sqlx::Result<Entry> {
    // Who has to wait already costs no write.
    let wait_s = wait(&user::login_failure::latest_but(db, subject, 0, limit).await?, limit, now);
    if wait_s > 0 {
        return Ok(Entry::Refused { wait_s });
    }
    let row = user::login_failure::insert(db, subject, now).await?;
    if row % PRUNE_EVERY == 0 {
        user::login_failure::prune(db, now.plus_seconds(-2 * WINDOW_S)).await?;
    }
    let earlier = user::login_failure::latest_but(db, subject, row, limit).await?;
    let wait_s = wait(&earlier, limit, now);
    if wait_s > 0 {
        user::login_failure::delete(db, row).await?;
        return Ok(Entry::Refused { wait_s });
    }
    let counted = earlier.iter().filter(|at| **at > now.plus_seconds(-WINDOW_S)).count();
    let counted = i64::try_from(counted).unwrap_or(limit);
    Ok(Entry::Allowed { row, left: (limit - 1 - counted).max(0) })
}

/// Seconds to wait after these failures, newest first: the limit was reached within one window.
fn wait(latest: &[Timestamp], limit: i64, now: Timestamp) -> i64 {
    let reached = usize::try_from(limit).ok().and_then(|limit| latest.get(limit - 1));
    match (latest.first(), reached) {
        (Some(last), Some(first)) if last.seconds_since(*first) < WINDOW_S => {
            (WINDOW_S - now.seconds_since(*last)).clamp(0, WINDOW_S)
        }
        _ => 0,
    }
}

/// Neighbours in one IPv6 network of 64 bits are one address: they are handed out by such networks.
fn subject(address: Option<IpAddr>) -> String {
    match address.map(|address| address.to_canonical()) {
        Some(IpAddr::V4(address)) => format!("address:{address}"),
        Some(IpAddr::V6(address)) => {
            let [a, b, c, d, ..] = address.segments();
            format!("address:{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
        None => "address:unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_when_the_limit_was_reached_within_the_window() {
        let at = |minute: i64| Timestamp::from_unix(minute * 60);
        let list = |minutes: &[i64]| minutes.iter().map(|minute| at(*minute)).collect::<Vec<_>>();
        for (failures, now, expected) in [
            (&[4, 3, 2, 1][..], 4, 0),
            (&[4, 3, 2, 1, 0], 4, 900),
            (&[4, 3, 2, 1, 0], 18, 60),
            (&[4, 3, 2, 1, 0], 19, 0),
            (&[16, 3, 2, 1, 0], 16, 0),
            (&[14, 3, 2, 1, 0], 15, 840),
        ] {
            assert_eq!(wait(&list(failures), 5, at(now)), expected, "{failures:?} at {now}");
        }
    }

    #[test]
    fn an_address_is_its_network() {
        for (address, expected) in [
            ("203.0.113.9", "address:203.0.113.9"),
            ("::ffff:203.0.113.9", "address:203.0.113.9"),
            ("2001:db8:1:2:3:4:5:6", "address:2001:db8:1:2::/64"),
        ] {
            assert_eq!(subject(address.parse().ok()), expected);
        }
    }
}
