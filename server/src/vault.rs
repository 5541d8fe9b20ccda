//! Sealing secrets at rest: XChaCha20-Poly1305 under a master key, bound to the row that they belong to.
//!
//! The key file has one line a key, `ID BASE64`; the first one seals, all of them open. Lines that begin with `#`
//! are comments.

use std::fmt;
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use rand::RngCore;
use zeroize::Zeroizing;

use crate::domain::secret::SecretValue;

const NONCE: usize = 24;

/// The master keys. They are read again when the file has changed, so that a new one counts without a restart.
pub struct Vault {
    keys: RwLock<Arc<Vec<MasterKey>>>,
    file: Option<KeyFile>,
}

/// Where the keys come from, and what the file looked like when they were read.
struct KeyFile {
    path: PathBuf,
    seen: Mutex<Option<Stamp>>,
}

/// What changes with a file.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    size: u64,
    changed: (i64, i64),
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let file = std::fs::metadata(path)?;
        Ok(Self { inode: file.ino(), size: file.size(), changed: (file.mtime(), file.mtime_nsec()) })
    }
}

struct MasterKey {
    id: String,
    cipher: XChaCha20Poly1305,
}

/// A sealed value, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Nonce and ciphertext.
    pub bytes: Vec<u8>,
    /// The master key that it was sealed under.
    pub key_id: String,
}

/// Why something does not open.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// The key file cannot be read or made.
    #[error("the key file {path} cannot be {done}: {error}")]
    File {
        /// Where.
        path: String,
        /// What was tried.
        done: &'static str,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// The key file is not of the form.
    #[error("the key file {path}, line {line}: accepted is an id, a space and 32 bytes in base64")]
    Malformed {
        /// Where.
        path: String,
        /// Counted from 1.
        line: usize,
    },
    /// No key of that id is here.
    #[error("the master key {0:?} that secrets are sealed under is not in the key file")]
    UnknownKey(String),
    /// The key of that id is another one, or the bytes were changed.
    #[error(
        "a secret does not open under the master key {0:?}: the key file is not the one it was sealed with"
    )]
    WrongKey(String),
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.keys().iter().map(|key| &key.id)).finish()
    }
}

impl Vault {
    /// Reads the keys of a file.
    ///
    /// # Errors
    /// It cannot be read, or is not of the form.
    pub fn read(path: &Path) -> Result<Self, VaultError> {
        let seen = Stamp::of(path).ok();
        let keys = RwLock::new(Arc::new(read_keys(path)?));
        Ok(Self { keys, file: Some(KeyFile { path: path.to_owned(), seen: Mutex::new(seen) }) })
    }

    /// Reads the keys again when the file has changed since. Tells whether it has.
    ///
    /// # Errors
    /// As `read`; the keys stay as they were.
    pub fn refresh(&self) -> Result<bool, VaultError> {
        let Some(file) = &self.file else { return Ok(false) };
        let mut seen = file.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Stamp::of(&file.path).map_err(|error| unreadable(&file.path, error))?;
        if *seen == Some(now) {
            return Ok(false);
        }
        let keys = read_keys(&file.path)?;
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
        *seen = Some(now);
        Ok(true)
    }

    fn keys(&self) -> Arc<Vec<MasterKey>> {
        Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The key that seals.
    ///
    /// # Errors
    /// There is none; cannot be after `read`.
    pub fn sealing_key(&self) -> Result<String, VaultError> {
        let keys = self.keys();
        keys.first().map(|key| key.id.clone()).ok_or_else(|| VaultError::UnknownKey(String::new()))
    }

    /// Puts a new key first into the file, which is replaced as a whole; tells its id.
    ///
    /// # Errors
    /// The file cannot be read or replaced, or somebody else is replacing it.
    pub fn add_key(path: &Path) -> Result<String, VaultError> {
        read_keys(path)?;
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

    /// Makes a file with one new key, readable by its owner only, unless there is one.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn make_file(path: &Path) -> Result<(), VaultError> {
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

    /// One new key in memory; for tests.
    pub fn ephemeral() -> Self {
        let (id, key) = new_key();
        Self { keys: RwLock::new(Arc::new(MasterKey::new(&id, &*key).into_iter().collect())), file: None }
    }

    /// Seals a value so that it opens only for the same `owner`, such as `secret/sec_…`.
    ///
    /// # Errors
    /// There is no key; cannot be after `read`.
    pub fn seal(&self, value: &SecretValue, owner: &str) -> Result<Sealed, VaultError> {
        let keys = self.keys();
        let key = keys.first().ok_or_else(|| VaultError::UnknownKey(String::new()))?;
        let mut nonce = [0_u8; NONCE];
        rand::rng().fill_bytes(&mut nonce);
        let payload = Payload { msg: value.expose().as_bytes(), aad: owner.as_bytes() };
        let sealed = key
            .cipher
            .encrypt(XNonce::from_slice(&nonce), payload)
            .map_err(|_| VaultError::WrongKey(key.id.clone()))?;
        Ok(Sealed { bytes: [&nonce[..], &sealed].concat(), key_id: key.id.clone() })
    }

    /// Opens what was sealed for the same `owner`.
    ///
    /// # Errors
    /// The key is not here, is another one, or the bytes belong to another owner.
    pub fn open(&self, sealed: &Sealed, owner: &str) -> Result<SecretValue, VaultError> {
        match Self::open_with(&self.keys(), sealed, owner) {
            // Sealed under a key that has just been added.
            Err(VaultError::UnknownKey(id)) if self.refresh()? => {
                tracing::info!(key = id, "the master keys were read again");
                Self::open_with(&self.keys(), sealed, owner)
            }
            opened => opened,
        }
    }

    fn open_with(keys: &[MasterKey], sealed: &Sealed, owner: &str) -> Result<SecretValue, VaultError> {
        let key = keys
            .iter()
            .find(|key| key.id == sealed.key_id)
            .ok_or_else(|| VaultError::UnknownKey(sealed.key_id.clone()))?;
        let wrong = || VaultError::WrongKey(key.id.clone());
        let (nonce, bytes) = sealed.bytes.split_at_checked(NONCE).ok_or_else(wrong)?;
        let payload = Payload { msg: bytes, aad: owner.as_bytes() };
        let plain = key
            .cipher
            .decrypt(XNonce::from_slice(nonce), payload)
            .map(Zeroizing::new)
            .map_err(|_| wrong())?;
        Ok(SecretValue::new(std::str::from_utf8(&plain).map_err(|_| wrong())?))
    }
}

impl MasterKey {
    fn new(id: &str, bytes: &[u8]) -> Option<Self> {
        (bytes.len() == 32)
            .then(|| Self { id: id.to_owned(), cipher: XChaCha20Poly1305::new(Key::from_slice(bytes)) })
    }
}

fn unreadable(path: &Path, error: io::Error) -> VaultError {
    VaultError::File { path: path.display().to_string(), done: "read", error }
}

fn read_keys(path: &Path) -> Result<Vec<MasterKey>, VaultError> {
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

fn new_key() -> (String, Zeroizing<[u8; 32]>) {
    let (mut key, mut id) = (Zeroizing::new([0_u8; 32]), [0_u8; 4]);
    rand::rng().fill_bytes(&mut *key);
    rand::rng().fill_bytes(&mut id);
    (format!("k{}", hex::encode(id)), key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_for_its_owner_only() {
        let vault = Vault::ephemeral();
        let value = SecretValue::new("whsec_test");
        let sealed = vault.seal(&value, "secret/sec_1").unwrap();
        assert!(vault.open(&sealed, "secret/sec_1").unwrap() == value);
        assert!(matches!(vault.open(&sealed, "secret/sec_2"), Err(VaultError::WrongKey(_))));
        assert!(matches!(Vault::ephemeral().open(&sealed, "secret/sec_1"), Err(VaultError::UnknownKey(_))));
        assert!(!sealed.bytes.windows(5).any(|bytes| bytes == b"whsec"));
    }

    #[test]
    fn a_key_file_is_made_once_and_for_its_owner() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/acuse.key");
        Vault::make_file(&path).unwrap();
        let sealed = Vault::read(&path).unwrap().seal(&SecretValue::new("x"), "o").unwrap();
        Vault::make_file(&path).unwrap();
        assert_eq!(Vault::read(&path).unwrap().open(&sealed, "o").unwrap().expose(), "x");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_new_key_is_taken_up_and_the_old_one_opens_until_it_is_dropped() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("acuse.key");
        Vault::make_file(&path).unwrap();
        let running = Vault::read(&path).unwrap();
        let old = running.seal(&SecretValue::new("old"), "o").unwrap();
        assert!(!running.refresh().unwrap(), "nothing has changed");

        let id = Vault::add_key(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let other = Vault::read(&path).unwrap();
        assert_eq!(other.sealing_key().unwrap(), id);
        let new = other.seal(&SecretValue::new("new"), "o").unwrap();
        assert_eq!((new.key_id == id, old.key_id == id), (true, false));
        assert_eq!(running.open(&new, "o").unwrap().expose(), "new", "without being told");
        assert_eq!(running.open(&old, "o").unwrap().expose(), "old");
        assert_eq!(running.sealing_key().unwrap(), id);

        assert_eq!(Vault::keep_only(&path, &id).unwrap(), 1);
        assert!(running.refresh().unwrap());
        assert!(matches!(running.open(&old, "o"), Err(VaultError::UnknownKey(_))));
        assert_eq!(running.open(&new, "o").unwrap().expose(), "new");
        assert!(matches!(Vault::keep_only(&path, "k0"), Err(VaultError::UnknownKey(_))));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn keys_that_cannot_be_read_again_leave_those_that_there_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("acuse.key");
        Vault::make_file(&path).unwrap();
        let vault = Vault::read(&path).unwrap();
        let sealed = vault.seal(&SecretValue::new("x"), "o").unwrap();
        std::fs::write(&path, "half a li").unwrap();
        assert!(vault.refresh().is_err());
        assert!(Vault::add_key(&path).is_err());
        assert_eq!(vault.open(&sealed, "o").unwrap().expose(), "x");
    }

    #[test]
    fn whoever_replaces_the_file_is_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("acuse.key");
        Vault::make_file(&path).unwrap();
        std::fs::write(folder.path().join("acuse.key.new"), "").unwrap();
        assert!(Vault::add_key(&path).unwrap_err().to_string().contains("acuse.key.new"));
    }

    #[test]
    fn a_bad_key_file_is_named_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("acuse.key");
        for bad in ["", "# only a comment\n", "k1 short\n", "k1\n"] {
            std::fs::write(&path, bad).unwrap();
            let error = Vault::read(&path).unwrap_err().to_string();
            assert!(error.contains("line 1") && error.contains("acuse.key"), "{error}");
        }
    }
}
