//! Small generated STL files, each for one feature of the format.

use hitscan::Geometry;
use hitscan::glam::Vec3;
use hitscan_io::{Format, Model, Problem, Warning};

fn triangles(model: &Model, entity: usize) -> Vec<[Vec3; 3]> {
    match &model.entities[entity].geometry {
        Geometry::Mesh(mesh) => (0..).map_while(|triangle| mesh.triangle(triangle)).collect(),
        other => panic!("an STL entity is a mesh, not {other:?}"),
    }
}

const CORNERS: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

fn binary(header: &str, stated: u32, triangles: usize) -> Vec<u8> {
    let mut bytes = format!("{header:80}").into_bytes();
    bytes.extend(stated.to_le_bytes());
    for _ in 0..triangles {
        // The normal is NaN, as it is not read.
        let numbers = [f32::NAN; 3].into_iter().chain(CORNERS.into_iter().flat_map(|corner| corner.to_array()));
        bytes.extend(numbers.flat_map(f32::to_le_bytes));
        bytes.extend([1, 2]);
    }
    bytes
}

fn facet(last: &str) -> String {
    format!("facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1. 0 0\n vertex {last}\n endloop\n endfacet\n")
}

fn read(bytes: impl AsRef<[u8]>) -> Result<Model, Problem> {
    Model::from_bytes_as(Format::Stl, bytes.as_ref(), None)
}

#[test]
fn binary_files_are_told_by_their_length() {
    for header in ["solid box", "made by hand"] {
        let bytes = binary(header, 2, 2);
        assert_eq!(Format::of(&bytes), Some(Format::Stl));
        let model = Model::from_bytes(&bytes, None).unwrap();
        assert_eq!(model.entities[0].name, "solid0");
        assert_eq!(triangles(&model, 0), [CORNERS; 2]);
        assert_eq!(model.warnings, []);
        assert_eq!(read(binary(header, 0, 0)).unwrap().warnings, [Warning::Nothing]);

        let longer = read(binary(header, 1, 2)).unwrap();
        assert_eq!((triangles(&longer, 0).len(), &longer.warnings[..]), (1, &[Warning::Trailing { bytes: 50 }][..]));
        for stated in [3, u32::MAX] {
            let message = read(binary(header, stated, 2)).unwrap_err().to_string();
            assert!(message.contains(&format!("states {stated} triangles")) && message.contains("184"), "{message}");
        }
    }
    let message = read([0; 83]).unwrap_err().to_string();
    assert!(message.contains("84 bytes of a binary header"), "{message}");
}

#[test]
fn each_solid_is_an_entity() {
    let one = facet("0 1 0");
    let text = format!(
        "solid  Big Box \n{one}{one}endsolid Big Box\nsolid\nendsolid\nSOLID\n{one}endsolid\nsolid Big Box\n{one}"
    );
    for text in [text.clone(), text.replace('\n', "\r\n"), text.replace('\n', "\r"), format!("\u{FEFF}\n{text}")] {
        let model = Model::from_bytes(text.as_bytes(), None).unwrap();
        let told: Vec<_> =
            model.entities.iter().map(|e| (e.name.as_str(), e.primitives[0].triangles, e.node)).collect();
        assert_eq!(told, [("Big Box", 2, None), ("solid2", 1, None), ("Big Box", 1, None)]);
        assert_eq!(triangles(&model, 1), [CORNERS]);
    }
    let shouted = format!("solid a\n{}endsolid", one.replace('\n', " ")).to_uppercase();
    assert_eq!(triangles(&read(shouted).unwrap(), 0), [CORNERS]);
}

#[test]
fn faults_name_their_line() {
    let good = facet("0 1 0");
    for (rest, expected) in [
        (good.replace(" endloop", " vertex 1 1 1\n endloop"), "line 7 has \"vertex\" where `endloop`"),
        (good.replace(" vertex 1. 0 0\n", ""), "line 6 has \"endloop\" where `vertex`"),
        (facet("0 x 0"), "line 6 has \"x\" where a vertex has a number"),
        (good.replace(" endfacet\n", ""), "ends within a facet"),
        (facet("0 1"), "line 7 has \"endloop\" where a vertex has a number"),
        (format!("{good}hello"), "line 9 has \"hello\" where `facet`"),
        (facet("0 inf 0"), "solid 0 \"a\", vertex 2"),
    ] {
        let message = read(format!("solid a\n{rest}")).unwrap_err().to_string();
        assert!(message.contains(expected), "{rest}: {message}");
    }
}
