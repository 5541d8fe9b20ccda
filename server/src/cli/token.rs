//! `acuse token create`.

use super::TokenArgs;
use crate::clock::{Clock, SystemClock};
use crate::config::ConfigError;
use crate::domain::audit::command_line;
use crate::store::user;
use crate::users::tokens;

/// Longest name of a token.
const LONGEST_NAME: usize = 100;

pub(super) async fn create(args: TokenArgs) -> anyhow::Result<()> {
    let role = args.role.role()?;
    let name = args.name.trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        let accepted = "1 to 100 characters of one line";
        return Err(ConfigError::new("NAME", &args.name, "is not the name of a token", accepted).into());
    }
    let db = super::open(&args.database).await?;
    let value = user::token::new_value();
    tokens::add(&db, name, role, &value, &command_line(), SystemClock.now()).await?;
    db.close().await;
    println!("{}", value.as_str());
    Ok(())
}
