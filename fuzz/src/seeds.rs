//! Initial inputs that are made without model files.

use hitscan_io::Format;

/// Returns the target for each format, and its seeds.
pub fn all() -> [(&'static str, Format, Vec<Vec<u8>>); 4] {
    [
        ("gltf", Format::Gltf, vec![GLTF.into(), gltf_with_binary()]),
        ("obj", Format::Obj, vec![OBJ.into(), [OBJ.as_bytes(), b"\0", MTL.as_bytes()].concat()]),
        ("stl", Format::Stl, vec![STL.into(), binary_stl()]),
        ("ply", Format::Ply, vec![PLY.into(), binary_ply()]),
    ]
}

const OBJ: &str = "mtllib a.mtl\no thing\nv -1 -1 0 1 0 0\nv 1 -1 0\nv 1 1 0\nv 0 0.5 0\nv -1 1 1e-3\nvt 0 0\nvt 1 1\n\
    vn 0 0 1\nusemtl red\ng some more\nf 1/1/1 2/2/1 3/1 4 5//1\no other\nusemtl a b\nf -1 -2 \\\n -3\nl 1 2\np 3\n";
const MTL: &str = "newmtl red\nKd 1 0.5 0\nd 0.25\nnewmtl a b\nTr 1\nKd spectral x\nmap_Kd b.png\n";
const STL: &str = "solid box\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e0 0\nendloop\n\
    endfacet\nendsolid box\nsolid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 5\nendloop\n\
    endfacet\nendsolid\n";
const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty double y\nproperty float z\n\
    property float s\nproperty float t\nelement face 2\nproperty list uchar int vertex_indices\n\
    property list uchar float texcoord\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n\
    0 0 0 0 1\n1 0 0 1 1\n1 1 0 1 0\n0 1 0 0 0\n4 0 1 2 3 0\n3 0 1 2 6 0 0 1 0 0 1\n6 0 1 2 -1 3 2\n";
/// A triangle at (0, 0, 0), (1, 0, 0) and (0, 1, 0), in a data URI.
const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"a","mesh":0,
"translation":[0,0,1],"children":[1]},{"camera":0,"rotation":[0,0,0,1],"scale":[1,-1,2]}],"meshes":[{"primitives":[{
"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,
"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}]}"#;

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A PNG of 2 x 2 texels with holes.
const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAE0lEQVR4nGP4z8DwHwhBJJhxAgA7nwbDq2T8XwAAAABJRU5ErkJggg==";

/// Returns a file with indices, a strip, texture coordinates, colours, a cut-out, a sparse accessor, morph targets, a
/// skin, instances and animations of all kinds.
fn gltf_with_binary() -> Vec<u8> {
    let json = r#"{"asset":{"version":"2.0","minVersion":"2.0"},"extensionsRequired":["EXT_mesh_gpu_instancing"],
"scenes":[{"nodes":[0,1,2]}],"nodes":[{"mesh":0,"weights":[0.5]},{"mesh":1,"skin":0,"children":[3]},{"mesh":0,
"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":0}}}},{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,2,0,0,1]}],
"skins":[{"joints":[3,0],"inverseBindMatrices":6}],"meshes":[{"weights":[0],"primitives":[{"attributes":{"POSITION":0,
"NORMAL":0,"TEXCOORD_0":1,"COLOR_0":2},"indices":3,"material":0,"mode":5,"targets":[{"POSITION":0}]}]},{"primitives":[{
"attributes":{"POSITION":4,"JOINTS_0":5,"WEIGHTS_0":2}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,
"type":"VEC3"},{"bufferView":1,"componentType":5126,"count":4,"type":"VEC2"},{"bufferView":2,"componentType":5121,
"normalized":true,"count":4,"type":"VEC4"},{"bufferView":3,"componentType":5123,"count":4,"type":"SCALAR"},
{"componentType":5126,"count":4,"type":"VEC3","sparse":{"count":2,"indices":{"bufferView":3,"byteOffset":2,
"componentType":5123},"values":{"bufferView":0,"byteOffset":12}}},{"bufferView":4,"componentType":5121,"count":4,
"type":"VEC4"},{"bufferView":5,"componentType":5126,"count":2,"type":"MAT4"},{"bufferView":1,"byteOffset":4,
"componentType":5126,"count":2,"type":"SCALAR"},{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"},
{"bufferView":2,"componentType":5121,"normalized":true,"count":2,"type":"VEC4"},{"bufferView":1,"byteOffset":4,
"componentType":5126,"count":6,"type":"SCALAR"}],"animations":[{"name":"a","channels":[{"sampler":0,"target":{"node":0,
"path":"translation"}},{"sampler":1,"target":{"node":0,"path":"rotation"}},{"sampler":2,"target":{"node":0,"path":
"weights"}},{"sampler":0,"target":{"node":1,"path":"scale"}},{"sampler":0,"target":{"path":"pointer"}}],"samplers":[{
"input":7,"output":8},{"input":7,"output":9,"interpolation":"LINEAR"},{"input":7,"output":10,"interpolation":
"CUBICSPLINE"}]},{"channels":[{"sampler":0,"target":{"node":2,"path":"translation"}}],"samplers":[{"input":7,"output":8,
"interpolation":"STEP"}]}],"bufferViews":[{"buffer":0,"byteLength":48},
{"buffer":0,"byteOffset":48,"byteLength":32},{"buffer":0,"byteOffset":80,"byteLength":16},{"buffer":0,"byteOffset":96,
"byteLength":8},{"buffer":0,"byteOffset":104,"byteLength":16},{"buffer":0,"byteOffset":120,"byteLength":128}],
"buffers":[{"byteLength":248}],"materials":[{"alphaMode":"MASK","alphaCutoff":0.75,"pbrMetallicRoughness":{
"baseColorFactor":[1,1,1,0.9],"baseColorTexture":{"index":0,"texCoord":0,"extensions":{"KHR_texture_transform":{
"offset":[0.5,0],"rotation":1,"scale":[2,2]}}}}}],"textures":[{"source":0,"sampler":0}],"images":[{"uri":
"data:image/png;base64,PICTURE"}],"samplers":[{"wrapS":33071,"wrapT":33648}]}"#;
    let corners = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.5]);
    let coordinates = floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let colors = [255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 64, 9, 9, 9, 0].to_vec();
    let indices = [0, 0, 1, 0, 2, 0, 3, 0].to_vec();
    let joints = [0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1].to_vec();
    let identity = floats(&std::array::from_fn::<_, 16, _>(|i| if i % 5 == 0 { 1.0 } else { 0.0 }));
    let binary = [corners, coordinates, colors, indices, joints, identity.repeat(2)].concat();
    [json.replace("PICTURE", PICTURE).as_bytes(), b"\0", &binary].concat()
}

fn binary_stl() -> Vec<u8> {
    let triangle = [floats(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]), vec![0, 0]].concat();
    [b"solid".repeat(16), 2_u32.to_le_bytes().into(), triangle.repeat(2)].concat()
}

fn binary_ply() -> Vec<u8> {
    let header = PLY.split("end_header\n").next().unwrap_or(PLY).replace("ascii", "binary_big_endian");
    let corners = [[0.0_f32, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let vertex = |[x, y]: [f32; 2]| {
        [&x.to_be_bytes()[..], &f64::from(y).to_be_bytes(), &[0.0, x, y].map(f32::to_be_bytes).concat()].concat()
    };
    let whole = |items: &[i32]| items.iter().flat_map(|item| item.to_be_bytes()).collect::<Vec<u8>>();
    let faces = [vec![4], whole(&[0, 1, 2, 3]), vec![0, 3], whole(&[0, 1, 2]), vec![0]].concat();
    let vertices = corners.map(vertex).concat();
    [header.as_bytes(), b"end_header\n", &vertices, &faces, &whole(&[6, 0, 1, 2, -1, 3, 2])].concat()
}
