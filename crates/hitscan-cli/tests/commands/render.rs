//! Pictures: `hitscan render` and `hitscan demo-rays`.

use crate::common;
use crate::common::tables::folder;
use crate::common::{Run, hitscan, line, walls};
use image::{Rgb, RgbImage};
use std::fs;
use std::path::Path;

fn open(file: &Path) -> RgbImage {
    image::open(file).unwrap().into_rgb8()
}

/// Renders the walls through their orthographic camera, where (x, y) = ((X - 50) / 50, (50 - Y) / 50): the near wall's
/// two triangles fill the picture.
fn render_walls(file: &Path, out: &Path, more: &[&str]) -> Run {
    let walls = file.to_str().unwrap();
    let args = ["render", walls, "-o", out.to_str().unwrap(), "--size", "100x100", "--camera", "1"];
    hitscan([&args, more].concat())
}

fn rendered(test: &str, more: &[&str]) -> RgbImage {
    let out = folder(test).join("walls.png");
    let run = render_walls(&walls::write(test), &out, more);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    open(&out)
}

/// The normal (0, 0, 1) is drawn as (0.5, 0.5, 1).
#[test]
fn normals_are_colors() {
    let picture = rendered("normals_are_colors", &["--mode", "normal"]);
    assert_eq!(picture.dimensions(), (100, 100));
    assert!(picture.pixels().all(|pixel| *pixel == Rgb([128, 128, 255])), "{:?}", picture.get_pixel(50, 50));
}

/// The third wall, at a distance of 20, is one triangle below the diagonal. An option hides the first two walls.
#[test]
fn the_farthest_is_the_darkest() {
    let picture = rendered("the_farthest_is_the_darkest", &["--mode", "depth", "--hide", "near"]);
    assert_eq!(*picture.get_pixel(75, 75), Rgb([255; 3]));
    let lower = rendered("the_farthest_2", &["--mode", "depth", "--hide", "near", "--hide", "wall", "--samples", "1"]);
    assert_eq!((*lower.get_pixel(75, 75), *lower.get_pixel(25, 25)), (Rgb([255; 3]), Rgb([0; 3])));
    let demo = folder("the_farthest_3").join("demo.png");
    let run = line(&format!("render demo -o {} --mode depth --size 64x36", demo.display()));
    assert_eq!(run.code, Some(0), "{run:?}");
    let demo = open(&demo);
    // The fence is in front of the hills, and the sky is above them.
    let [fence, hill, sky] = [(24, 34), (40, 9), (32, 0)].map(|(x, y)| demo.get_pixel(x, y).0[0]);
    assert!(fence > hill && hill > sky && sky == 0, "{fence} {hill} {sky}");
}

#[test]
fn entities_have_colors_of_their_own() {
    let all = rendered("entities_have_colors", &["--mode", "entity"]);
    let second = rendered("entities_have_colors_2", &["--mode", "entity", "--hide", "near"]);
    let color = |picture: &RgbImage| *picture.get_pixel(50, 50);
    assert_ne!(color(&all), color(&second));
    assert!(all.pixels().all(|pixel| *pixel == color(&all)));
}

#[test]
fn the_mark_is_drawn_over_the_picture() {
    let plain = rendered("the_mark", &["--mode", "normal"]);
    let marked = rendered("the_mark_2", &["--mode", "normal", "--mark", "30.5,30.5"]);
    let difference = |x, y| (0..3).map(|c| plain.get_pixel(x, y).0[c].abs_diff(marked.get_pixel(x, y).0[c])).max();
    // The point itself is white, and the rest of the entity is tinted.
    assert_eq!(*marked.get_pixel(30, 30), Rgb([255; 3]));
    assert!(difference(95, 5) > Some(20));
    // All pixels that do not belong to the entity are unchanged, such as the sky next to the demo's tower.
    let folder = folder("the_mark_3");
    let demo = |name: &str, more: &str| {
        let out = folder.join(name);
        let run = line(&format!("render demo -o {} --size 320x180 --samples 1 {more}", out.display()));
        (run, open(&out))
    };
    let (_, plain) = demo("plain.png", "");
    let (run, marked) = demo("marked.png", "--mark 160,78");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(plain.get_pixel(20, 5), marked.get_pixel(20, 5));
    assert_ne!(plain, marked);
    let (run, same) = demo("sky.png", "--mark 20,5");
    assert_eq!(run.code, Some(0));
    assert_eq!(run.stderr, "warning: --mark 20,5: there is nothing under this pixel, so nothing is marked\n");
    assert_eq!(plain, same);
    let (run, outlined) = demo("nothing.png", "--circle 20,5,3");
    assert_eq!(run.stderr, "warning: nothing is in the region, so only its outline is drawn\n");
    assert_ne!(plain, outlined);
}

#[test]
fn pictures_do_not_depend_on_the_threads() {
    let folder = folder("pictures_do_not_depend");
    let [one, three] = ["1", "3"].map(|threads| {
        let out = folder.join(format!("{threads}.png"));
        let command = format!("render demo -o {} --size 160x90 --threads {threads} --mark 80,40", out.display());
        assert_eq!(line(&command).code, Some(0));
        fs::read(&out).unwrap()
    });
    assert!(one == three);
}

/// A picture on the wall is drawn, and problems with it are reported only if it would be drawn.
#[test]
fn textures_are_for_shaded_pictures_alone() {
    let folder = folder("textures");
    let (model, out) = (folder.join("wall.obj"), folder.join("out.png"));
    let wall = "mtllib wall.mtl\nusemtl paper\nv -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n\
        f 1/1 2/2 3/3 4/4\n";
    fs::write(&model, wall).unwrap();
    fs::write(folder.join("wall.mtl"), "newmtl paper\nmap_Kd paper.png\n").unwrap();
    let at = "--eye 0,0,5 --target 0,0,0 --ortho 2 --size 64x64";
    let render = |more: &str| line(&format!("render {} -o {} {at} {more}", model.display(), out.display()));

    let plain = render("");
    let expected = "material 0 \"paper\" is drawn without its texture: \"paper.png\" cannot be read: ";
    assert_eq!(plain.code, Some(0));
    assert!(plain.stderr.starts_with("warning: ") && plain.stderr.contains(expected), "{plain:?}");
    assert_eq!((render("--mode depth").stderr, render("--quiet").stderr), (String::new(), String::new()));
    let pick = line(&format!("pick {} {at} --at 32,32", model.display()));
    assert_eq!((pick.code, pick.stderr.as_str()), (Some(0), ""));

    // The picture is red on the left and blue on the right.
    let paper = RgbImage::from_fn(8, 8, |x, _| if x < 4 { Rgb([200, 30, 30]) } else { Rgb([30, 30, 200]) });
    paper.save(folder.join("paper.png")).unwrap();
    let papered = render("");
    assert_eq!((papered.code, papered.stderr.as_str()), (Some(0), ""));
    let picture = open(&out);
    let [left, right] = [16, 48].map(|x| picture.get_pixel(x, 32).0);
    assert!(left[0] > 3 * left[2] && right[2] > 3 * right[0], "{left:?} {right:?}");
}

/// A room without light has a longer exposure, and the same wall in the sun has the usual one.
#[test]
fn dark_pictures_are_exposed_for_longer() {
    let folder = folder("exposure");
    let out = folder.join("out.png");
    let mean = |kd: &str| {
        let model = folder.join(format!("wall-{kd}.obj"));
        fs::write(&model, "mtllib wall.mtl\nusemtl a\nv -9 -9 0\nv 9 -9 0\nv 9 9 0\nv -9 9 0\nf 1 2 3 4\n").unwrap();
        fs::write(folder.join("wall.mtl"), format!("newmtl a\nKd {kd}\n")).unwrap();
        let at = "--eye 0,0,5 --target 0,0,0 --ortho 2 --size 16x16";
        assert_eq!(line(&format!("render {} -o {} {at}", model.display(), out.display())).code, Some(0));
        open(&out).get_pixel(8, 8).0[1]
    };
    let [bright, dark, darker] = ["0.8", "0.1", "0.05"].map(mean);
    // Both dark walls are raised to the same brightness. The wall in the sun stays brighter than them.
    assert!(dark.abs_diff(darker) <= 1 && bright > dark + 40, "{bright} {dark} {darker}");
}

/// The sun shades the grass with varying brightness, and there is a sky above it.
#[test]
fn the_village_has_light_and_shadow() {
    let out = folder("light_and_shadow").join("demo.png");
    assert_eq!(line(&format!("render demo -o {} --size 320x180", out.display())).code, Some(0));
    let picture = open(&out);
    let is_grass = |pixel: &&Rgb<u8>| pixel.0[1] > pixel.0[0].max(pixel.0[2]);
    let greens: Vec<u8> = picture.pixels().filter(is_grass).map(|pixel| pixel.0[1]).collect();
    let (dark, bright) =
        (greens.iter().filter(|&&green| green < 110).count(), greens.iter().filter(|&&g| g > 150).count());
    assert!(dark > 1000 && bright > 5000, "{dark} {bright}");
    let Rgb([red, _, blue]) = *picture.get_pixel(10, 2);
    assert!(blue > red.saturating_add(50));
}

#[test]
fn the_box_and_its_rays() {
    let folder = folder("the_box_and_its_rays");
    let [one, two] = ["1.png", "2.png"].map(|name| folder.join(name));
    for out in [&one, &two] {
        let run = line(&format!("demo-rays -o {}", out.display()));
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    }
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    let picture = open(&one);
    let count = |is: fn(&Rgb<u8>) -> bool| picture.pixels().filter(|pixel| is(pixel)).count();
    let red = count(|Rgb([red, green, blue])| *red > 180 && *green < 80 && *blue < 80);
    let blue = count(|Rgb([red, green, blue])| *blue > 180 && *red < 80 && *green < 120);
    let ink = count(|Rgb([red, green, blue])| *red < 80 && *green < 80 && *blue < 90);
    assert!(red > 1000 && blue > 1000 && ink > 1000, "{red} {blue} {ink}");
    let small = folder.join("small.png");
    assert_eq!(line(&format!("demo-rays -o {} --size 1x1", small.display())).code, Some(0));
    assert_eq!(open(&small).dimensions(), (1, 1));
}

#[test]
fn errors_say_what_is_wrong_and_leave_no_file() {
    let folder = folder("render_errors");
    let out = |name: &str| folder.join(name).display().to_string();
    let wrong = [
        (format!("render demo -o {}", out("a.jpg")), "a.jpg: pictures are written to .png files"),
        (format!("demo-rays -o {}", out("a")), "pictures are written to .png files"),
        (format!("render demo -o {}", out("nowhere/a.png")), "nowhere/a.png: "),
        (format!("demo-rays -o {}", out("nowhere/a.png")), "nowhere/a.png: "),
        (format!("render demo -o {} --size 100000x100000", out("a.png")), "10000000000 pixels, and a picture at most"),
        (format!("render demo -o {} --mark 1281,0", out("a.png")), "--mark 1281,0 is outside the picture of 1280x720"),
        (format!("render demo -o {} --camera Nobody", out("a.png")), "--camera Nobody: there is no such camera"),
        (format!("render nowhere.glb -o {}", out("a.png")), "nowhere.glb: there is no such file"),
        (format!("render demo -o {} --hide Nobody", out("a.png")), "--hide Nobody: there is no entity"),
    ];
    for (command, expected) in wrong {
        let run = line(&command);
        assert!(run.error().contains(expected), "{command}: {run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{command}: {run:?}");
    }
    for (command, expected) in [
        ("render demo".to_owned(), "--out"),
        ("demo-rays".to_owned(), "--out"),
        (format!("render demo -o {} --mode pretty", out("a.png")), "shaded, normal, depth, entity"),
        (format!("render demo -o {} --samples 0", out("a.png")), "--samples"),
    ] {
        let run = line(&command);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{command}");
        assert!(run.stderr.contains(expected), "{command}: {run:?}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

/// An empty scene shows a sky, and any number of pixels is a valid picture.
#[test]
fn nothing_and_little_can_be_drawn() {
    let folder = folder("nothing_and_little");
    let (model, out) = (folder.join("nothing.gltf"), folder.join("out.png"));
    fs::write(&model, "{\"asset\": {\"version\": \"2.0\"}}").unwrap();
    for mode in ["shaded", "normal", "depth", "entity"] {
        for size in ["1x1", "3x200", "200x3"] {
            let line = format!("-q render {} -o {} --mode {mode} --size {size}", model.display(), out.display());
            assert_eq!(common::line(&line).code, Some(0), "{line}");
            let line = format!("render demo -o {} --mode {mode} --size {size} --mark 0.5,1", out.display());
            assert_eq!(common::line(&line).code, Some(0), "{line}");
            assert_eq!(
                open(&out).dimensions(),
                size.split_once('x').map(|(w, h)| (w.parse().unwrap(), h.parse().unwrap())).unwrap()
            );
        }
    }
}
