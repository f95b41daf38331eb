//! Small generated PLY files, each for one feature of the format.

use hitscan::glam::{Vec2, Vec3};
use hitscan::{Geometry, Mesh};
use hitscan_io::{Format, Model, Problem, Warning};

fn mesh(model: &Model) -> &Mesh {
    match &model.entities[0].geometry {
        Geometry::Mesh(mesh) => mesh,
        other => panic!("a PLY entity is a mesh, not {other:?}"),
    }
}

/// Returns each triangle's corners, as numbers of the square's corners.
fn triangles(model: &Model) -> Vec<[usize; 3]> {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    let number = |corner: Vec3| corners.iter().position(|&known| known == corner).unwrap();
    (0..).map_while(|triangle| mesh(model).triangle(triangle)).map(|corners| corners.map(number)).collect()
}

/// 3---2   A square in the plane z = 0 that faces +z.
/// |   |
/// 0---1
const VERTICES: &str = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
const SQUARE: &str = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
const FACE: &str = "element face 1\nproperty list uchar int vertex_indices\n";

fn text(header: &str, body: &str) -> Result<Model, Problem> {
    let bytes = format!("ply\nformat ascii 1.0\n{header}end_header\n{body}");
    assert_eq!(Format::of(bytes.as_bytes()), Some(Format::Ply));
    Model::from_bytes(bytes.as_bytes(), None)
}

#[test]
fn faces_are_polygons() {
    let model = text(&format!("{VERTICES}{FACE}"), &format!("{SQUARE}4 0 1 2 3\n")).unwrap();
    assert_eq!(triangles(&model), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(
        (model.entities[0].name.as_str(), model.entities[0].node, &model.warnings[..]),
        ("mesh0", None, &[][..])
    );
    let fewer = FACE.replace("face 1", "face 3").replace("vertex_indices", "vertex_index");
    let model = text(&format!("{VERTICES}{fewer}"), &format!("{SQUARE}\n2 0 1\n3 0 1 2 and more\n0\n")).unwrap();
    assert_eq!(triangles(&model), [[0, 1, 2]]);
    assert!(matches!(&model.warnings[..], [Warning::Faces { count: 2, first }] if first.index == 0));
}

#[test]
fn strips_turn_every_other_triangle() {
    let strips = "element tristrips 1\nproperty list int int vertex_indices\n";
    let model = text(&format!("{VERTICES}{strips}"), &format!("{SQUARE}9 0 1 3 2 -1 0 -1 1 2\n")).unwrap();
    assert_eq!(triangles(&model), [[0, 1, 3], [1, 2, 3]]);
    let model = text(&format!("{VERTICES}{strips}"), &format!("{SQUARE}8 0 1 3 2 -1 1 2 3\n")).unwrap();
    assert_eq!(triangles(&model), [[0, 1, 3], [1, 2, 3], [1, 2, 3]]);
    let both = text(&format!("{VERTICES}{strips}{FACE}"), &format!("{SQUARE}3 1 2 3\n3 0 1 2\n")).unwrap();
    assert_eq!(triangles(&both), [[0, 1, 2], [1, 2, 3]], "faces come first");
}

/// Returns the bytes of a value in a type of PLY, in either byte order.
fn bytes_of(kind: &str, value: f64, big: bool) -> Vec<u8> {
    let mut bytes = match kind {
        "char" | "int8" => vec![value as i8 as u8],
        "uchar" | "uint8" => vec![value as u8],
        "short" | "int16" => (value as i16).to_le_bytes().into(),
        "ushort" | "uint16" => (value as u16).to_le_bytes().into(),
        "int" | "int32" => (value as i32).to_le_bytes().into(),
        "uint" | "uint32" => (value as u32).to_le_bytes().into(),
        "float" | "float32" => (value as f32).to_le_bytes().into(),
        _ => value.to_le_bytes().to_vec(),
    };
    if big {
        bytes.reverse();
    }
    bytes
}

#[test]
fn binary_files_have_two_byte_orders_and_eight_types() {
    let square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]];
    for kind in ["char", "uint8", "short", "ushort", "int32", "uint", "float32", "double"] {
        for (order, big) in [("little", false), ("big", true)] {
            let header = format!(
                "ply\nformat binary_{order}_endian 1.0\ncomment c\nelement odd 2\nproperty list {kind} short skipped\nproperty {kind} q\n\
                 element vertex 4\nproperty {kind} x\nproperty uchar flag\nproperty {kind} y\nproperty {kind} z\n\
                 element face 1\nproperty list uint8 {kind} vertex_index\nend_header"
            );
            let mut body = Vec::new();
            let mut put = |kind: &str, value: i32| body.extend(bytes_of(kind, f64::from(value), big));
            for count in [2, 0] {
                put(kind, count);
                (0..count).for_each(|_| put("short", 9));
                put(kind, 5);
            }
            for [x, y, z] in square {
                [(kind, x), ("uchar", 255), (kind, y), (kind, z)]
                    .into_iter()
                    .for_each(|(kind, value)| put(kind, value));
            }
            put("uint8", 4);
            (0..4).for_each(|vertex| put(kind, vertex));
            for line_break in ["\n", "\r\n"] {
                let bytes = [header.as_bytes(), line_break.as_bytes(), &body].concat();
                let model = Model::from_bytes(&bytes, None).unwrap();
                assert_eq!(triangles(&model), [[0, 1, 2], [0, 2, 3]], "{kind} {order} {line_break:?}");
                assert_eq!(model.warnings, []);
                for length in header.len() + line_break.len()..bytes.len() {
                    assert!(Model::from_bytes(&bytes[..length], None).is_err(), "{kind} {order} cut to {length}");
                }
            }
            let returns = [header.replace('\n', "\r").as_bytes(), b"\r", &body].concat();
            assert_eq!(triangles(&Model::from_bytes(&returns, None).unwrap()).len(), 2);
            let longer = [header.as_bytes(), b"\n", &body, b"more"].concat();
            assert_eq!(Model::from_bytes(&longer, None).unwrap().warnings, [Warning::Trailing { bytes: 4 }]);
        }
    }
}

#[test]
fn data_may_begin_with_a_line_feed() {
    let x = f32::from_le_bytes([b'\n', b'\n', 0x80, 0x3F]);
    for line_break in ["\n", "\r\n", "\r"] {
        let header = format!("ply\nformat binary_little_endian 1.0\n{}{FACE}end_header\n", VERTICES.replace('4', "3"));
        let mut bytes = header.replace('\n', line_break).into_bytes();
        for corner in [[x, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            bytes.extend(corner.into_iter().flat_map(f32::to_le_bytes));
        }
        bytes.push(3);
        bytes.extend([0, 1, 2].into_iter().flat_map(i32::to_le_bytes));
        let model = Model::from_bytes(&bytes, None).unwrap();
        assert_eq!(mesh(&model).positions()[0], Vec3::new(x, 0.0, 0.0), "{line_break:?}");
    }
}

#[test]
fn vertices_and_faces_have_texture_coordinates() {
    let at = |model: &Model| mesh(model).texcoord_at(0, Vec2::new(0.5, 0.25));
    for names in [["s", "t"], ["u", "v"], ["texture_u", "texture_v"]] {
        let header = format!(
            "{VERTICES}property float {}\nproperty float {}\nproperty float nx\nproperty float ny\nproperty float nz\n{FACE}",
            names[0], names[1]
        );
        let model =
            text(&header, "0 0 0 0 0 0 0 1\n1 0 0 2 0 0 0 1\n1 1 0 0 4 0 1 0\n0 1 0 0 0 0 0 1\n3 0 1 2\n").unwrap();
        assert_eq!(at(&model), Some(Vec2::new(1.0, 1.0)));
        assert_eq!(mesh(&model).normal_at(0, Vec2::new(0.25, 0.25)), Some(Vec3::new(0.0, 0.25, 0.75)));
        assert!(model.entities[0].primitives[0].has_texcoords);
    }
    let faces = "element face 2\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n";
    let model = text(&format!("{VERTICES}{faces}"), &format!("{SQUARE}3 0 1 2 6 0 0 2 0 0 4\n3 0 2 3 6 1 1 0 4 0 0\n"))
        .unwrap();
    assert_eq!(at(&model), Some(Vec2::new(1.0, 1.0)));
    assert_eq!(mesh(&model).texcoord_at(1, Vec2::ZERO), Some(Vec2::ONE), "vertex 0 has another one in each face");
    assert_eq!(mesh(&model).positions().len(), 5);
    let model =
        text(&format!("{VERTICES}{faces}"), &format!("{SQUARE}3 0 1 2 6 0 0 2 0 0 4\n3 0 2 3 2 1 1\n")).unwrap();
    assert!(!model.entities[0].primitives[0].has_texcoords, "a face has too few");
}

#[test]
fn what_a_header_states_is_checked_against_the_file() {
    for (from, to, expected) in [
        ("vertex 4", "vertex 4294967295", "element 0 \"vertex\" states 4294967295 records of 6 bytes"),
        ("vertex 4", "vertex 18446744073709551615", "element 0"),
        ("vertex 4", "vertex 5", "is the last one"),
        ("face 1", "face 2", "line 15 is the last one"),
        ("vertex 4", "vertex -4", "line 3 of its header is no `element NAME COUNT`"),
        ("float y", "real y", "line 5 of its header is no property"),
        ("float y", "float w", "element 0 \"vertex\" has no properties x, y and z"),
        ("vertex_indices", "indices", "element 1 \"face\" has no list vertex_indices"),
        ("format ascii", "format utf8", "line 2 of its header is no known `format`"),
        ("format", "comment", "does not say which `format`"),
        ("end_header", "end", "has no end"),
        ("3 0 1 2", "3 0 1 4", "face 0 has the vertex 4, and there are 4"),
        ("3 0 1 2", "3 0 1 -1", "face 0 has the vertex -1"),
        ("3 0 1 2", "3 0 1 1.5", "line 14 has 1.5 where a whole number"),
        ("3 0 1 2", "3 0 1", "line 14 has fewer values"),
        ("3 0 1 2", "-3 0 1 2", "line 14 has -3 where the length of a list"),
        ("3 0 1 2", "4000000000 0 1 2", "line 14 has fewer values"),
        ("1 1 0", "1 nan 0", "face 0 has the vertex 2"),
        ("1 1 0", "1 one 0", "line 12 has \"one\" where a number"),
        ("3 0 1 2", "2 0 1", "has no faces"),
    ] {
        let whole = format!("ply\nformat ascii 1.0\n{VERTICES}{FACE}end_header\n{SQUARE}3 0 1 2\n");
        assert!(Model::from_bytes(whole.as_bytes(), None).is_ok());
        let message = Model::from_bytes(whole.replacen(from, to, 1).as_bytes(), None).unwrap_err().to_string();
        assert!(message.contains(expected), "{from} -> {to}: {message}");
    }
    let unused = text(&format!("{VERTICES}{FACE}"), "0 0 0\n1 0 0\n1 1 0\nnan 1 0\n3 0 1 2\n").unwrap();
    assert_eq!(triangles(&unused), [[0, 1, 2]], "a vertex that no face has does not matter");
    let no_work = text("element nothing 18446744073709551615\n", "").unwrap();
    assert_eq!(no_work.warnings, [Warning::Nothing]);
}
