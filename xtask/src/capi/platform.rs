//! The names of the libraries on each system, and the system's libraries that they need. The version of the interface,
//! `HS_ABI_VERSION`, is in the names of shared libraries.

/// A kind of operating systems.
pub(super) struct Platform {
    /// The name of the shared library that cargo builds, and the path at which it is installed.
    pub(super) shared: (&'static str, &'static str),
    /// The file that the linker of a program searches for. It is a link to the shared library, or on Windows the import library under cargo's name.
    pub(super) development: Development,
    pub(super) archive: (&'static str, &'static str),
    /// The system's libraries that the static library needs, as `rustc --print native-static-libs` lists them.
    pub(super) system: &'static str,
    /// The flags of rustc that give the shared library its name.
    pub(super) flags: &'static str,
}

pub(super) enum Development {
    Link(&'static str),
    ImportLibrary(&'static str, &'static str),
}

const LINUX: Platform = Platform {
    shared: ("libhitscan_capi.so", "lib/libhitscan.so.1"),
    development: Development::Link("lib/libhitscan.so"),
    archive: ("libhitscan_capi.a", "lib/libhitscan.a"),
    system: "-lgcc_s -lutil -lrt -lpthread -lm -ldl",
    flags: "-Clink-arg=-Wl,-soname,libhitscan.so.1",
};

const MUSL: Platform = Platform {
    system: "-lgcc_s -lc",
    flags: "-Ctarget-feature=-crt-static -Clink-arg=-Wl,-soname,libhitscan.so.1",
    ..LINUX
};

const MACOS: Platform = Platform {
    shared: ("libhitscan_capi.dylib", "lib/libhitscan.1.dylib"),
    development: Development::Link("lib/libhitscan.dylib"),
    archive: ("libhitscan_capi.a", "lib/libhitscan.a"),
    system: "-lSystem -lc -lm",
    flags: "-Clink-arg=-Wl,-install_name,@rpath/libhitscan.1.dylib",
};

/// The DLL keeps its name, because the import library contains it.
const WINDOWS: Platform = Platform {
    shared: ("hitscan_capi.dll", "bin/hitscan_capi.dll"),
    development: Development::ImportLibrary("hitscan_capi.dll.lib", "lib/hitscan.lib"),
    archive: ("hitscan_capi.lib", "lib/hitscan_static.lib"),
    system: "kernel32.lib ntdll.lib userenv.lib ws2_32.lib dbghelp.lib",
    flags: "",
};

impl Platform {
    /// Returns the platform of a target, given the target's name in `rustc`.
    pub(super) fn of(triple: &str) -> Option<Self> {
        match triple {
            _ if triple.contains("linux-musl") => Some(MUSL),
            _ if triple.contains("linux") => Some(LINUX),
            _ if triple.contains("apple-darwin") => Some(MACOS),
            _ if triple.ends_with("windows-msvc") => Some(WINDOWS),
            _ => None,
        }
    }

    /// Returns the lines with which CMake finds the shared library.
    pub(super) fn cmake(&self) -> String {
        let location = format!("IMPORTED_LOCATION \"${{_hitscan_prefix}}/{}\"", self.shared.1);
        let name = self.shared.1.rsplit('/').next().unwrap_or_default();
        match self.development {
            Development::Link(_) if name.ends_with("dylib") => {
                format!("{location}\n        IMPORTED_SONAME \"@rpath/{name}\"")
            }
            Development::Link(_) => format!("{location}\n        IMPORTED_SONAME \"{name}\""),
            Development::ImportLibrary(_, to) => {
                format!("{location}\n        IMPORTED_IMPLIB \"${{_hitscan_prefix}}/{to}\"")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Platform;
    use crate::shell::root;

    #[test]
    fn names_have_the_version_of_the_interface() {
        let header = std::fs::read_to_string(root().join("crates/hitscan-capi/include/hitscan.h")).unwrap();
        let version = header.lines().find_map(|line| line.strip_prefix("#define HS_ABI_VERSION ")).unwrap();
        for (triple, end) in [("x86_64-unknown-linux-gnu", "so."), ("aarch64-unknown-linux-musl", "so.")] {
            assert!(Platform::of(triple).unwrap().shared.1.ends_with(&format!("{end}{version}")), "{triple}");
        }
        assert!(Platform::of("aarch64-apple-darwin").unwrap().cmake().contains(&format!("libhitscan.{version}.dylib")));
        assert!(Platform::of("x86_64-pc-windows-msvc").unwrap().cmake().contains("IMPORTED_IMPLIB"));
        assert!(Platform::of("wasm32-unknown-unknown").is_none());
    }
}
