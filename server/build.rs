//! Turns the built site (`scripts/site`) into a static table, so that the binary carries its assets.
//! Without a site, as in a plain `cargo test`, the table is empty.

use std::{env, error::Error, fmt::Write, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed=ACUSE_SITE_DIR");
    let site = match env::var_os("ACUSE_SITE_DIR") {
        Some(dir) => fs::canonicalize(dir)?,
        None => PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../target/site"),
    };
    let manifest = site.join("manifest.tsv");
    if manifest.exists() {
        println!("cargo:rerun-if-changed={}", manifest.display());
    } else {
        // Cargo runs a build script anew at every build when what it watches is missing: so it gets a folder to watch.
        fs::create_dir_all(&site)?;
        println!("cargo:rerun-if-changed={}", site.display());
    }

    let mut table = String::from("&[\n");
    for line in fs::read_to_string(&manifest).unwrap_or_default().lines() {
        let [name, file, content_type, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("{}: fewer than three columns: {line}", manifest.display()).into());
        };
        let path = site.join(file);
        let path = path.display();
        writeln!(
            table,
            "Asset {{ name: {name:?}, file: {file:?}, content_type: {content_type:?}, \
             identity: include_bytes!(r\"{path}\"), br: include_bytes!(r\"{path}.br\"), \
             gzip: include_bytes!(r\"{path}.gz\") }},"
        )?;
    }
    table.push_str("]\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("assets.rs"), table)?;
    Ok(())
}
