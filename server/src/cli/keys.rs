//! `acuse keys rotate`.

use super::KeysArgs;
use crate::clock::SystemClock;
use crate::domain::audit::command_line;
use crate::error::Failure;
use crate::gateway::explain_key_error;
use crate::keys;
use crate::vault::Vault;

pub(super) async fn rotate(args: KeysArgs) -> anyhow::Result<()> {
    let path = args.key_file.path()?;
    Vault::read(&path).map_err(|error| explain_key_error(Failure::Vault(error), &path))?;
    let db = super::open(&args.database).await?;
    let rotated = keys::rotate(&db, &path, &SystemClock, &command_line(), args.drop_old).await;
    db.close().await;
    let rotated = rotated.map_err(|failure| explain_key_error(failure, &path))?;
    println!("{}", rotated.key);
    let kept = match (args.drop_old, rotated.dropped) {
        (true, dropped) => format!("{dropped} older keys were taken out of it"),
        (false, _) => "the older keys stay in it for backups".to_owned(),
    };
    eprintln!(
        "acuse: {} sealed values are under the new key {} in {}; {kept}; servers with a copy of the file need the new one",
        rotated.sealed,
        rotated.key,
        path.display()
    );
    Ok(())
}
