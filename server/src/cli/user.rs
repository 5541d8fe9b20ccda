//! `acuse user add`.

use std::io::{BufRead, IsTerminal};

use zeroize::Zeroizing;

use super::UserArgs;
use crate::clock::{Clock, SystemClock};
use crate::config::ConfigError;
use crate::domain::audit::command_line;
use crate::users::{self, AddError};

pub(super) async fn add(args: UserArgs) -> anyhow::Result<()> {
    let role = args.role.role()?;
    let email = users::normal_email(&args.email)
        .ok_or_else(|| ConfigError::new("EMAIL", &args.email, "is not an e-mail address", "NAME@HOST"))?;
    let password = password(&email)?;
    let db = super::open(&args.database).await?;
    let added = users::add(&db, &email, &password, role, &command_line(), SystemClock.now()).await;
    db.close().await;
    match added {
        Ok(()) => {
            eprintln!("acuse: {email} can log in, as {role}");
            Ok(())
        }
        Err(AddError::Failure(failure)) => Err(failure.into()),
        Err(refused) => Err(refused.into()),
    }
}

/// Asks on a terminal, twice; takes one line from anything else. Never from a flag, where others can read it.
fn password(email: &str) -> anyhow::Result<Zeroizing<String>> {
    if std::io::stdin().is_terminal() {
        let first = Zeroizing::new(rpassword::prompt_password(format!("Password for {email}: "))?);
        let second = Zeroizing::new(rpassword::prompt_password("Once more: ")?);
        anyhow::ensure!(first == second, "the two passwords are not the same; nothing was added");
        return Ok(first);
    }
    let mut line = Zeroizing::new(String::new());
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(Zeroizing::new(line.trim_end_matches(['\r', '\n']).to_owned()))
}
