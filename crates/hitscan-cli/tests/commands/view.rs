//! `hitscan view`. Without a window it says how to get one, and with a window a script plays the user. `--web` serves the page, if the page was built.

#[cfg(not(feature = "window"))]
#[test]
fn without_a_window_it_says_how_to_get_one() {
    let run = crate::common::line("view demo");
    assert!(run.error().contains("cargo install --path crates/hitscan-cli --features window"), "{run:?}");
}

#[test]
fn the_help_says_how_to_look() {
    let help = crate::common::line("view --help");
    assert!(help.code == Some(0) && help.stdout.contains("shift-drag"), "{help:?}");
}

#[cfg(feature = "window")]
mod window {
    use crate::common::{self, Run};
    use hitscan_random::skip::skipped;
    use serde_json::Value;
    use std::io::Write;
    use std::process::{Command, Stdio};

    /// Returns a command that runs the program with a virtual display. If there is no such display, it reports a skip and
    /// returns `None`.
    fn displayed() -> Option<Command> {
        let is_there = Command::new("xvfb-run").arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !is_there.is_ok_and(|status| status.success()) {
            skipped("display", "apt-get install xvfb xauth");
            return None;
        }
        let mut command = Command::new("xvfb-run");
        command.args(["--auto-servernum", "--server-args=-screen 0 1280x800x24", env!("CARGO_BIN_EXE_hitscan")]);
        command
            .args(["view", "demo", "--size", "480x270"])
            .env("WINIT_X11_SCALE_FACTOR", "1")
            .env_remove("WAYLAND_DISPLAY");
        Some(command)
    }

    /// Plays a script, and returns the lines that it prints.
    fn played(script: &str) -> Option<Vec<Value>> {
        let mut command = displayed()?;
        let mut child = command
            .args(["--script", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("xvfb-run starts");
        child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script}\n{errors}");
        let lines = String::from_utf8(output.stdout).unwrap();
        Some(lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    /// Returns the answer of `pick` in a picture of the same size.
    fn picked(at: &str) -> Value {
        common::line(&format!("pick demo --size 480x270 --at {at} --json")).hits()[0].clone()
    }

    #[test]
    fn hovers_and_clicks_are_those_of_pick() {
        let script = "move 240,135\nprint\npress left\nrelease left\nprint\nleave\nprint\n";
        let Some(lines) = played(script) else { return };
        let hit = picked("240,135");
        assert_eq!(lines[0]["hovered"], hit["entity"]);
        assert_eq!(lines[0]["selected"], serde_json::json!([]));
        assert_eq!(lines[1]["picked"], hit);
        assert_eq!(lines[1]["selected"], serde_json::json!([hit["entity"]]));
        assert_eq!(lines[2]["hovered"], Value::Null);
    }

    #[test]
    fn a_drag_turns_and_selects_nothing() {
        let script = "move 240,135\npress left\nmove 300,150\nmove 330,160\nrelease left\nprint\n\
                      press left\nrelease left\nprint\nkey home\nmove 240,135\npress left\nrelease left\nprint\n";
        let Some(lines) = played(script) else { return };
        assert_eq!((&lines[0]["selected"], &lines[0]["picked"]), (&serde_json::json!([]), &Value::Null));
        assert_ne!(lines[1]["picked"]["point"], picked("330,160")["point"]);
        assert_eq!(lines[2]["picked"], picked("240,135"));
    }

    #[test]
    fn rectangles_and_lassos_select() {
        let drag = "move 190,80\npress left\nmove 230,100\nmove 280,160\nrelease left\n";
        let lasso = "key escape\nkey L\nmove 190,80\npress left\nmove 190,160\nmove 280,160\nmove 280,80\nrelease left\nprint\n";
        let Some(lines) = played(&format!("press shift\n{drag}release shift\nprint\n{lasso}")) else { return };
        let selected = lines[0]["selected"].as_array().unwrap();
        assert!(selected.len() > 3 && selected.contains(&"Bakery".into()), "{selected:?}");
        assert_eq!(lines[1]["selected"], lines[0]["selected"]);
    }

    #[test]
    fn handles_move_what_is_selected() {
        let start = "move 240,135\npress left\nrelease left\nkey G\nprint\n";
        let Some(lines) = played(start) else { return };
        let place = |line: &Value, what: &str| -> Vec<f64> {
            line["handles"][what].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
        };
        let [x, y] = place(&lines[0], "pixel")[..] else { panic!("{lines:?}") };
        let drag = format!(
            "move {x},{y}\npress left\nmove {},{}\nmove {},{}\nrelease left\nprint\n",
            x + 20.0,
            y - 5.0,
            x + 50.0,
            y - 10.0
        );
        let lines = played(&format!("{start}{drag}")).expect("it was there before");
        let moved = place(&lines[1], "pixel");
        assert!((moved[0] - x - 50.0).abs() < 1.0 && (moved[1] - y + 10.0).abs() < 1.0, "{moved:?}");
        assert_ne!(place(&lines[0], "point"), place(&lines[1], "point"));
        assert_eq!(lines[1]["selected"], lines[0]["selected"]);
        assert_eq!(lines[1]["picked"], Value::Null);
    }

    #[test]
    fn a_shot_is_what_render_draws_below() {
        let folder = tempfile::tempdir().unwrap();
        let (shot, rendered) = (folder.path().join("shot.png"), folder.path().join("rendered.png"));
        let Some(_) = played(&format!("wait 0.1\nshot {}\n", shot.display())) else { return };
        let render = common::line(&format!("render demo --size 480x270 -o {}", rendered.display()));
        assert_eq!(render.code, Some(0), "{render:?}");
        let [shot, rendered] = [shot, rendered].map(|path| image::open(path).unwrap().to_rgb8());
        assert_eq!(shot.dimensions(), rendered.dimensions());
        // Text covers the rows above and below these.
        for (x, y, pixel) in rendered.enumerate_pixels().filter(|(_, y, _)| (40..230).contains(y)) {
            assert_eq!(shot.get_pixel(x, y), pixel, "{x},{y}");
        }
    }

    /// Events of a mouse and a keyboard come through the display.
    #[test]
    fn the_mouse_and_the_keyboard_do_the_same() {
        let Some(view) = displayed() else { return };
        // Without a display, xdotool fails even for `--version`, so its file is searched for.
        let folders = std::env::var_os("PATH").unwrap_or_default();
        if !std::env::split_paths(&folders).any(|folder| folder.join("xdotool").is_file()) {
            return skipped("display", "apt-get install xdotool");
        }
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script.txt");
        std::fs::write(&script, "watch 10\nprint\n").unwrap();
        let [program, rest @ ..] = &view.get_args().skip(2).collect::<Vec<_>>()[..] else { unreachable!() };
        let words: Vec<_> = rest.iter().map(|word| word.to_str().unwrap()).collect();
        let mouse = "xdotool search --sync --name 'demo - hitscan' windowfocus mousemove --window %1 60 100 mousemove \
                     --window %1 240 135 sleep 0.3 click 1 sleep 0.3 key g sleep 0.3 mousedown 3 mousemove_relative 40 5 \
                     mousemove_relative 20 5 mouseup 3";
        let line =
            format!("{} {} --script {} & {mouse}; wait $!", program.display(), words.join(" "), script.display());
        let mut command = Command::new("xvfb-run");
        command.args(view.get_args().take(2)).args(["sh", "-c", &line]).env("WINIT_X11_SCALE_FACTOR", "1");
        let output = command.env_remove("WAYLAND_DISPLAY").output().unwrap();
        let (shown, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{shown}{errors}");
        let last = shown.lines().last().unwrap_or_default();
        let state: Value = serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {shown}{errors}"));
        assert_eq!(state["picked"], picked("240,135"), "{shown}{errors}");
        // The handles are shown, and the camera has turned around the point under the cursor.
        assert!(state["handles"]["pixel"].is_array(), "{state}");
    }

    #[test]
    fn errors_end_it() {
        let without = |variables: [&str; 2], args: &str| {
            let mut command = common::program();
            for variable in variables {
                command.env_remove(variable);
            }
            let output = command.args(args.split(' ')).output().unwrap();
            let text = |bytes| String::from_utf8(bytes).unwrap();
            Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
        };
        let displays = ["DISPLAY", "WAYLAND_DISPLAY"];
        assert!(without(displays, "view missing.glb").error().contains("missing.glb: there is no such file"));
        assert!(without(displays, "view demo --script missing.txt").error().contains("missing.txt: cannot be read"));
        if cfg!(target_os = "linux") {
            assert!(without(displays, "view demo").error().contains("there is no display"));
        }
    }
}
