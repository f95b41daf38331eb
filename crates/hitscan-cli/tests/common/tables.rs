//! Rays and hits as files, written and read without the program's own code.

use hitscan::Ray;
use npyz::{Deserialize, NpyFile, WriterBuilder};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Returns an empty folder for one test.
pub fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn values(ray: &Ray) -> [f32; 6] {
    let ([ox, oy, oz], [dx, dy, dz]) = (ray.origin.to_array(), ray.direction.to_array());
    [ox, oy, oz, dx, dy, dz]
}

pub fn ray_csv(rays: &[Ray]) -> String {
    let rows = rays.iter().map(|ray| values(ray).map(|value| value.to_string()).join(",") + "\n");
    std::iter::once("ox,oy,oz,dx,dy,dz\n".to_owned()).chain(rows).collect()
}

/// Returns an array of numpy's type `kind`, such as `<f4`, stored by rows or by columns.
pub fn ray_npy(rays: &[Ray], kind: &str, fortran: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let order = if fortran { npyz::Order::Fortran } else { npyz::Order::C };
    let shape = [rays.len() as u64, 6];
    let by_rows: Vec<f32> = rays.iter().flat_map(values).collect();
    let by_columns: Vec<f32> = (0..6).flat_map(|column| by_rows.iter().skip(column).step_by(6).copied()).collect();
    let ordered = if fortran { by_columns } else { by_rows };
    let dtype = npyz::DType::new_scalar(kind.parse().unwrap());
    if kind.ends_with('4') {
        let options = npyz::WriteOptions::new().dtype(dtype).order(order).shape(&shape);
        let mut array = options.writer(&mut bytes).begin_nd().unwrap();
        array.extend(ordered).unwrap();
        array.finish().unwrap();
    } else {
        let options = npyz::WriteOptions::new().dtype(dtype).order(order).shape(&shape);
        let mut array = options.writer(&mut bytes).begin_nd().unwrap();
        array.extend(ordered.into_iter().map(f64::from)).unwrap();
        array.finish().unwrap();
    }
    bytes
}

/// Returns the cells of CSV, and checks that the text ends with a line end of RFC 4180.
pub fn rows(csv: &str) -> Vec<Vec<String>> {
    assert!(csv.ends_with("\r\n"), "{csv:?}");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    let cells = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
    reader.records().map(|record| cells(record.unwrap())).collect()
}

/// An array of an .npz.
pub struct Npy {
    pub name: String,
    /// The type as numpy writes it, in quotes.
    pub kind: String,
    pub shape: Vec<u64>,
    bytes: Vec<u8>,
}

impl Npy {
    pub fn read_all(file: &Path) -> Vec<Self> {
        let mut zip = zip::ZipArchive::new(File::open(file).unwrap()).unwrap();
        let count = zip.len();
        let read = |place| {
            let mut bytes = Vec::new();
            let mut entry = zip.by_index(place).unwrap();
            entry.read_to_end(&mut bytes).unwrap();
            let header = NpyFile::new(&bytes[..]).unwrap();
            let name = entry.name().unwrap().strip_suffix(".npy").unwrap().to_owned();
            Self { name, kind: header.dtype().descr(), shape: header.shape().to_vec(), bytes }
        };
        (0..count).map(read).collect()
    }

    pub fn values<T: Deserialize>(&self) -> Vec<T> {
        NpyFile::new(&self.bytes[..]).unwrap().into_vec().unwrap()
    }

    /// Returns an array of text.
    pub fn strings(&self) -> Vec<String> {
        self.values::<String>()
    }
}
