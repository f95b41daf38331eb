//! Small generated OBJ files, each for one feature of the format.

use hitscan::glam::{Vec2, Vec3};
use hitscan::{Geometry, Mesh};
use hitscan_io::{Alpha, Format, Model, Problem, Warning};
use std::path::PathBuf;

fn read(text: &str) -> Result<Model, Problem> {
    Model::from_bytes_as(Format::Obj, text.as_bytes(), None)
}

/// 3---2   A square in the plane z = 0 that faces +z, with sides of length 1, and corner 4 at z = 1 above corner 0.
/// |   |
/// 0---1   4
const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n";

fn square(faces: &str) -> Result<Model, Problem> {
    read(&format!("{SQUARE}{faces}"))
}

fn mesh(model: &Model, entity: usize) -> &Mesh {
    match &model.entities[entity].geometry {
        Geometry::Mesh(mesh) => mesh,
        other => panic!("an OBJ entity is a mesh, not {other:?}"),
    }
}

/// Returns each triangle's corners, as numbers of the square's corners.
fn triangles(model: &Model, entity: usize) -> Vec<[usize; 3]> {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y, Vec3::Z];
    let number = |corner: Vec3| corners.iter().position(|&known| known == corner).unwrap();
    (0..).map_while(|triangle| mesh(model, entity).triangle(triangle)).map(|corners| corners.map(number)).collect()
}

fn names(model: &Model) -> Vec<&str> {
    model.entities.iter().map(|entity| entity.name.as_str()).collect()
}

#[test]
fn polygons_are_cut_in_file_order() {
    let model = square("f 1 2 3 4\nf 5 2 1\n").unwrap();
    assert_eq!(triangles(&model, 0), [[0, 1, 2], [0, 2, 3], [4, 1, 0]]);
    assert_eq!(mesh(&model, 0).positions().len(), 5);
    let flat = square("f 1 2 2\nf 1 1 1 1\n").unwrap();
    assert_eq!((mesh(&flat, 0).triangle_count(), mesh(&flat, 0).degenerate_count()), (3, 3), "without area, and kept");
}

#[test]
fn entities_are_objects_else_groups_and_names_that_repeat_go_on() {
    let groups = "g b\nf 1 2 3\ng a c\nf 2 3 4\ng b\nf 1 3 4\n";
    let model = square(&format!("f 1 2 5\n{groups}")).unwrap();
    assert_eq!(names(&model), ["object0", "b", "a c"]);
    assert_eq!(triangles(&model, 1), [[0, 1, 2], [0, 2, 3]]);
    let model = square(&format!("o thing \n{groups}o empty\no other\nf 5 1 2\no thing\nf 5 2 3\n")).unwrap();
    assert_eq!(names(&model), ["thing", "other"]);
    assert_eq!(triangles(&model, 0), [[0, 1, 2], [1, 2, 3], [0, 2, 3], [4, 1, 2]]);
    assert!(model.entities.iter().all(|entity| entity.node.is_none()));
}

#[test]
fn indices_count_from_one_or_backwards_and_may_look_ahead() {
    let expected = [[0, 1, 2], [0, 2, 3]];
    for faces in ["f -5 -4 -3 -2", "f 1/ 2// 3 4", "f\t1 \\\r\n2 \\\n3 4 # the square", "fo 1 2 3 4"] {
        assert_eq!(triangles(&square(faces).unwrap(), 0), expected, "{faces}");
    }
    assert_eq!(triangles(&read(&format!("f 1 2 3 4\n{SQUARE}")).unwrap(), 0), expected);
    let carriage_returns = format!("{SQUARE}f 1 2 3 4").replace('\n', "\r");
    assert_eq!(triangles(&read(&carriage_returns).unwrap(), 0), expected);
    let wide: Vec<u8> = format!("\u{FEFF}{SQUARE}f 1 2 3 4").encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(triangles(&Model::from_bytes_as(Format::Obj, &wide, None).unwrap(), 0), expected);
}

#[test]
fn faults_name_their_line() {
    for (faces, expected) in [
        ("f 1 2 6", "line 6 has a face with vertex 6, and the file has 5"),
        ("\nf 1 2 0", "line 7 has the corner \"0\", whose vertex is no index"),
        ("f 1 2 -6", "line 6 has the corner \"-6\""),
        ("f 1 2 x/1", "line 6 has the corner \"x/1\""),
        ("f 1 2 /1", "line 6 has the corner \"/1\" without a vertex"),
        ("f 1 2 99999999999999999999", "is no index"),
        ("v 1 1\nf 1 2 6", "line 6 is no vertex of three finite numbers, and the face of line 7 has it"),
        ("v 1 nan 1\nf 1 2 6", "line 6 is no vertex"),
        ("v 1 1e99 1\nf 1 2 -1", "line 6 is no vertex"),
        ("v 1,5 1 1\nf 1 2 -1", "line 6 is no vertex"),
        ("p 1 2\nl 1 2", "has no faces"),
        ("f 1 2", "has no faces"),
    ] {
        let message = square(faces).unwrap_err().to_string();
        assert!(message.contains(expected), "{faces}: {message}");
    }
    assert!(square("v 1 nan 1\nf 1 2 3").is_ok(), "a vertex that no face has does not matter");
    let other = read("hello\nworld").unwrap_err().to_string();
    assert!(other.contains("no readable OBJ") && other.contains("\"hello\""), "{other}");
    assert_eq!(read("# nothing").unwrap().warnings, [Warning::Nothing]);
}

#[test]
fn corners_carry_texture_coordinates_and_normals() {
    let points = "vt 0 0\nvt 2 0 7\nvt 0 4\nvn 0 0 1\nvn 0 1 0\nvt nan 0\n";
    let model = square(&format!("{points}f 1/1/1 2/2/1 4/3/2\nusemtl x\nf 1//1 2//1 5//2\n")).unwrap();
    let own = mesh(&model, 0);
    assert_eq!(own.texcoord_at(0, Vec2::new(0.5, 0.25)), Some(Vec2::new(1.0, 1.0)), "as written");
    assert_eq!(own.normal_at(0, Vec2::new(0.25, 0.25)), Some(Vec3::new(0.0, 0.25, 0.75)));
    assert_eq!(own.positions().len(), 6, "a vertex for each combination");
    let has: Vec<bool> = model.entities[0].primitives.iter().map(|primitive| primitive.has_texcoords).collect();
    assert_eq!(has, [true, false]);

    let model = square(&format!("{points}f 1/1/1 2/9/1 4/4/8\n")).unwrap();
    assert_eq!(mesh(&model, 0).normal_at(0, Vec2::ZERO), None, "a corner has none");
    assert!(!model.entities[0].primitives[0].has_texcoords);
    let told: Vec<String> = model.warnings.iter().map(ToString::to_string).collect();
    assert!(told[0].contains("without a texture coordinate") && told[0].contains(": 2, the first of them in line 12"));
    assert!(told[1].contains("normal") && told.len() == 2, "{told:?}");
}

/// A temporary folder of this test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("hitscan-io-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("sub")).unwrap();
        files.iter().for_each(|(name, text)| std::fs::write(folder.join(name), text).unwrap());
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn names_tell_the_format_and_then_the_content() {
    let ply = "ply\nformat ascii 1.0\nend_header\n";
    let files = [
        ("a.Obj", SQUARE),
        ("b.glb", ply),
        ("c.mesh", ply),
        ("d.mesh", "{\"asset\":{\"version\":\"2.0\"}}"),
        ("e", SQUARE),
    ];
    let folder = Folder::new("formats", &files);
    let load = |name: &str| Model::load(folder.0.join(name)).map_err(|error| error.problem);
    assert!(matches!(load("a.Obj"), Err(Problem::NoFaces { vertices: 5 })));
    assert!(matches!(load("b.glb"), Err(Problem::Format)));
    assert!(load("c.mesh").is_ok() && load("d.mesh").is_ok());
    let message = load("e").unwrap_err().to_string();
    assert!([".gltf", ".glb", ".obj", ".stl", ".ply"].iter().all(|extension| message.contains(extension)), "{message}");
    assert!(matches!(Model::from_bytes(SQUARE.as_bytes(), None), Err(Problem::UnknownFormat)));
}

#[test]
fn materials_come_from_libraries_and_are_solid() {
    let text = format!(
        "mtllib some colours.mtl\nmtllib .\\sub\\a.mtl b.mtl\nmtllib none.mtl\nmtllib /etc/passwd\n{SQUARE}usemtl  glass\n\
         f 1 2 3\nf 1 3 4\nusemtl nowhere\nf 1 2 5\nusemtl glass\nf 2 3 5\n"
    );
    let files = [
        ("model.OBJ", text.as_str()),
        ("some colours.mtl", "newmtl wall\nKd 0.5 0.25 1\nnewmtl glass\nd 0.5\nmap_Kd x.png\n"),
        ("sub/a.mtl", "newmtl glass\nKd 0 0 0\n"),
        ("b.mtl", "newmtl b\nTr 1\nd 1\n"),
    ];
    let folder = Folder::new("materials", &files);
    let model = Model::load(folder.0.join("model.OBJ")).unwrap();
    let told: Vec<_> = model.materials.iter().map(|m| (m.name.as_deref().unwrap(), m.base_color, m.alpha)).collect();
    let expected = [
        ("wall", [0.5, 0.25, 1.0, 1.0], Alpha::Opaque),
        ("glass", [1.0, 1.0, 1.0, 0.5], Alpha::Blend),
        ("glass", [0.0, 0.0, 0.0, 1.0], Alpha::Opaque),
        ("b", [1.0; 4], Alpha::Opaque),
        ("nowhere", [1.0; 4], Alpha::Opaque),
    ];
    assert_eq!(told, expected);
    let primitives = &model.entities[0].primitives;
    let runs: Vec<_> = primitives.iter().map(|p| (p.index, p.first_triangle, p.triangles, p.material)).collect();
    assert_eq!(runs, [(0, 0, 2, Some(1)), (1, 2, 1, Some(4)), (2, 3, 1, Some(1))]);
    let faults: Vec<String> = model.warnings.iter().map(ToString::to_string).collect();
    assert!(
        faults[0].contains("\"none.mtl\" cannot be read") && faults[1].contains("only paths relative"),
        "{faults:?}"
    );
    assert_eq!(faults.len(), 2);
    let in_memory = read(&text).unwrap();
    assert!(in_memory.warnings.iter().all(|warning| matches!(warning, Warning::Library(_))));
    let undefined = square("usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3").unwrap().warnings;
    assert_eq!(undefined, [Warning::Undefined { count: 2, first: "a".into() }]);
}
