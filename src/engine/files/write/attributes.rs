//! What a file keeps when its content is replaced: owner, group, extended attributes (access lists among them)
//! and the full mode.

use std::fs::{File, Metadata};
use std::path::Path;

/// Gives the file `new` what `old` (at `path`) has. `false`: something others rely on cannot be kept this way.
#[cfg(unix)]
pub fn carry_over(path: &Path, old: &Metadata, new: &File) -> std::io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let fresh = new.metadata()?;
    if (old.uid(), old.gid()) != (fresh.uid(), fresh.gid()) && !give_to(new, old.uid(), old.gid()) {
        return Ok(false);
    }
    if !extended::carry_over(path, new) {
        return Ok(false);
    }
    // Last, and with all twelve bits: a change of owner clears set-user and set-group.
    new.set_permissions(std::fs::Permissions::from_mode(old.permissions().mode()))?;
    Ok(true)
}

#[cfg(unix)]
fn give_to(file: &File, user: u32, group: u32) -> bool {
    let (user, group) = (rustix::fs::Uid::from_raw(user), rustix::fs::Gid::from_raw(group));
    rustix::fs::fchown(file, Some(user), Some(group)).is_ok()
}

#[cfg(not(unix))]
pub fn carry_over(_: &Path, old: &Metadata, new: &File) -> std::io::Result<bool> {
    new.set_permissions(old.permissions())?;
    Ok(true)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod extended {
    use std::fs::File;
    use std::path::Path;

    use rustix::fs::{XattrFlags, fgetxattr_query, fremovexattr, fsetxattr, getxattr, listxattr};

    /// The access list; a new file may have got one from its directory.
    const ACCESS_LIST: &[u8] = b"system.posix_acl_access";

    /// Sizes of a first try; most files have no attribute at all.
    const LIST_SIZE: usize = 4096;
    const VALUE_SIZE: usize = 65536;

    pub fn carry_over(path: &Path, new: &File) -> bool {
        let mut list = vec![0; LIST_SIZE];
        let Ok(length) = listxattr(path, list.as_mut_slice()) else {
            // Either the file system has no attributes, and nothing is lost, or there are more than fit here.
            return rustix::fs::listxattr_query(path).is_err();
        };
        let names: Vec<&[u8]> =
            list[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()).collect();
        if !names.contains(&ACCESS_LIST) && fgetxattr_query(new, ACCESS_LIST).is_ok() {
            let _ = fremovexattr(new, ACCESS_LIST);
        }
        names.into_iter().all(|name| copy(path, new, name) || is_set_by_the_system(name))
    }

    fn copy(path: &Path, new: &File, name: &[u8]) -> bool {
        let mut value = vec![0; VALUE_SIZE];
        getxattr(path, name, value.as_mut_slice())
            .and_then(|length| fsetxattr(new, name, &value[..length], XattrFlags::empty()))
            .is_ok()
    }

    /// Labels that the system gives to each new file itself.
    fn is_set_by_the_system(name: &[u8]) -> bool {
        name.starts_with(b"security.") || name.starts_with(b"com.apple.")
    }
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android", target_vendor = "apple"))))]
mod extended {
    pub fn carry_over(_: &std::path::Path, _: &std::fs::File) -> bool {
        true
    }
}
