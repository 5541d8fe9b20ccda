//! Reads and replaces the key file: one line a key, `ID BASE64`. The first one seals, all of them open. Lines that begin
//! with `#` are comments.

use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rand::RngCore;
use zeroize::Zeroizing;

use super::MasterKey;
use super::error::VaultError;

/// What changes with a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    inode: u64,
    size: u64,
    changed: (i64, i64),
}

impl Stamp {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let file = std::fs::metadata(path)?;
        Ok(Self { inode: file.ino(), size: file.size(), changed: (file.mtime(), file.mtime_nsec()) })
    }
}

/// Puts a new key first into the file, which is replaced as a whole; tells its id.
///
/// # Errors
/// The file cannot be read or replaced, or somebody else is replacing it.
pub fn add_key(path: &Path) -> Result<String, VaultError> {
    read(path)?;
    let before =
        std::fs::read_to_string(path).map(Zeroizing::new).map_err(|error| unreadable(path, error))?;
    let (id, key) = new_key();
    let text = Zeroizing::new(format!("{id} {}\n{}", STANDARD.encode(*key), before.as_str()));
    replace(path, &text)?;
    Ok(id)
}

/// Takes every key but this one out of the file; tells how many.
///
/// # Errors
/// As `add_key`.
pub fn keep_only(path: &Path, id: &str) -> Result<usize, VaultError> {
    let before =
        std::fs::read_to_string(path).map(Zeroizing::new).map_err(|error| unreadable(path, error))?;
    let is_key = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let all = before.lines().filter(is_key).count();
    let kept: Vec<_> = before.lines().filter(|line| line.split(' ').next() == Some(id)).collect();
    if kept.len() != 1 {
        return Err(VaultError::UnknownKey(id.to_owned()));
    }
    replace(path, &Zeroizing::new(format!("{}\n", kept.concat())))?;
    Ok(all - kept.len())
}

/// Creates a file with one new key, readable by its owner only, unless there is one.
///
/// # Errors
/// It cannot be written.
pub fn create(path: &Path) -> Result<(), VaultError> {
    let failed = |error| VaultError::File { path: path.display().to_string(), done: "made", error };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let (id, key) = new_key();
    let line = Zeroizing::new(format!("{id} {}\n", STANDARD.encode(*key)));
    match std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(mut file) => file.write_all(line.as_bytes()).and_then(|()| file.sync_all()).map_err(failed),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(failed(error)),
    }
}

pub(super) fn unreadable(path: &Path, error: io::Error) -> VaultError {
    VaultError::File { path: path.display().to_string(), done: "read", error }
}

pub(super) fn read(path: &Path) -> Result<Vec<MasterKey>, VaultError> {
    let text = std::fs::read_to_string(path).map(Zeroizing::new).map_err(|error| unreadable(path, error))?;
    let mut keys: Vec<MasterKey> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let malformed = || VaultError::Malformed { path: path.display().to_string(), line: index + 1 };
        let (id, encoded) = line.split_once(' ').ok_or_else(malformed)?;
        let bytes = STANDARD.decode(encoded.trim()).map(Zeroizing::new).map_err(|_| malformed())?;
        if keys.iter().any(|key| key.id == id) {
            return Err(malformed());
        }
        keys.push(MasterKey::new(id, &bytes).ok_or_else(malformed)?);
    }
    if keys.is_empty() {
        return Err(VaultError::Malformed { path: path.display().to_string(), line: 1 });
    }
    Ok(keys)
}

/// Writes the file anew beside the old one, for the same owner, and puts it in its place: whoever reads it meanwhile
/// reads one of the two.
fn replace(path: &Path, text: &str) -> Result<(), VaultError> {
    let failed = |error| VaultError::File { path: path.display().to_string(), done: "replaced", error };
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let of = std::fs::metadata(path).map_err(failed)?;
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&new)
        .map_err(|error| VaultError::File { path: new.display().to_string(), done: "made", error })?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| std::os::unix::fs::fchown(&file, Some(of.uid()), Some(of.gid())))
        .and_then(|()| file.set_permissions(of.permissions()))
        .and_then(|()| file.sync_all())
        .and_then(|()| std::fs::rename(&new, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    written.map_err(failed)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)
}

pub(super) fn new_key() -> (String, Zeroizing<[u8; 32]>) {
    let (mut key, mut id) = (Zeroizing::new([0_u8; 32]), [0_u8; 4]);
    rand::rng().fill_bytes(&mut *key);
    rand::rng().fill_bytes(&mut id);
    (format!("k{}", hex::encode(id)), key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_replaces_the_file_is_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("acuse.key");
        create(&path).unwrap();
        std::fs::write(folder.path().join("acuse.key.new"), "").unwrap();
        assert!(add_key(&path).unwrap_err().to_string().contains("acuse.key.new"));
    }

    #[test]
    fn a_bad_key_file_is_named_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("acuse.key");
        for bad in ["", "# only a comment\n", "k1 short\n", "k1\n"] {
            std::fs::write(&path, bad).unwrap();
            let error = read(&path).err().unwrap().to_string();
            assert!(error.contains("line 1") && error.contains("acuse.key"), "{error}");
        }
    }
}
