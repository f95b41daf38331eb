//! Interruptions and unwritable paths. No unfinished file is left, and messages use the names that the user has given.

use crate::common::tables::folder;
use crate::common::{line, program};
use std::fs;
use std::path::Path;

fn contents(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().to_string_lossy().into_owned();
    fs::read_dir(folder).unwrap().map(name).collect()
}

#[cfg(unix)]
mod signals {
    use super::*;
    use std::io::Write;
    use std::process::{Child, Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    /// Starts a command that writes a file into a folder, and waits until it has begun to.
    fn started(folder: &Path, args: &[&str]) -> Child {
        let mut child = program();
        child.args(args).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = child.spawn().unwrap();
        // The program waits for more rays, which never come.
        child.stdin.as_mut().unwrap().write_all(b"ox,oy,oz,dx,dy,dz\n0,9,0,0,-1,0\n").unwrap();
        let start = Instant::now();
        while !contents(folder).iter().any(|name| name.ends_with(".part")) {
            assert!(start.elapsed() < Duration::from_secs(60), "{args:?} writes nothing");
            assert_eq!(child.try_wait().unwrap(), None, "{args:?} ends at once");
            sleep(Duration::from_millis(2));
        }
        child
    }

    fn ended(mut child: Child, signal: &str) -> Option<i32> {
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                return status.code();
            }
            assert!(start.elapsed() < Duration::from_secs(60), "it goes on");
            sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn an_interrupted_program_leaves_nothing_behind() {
        let folder = folder("an_interrupted_program_leaves_nothing_behind");
        let commands: [&[&str]; 4] = [
            &["render", "demo", "-o", "picture.png", "--size", "4000x4000", "--samples", "8"],
            &["cast", "demo", "-", "-o", "hits.csv"],
            &["cast", "demo", "-", "-o", "hits.npz"],
            &["demo-rays", "-o", "rays.png", "--size", "5700x5700"],
        ];
        for args in commands {
            for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
                let child = started(&folder, args);
                assert_eq!(ended(child, signal), Some(code), "{args:?} {signal}");
                assert_eq!(contents(&folder), [""; 0], "{args:?} {signal}");
            }
        }
    }

    #[test]
    fn a_file_that_was_there_stays() {
        let folder = folder("a_file_that_was_there_stays");
        fs::write(folder.join("hits.csv"), "old").unwrap();
        let child = started(&folder, &["cast", "demo", "-", "-o", "hits.csv"]);
        assert_eq!(ended(child, "-INT"), Some(130));
        assert_eq!(contents(&folder), ["hits.csv"]);
        assert_eq!(fs::read_to_string(folder.join("hits.csv")).unwrap(), "old");
    }

    #[test]
    fn walking_is_interrupted_too() {
        let folder = folder("walking_is_interrupted_too");
        fs::write(folder.join("walk.csv"), "steps,dt,vx,vy,vz,jump\n4000000000,0.02,1,0,0,0\n").unwrap();
        let child =
            started(&folder, &["walk", "demo", "--script", "walk.csv", "-o", "path.csv", "--render", "path.png"]);
        assert_eq!(ended(child, "-INT"), Some(130));
        assert_eq!(contents(&folder), ["walk.csv"]);
    }

    #[test]
    fn baking_is_interrupted_too() {
        let folder = folder("baking_is_interrupted_too");
        let mut model: String = (0..200_000).map(|i| format!("v {} {} {}\n", i % 97, i % 89, i / 97)).collect();
        model.extend((1..199_000).map(|i| format!("f {i} {} {}\n", i + 1, i + 97)));
        fs::write(folder.join("model.obj"), model).unwrap();
        let child = started(&folder, &["bake", "model.obj", "-o", "model.bake", "--quality", "best"]);
        assert_eq!(ended(child, "-INT"), Some(130));
        assert_eq!(contents(&folder), ["model.obj"]);
    }
}

#[test]
fn what_cannot_be_written_is_called_by_its_name() {
    let folder = folder("what_cannot_be_written");
    fs::write(folder.join("file"), "").unwrap();
    fs::write(folder.join("rays.csv"), "ox,oy,oz,dx,dy,dz\n").unwrap();
    fs::write(folder.join("walk.csv"), "steps,dt,vx,vy,vz,jump\n").unwrap();
    let place = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for parent in ["missing", "file"] {
        let commands = [
            ("cast demo", format!("{} -o", place("rays.csv")), place(&format!("{parent}/out.csv"))),
            ("cast demo", format!("{} -o", place("rays.csv")), place(&format!("{parent}/out.npz"))),
            ("render demo", "-o".into(), place(&format!("{parent}/out.png"))),
            ("walk demo", format!("--script {} -o", place("walk.csv")), place(&format!("{parent}/out.csv"))),
            ("walk demo", format!("--script {} --render", place("walk.csv")), place(&format!("{parent}/out.png"))),
            ("bake demo", "-o".into(), place(&format!("{parent}/out.bake"))),
            ("demo-rays", "-o".into(), place(&format!("{parent}/out.png"))),
        ];
        for (command, options, out) in commands {
            let run = line(&format!("{command} {options} {out}"));
            let message = run.error();
            assert!(message.starts_with(&format!("error: cannot write {out}: ")), "{message}");
            assert!(message.contains(&format!("in the folder {}: ", place(parent))), "{message}");
            assert!(!message.contains(".hitscan-") && !message.contains(".part"), "{message}");
        }
    }
}
