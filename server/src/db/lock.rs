//! One process for a SQLite file: it has one writer, and what it holds in memory is the truth.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

/// A lock beside the file, for as long as this lives; the system ends it with the process, however that ends.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "held, not used")] File);

/// Why the file is not ours.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Somebody else has it.
    #[error("is in use by another acuse serve{0}")]
    Taken(String),
    /// The file of the lock cannot be made.
    #[error("the database cannot be opened: {path}: {source}", path = .1.display(), source = .0)]
    File(#[source] std::io::Error, PathBuf),
}

impl Lock {
    /// Takes the lock of this database file.
    ///
    /// # Errors
    /// Another process has it, or its file cannot be made.
    pub fn take(database: &Path) -> Result<Self, LockError> {
        let mut path = database.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        let failed = |error| LockError::File(error, path.clone());
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = options.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::Taken(holder(&mut file))),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // For whoever comes second; the lock does not depend on it.
        let _ = file.set_len(0).and_then(|()| file.rewind());
        let _ = write!(file, "{}", std::process::id());
        Ok(Self(file))
    }
}

/// ` (process 4711)`, as far as it can be read.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let _ = file.take(20).read_to_string(&mut text);
    let is_number = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    if is_number { format!(" (process {text})") } else { String::new() }
}
