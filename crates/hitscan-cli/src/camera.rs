//! Makes a camera from the options: a camera of the file, a camera placed by hand, or a camera that frames the model.

use crate::args::{PictureArgs, Size};
use crate::extent::Extent;
use crate::framing::{Framed, framed};
use crate::model::Loaded;
use crate::output::{Console, joined};
use anyhow::{Context, Result, anyhow, ensure};
use hitscan::error::CameraError;
use hitscan::glam::{DAffine3, DVec3};
use hitscan::{Camera, Ray};
use hitscan_io::{NamedCamera, Projection};

/// The default vertical field of view.
const FOV_Y_DEGREES: f64 = 45.0;

/// The direction from which a framed model is seen: from the front (+z), above and right.
const FRAMING_SIDE: DVec3 = DVec3::new(0.6, 0.5, 1.0);

/// The factor by which a framing camera is farther away than needed. So the model does not touch the picture's edge.
const FRAMING_MARGIN: f64 = 1.1;

/// The view of a picture: its camera and its projection.
#[derive(Clone, Debug)]
pub(crate) struct View<'a> {
    pub(crate) origin: Origin<'a>,
    /// The transform from the camera's space to the world; its scale is ignored.
    pub(crate) transform: DAffine3,
    pub(crate) lens: Lens,
    /// The depths at which rays begin and end.
    pub(crate) clip: Option<[f64; 2]>,
}

/// The source of the camera.
#[derive(Clone, Debug)]
pub(crate) enum Origin<'a> {
    File(&'a NamedCamera),
    ByHand,
    /// The program placed the camera to show this box; `None` means an empty model.
    Framing(Option<Framed>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lens {
    /// Vertical field of view in radians.
    Perspective { fov_y: f64 },
    /// Height of the picture in the model's units.
    Orthographic { height: f64 },
}

impl PictureArgs {
    pub(crate) fn view<'a>(&self, loaded: &'a Loaded, console: &Console) -> Result<View<'a>> {
        match (&self.camera, self.eye, self.target) {
            (Some(wanted), ..) => Ok(View::of_file(choose(&loaded.model.cameras, wanted, console)?)),
            (None, Some(eye), Some(target)) => self.by_hand(eye.into(), target.into()),
            _ => Ok(View::default_of(loaded, self.size)),
        }
    }

    /// Fails if a cursor, the value of `option`, is outside the picture. The edges of the picture belong to it.
    pub(crate) fn check_cursor(&self, option: &str, cursor: [f64; 2]) -> Result<()> {
        let ([x, y], size) = (cursor, self.size);
        let is_inside = (0.0..=size.width.into()).contains(&x) && (0.0..=size.height.into()).contains(&y);
        ensure!(
            is_inside,
            "{option} {} is outside the picture of {size}: X is from 0 to {}, Y from 0 to {} (--size sets another size)",
            joined(cursor),
            size.width,
            size.height
        );
        Ok(())
    }

    /// Returns the ray under a cursor, relative to the camera's position.
    pub(crate) fn ray(&self, camera: &Camera, cursor: [f64; 2]) -> Result<Ray> {
        let Size { width, height } = self.size;
        let ray = |camera: &Camera| camera.ray(cursor.map(|pixel| pixel as f32), [width, height]);
        let in_world = ray(camera).validate();
        in_world.context("no ray can be cast under the cursor (move the camera closer to the origin)")?;
        Ok(ray(&camera.relative_to(camera.position())))
    }

    fn by_hand(&self, eye: DVec3, target: DVec3) -> Result<View<'static>> {
        let transform = match self.up {
            Some(up) => Camera::look_at(eye, target, up),
            None => upright(eye, target),
        };
        let transform = transform.map_err(|error| self.explained(error, eye, target))?;
        let lens = match self.ortho {
            Some(height) => Lens::Orthographic { height },
            None => Lens::Perspective { fov_y: self.fov_y.unwrap_or(FOV_Y_DEGREES).to_radians() },
        };
        Ok(View { origin: Origin::ByHand, transform, lens, clip: None })
    }

    fn explained(&self, error: CameraError, eye: DVec3, target: DVec3) -> anyhow::Error {
        let [eye, target] = [eye, target].map(|point| joined(point.to_array()));
        match (error, self.up) {
            (CameraError::NoDirection, _) => {
                anyhow!("--eye and --target are the same point, {eye}: move one of them, for there is no view between")
            }
            (CameraError::Up { .. }, Some(up)) => anyhow!(
                "--up {} must not be zero or along the view from --eye {eye} to --target {target}: give another \
                 direction, or leave it out",
                joined(up)
            ),
            (error, _) => anyhow!(error).context(format!("--eye {eye} --target {target}")),
        }
    }
}

/// Returns the transform of a camera that looks with +y upwards. A camera that looks straight up or down is upright as
/// if it had been tilted from a view along -z.
fn upright(eye: DVec3, target: DVec3) -> Result<DAffine3, CameraError> {
    match Camera::look_at(eye, target, DVec3::Y) {
        Err(CameraError::Up { .. }) if target.y < eye.y => Camera::look_at(eye, target, DVec3::NEG_Z),
        Err(CameraError::Up { .. }) => Camera::look_at(eye, target, DVec3::Z),
        result => result,
    }
}

impl<'a> View<'a> {
    /// Returns the view of the file's first camera. Without one, returns a view that frames the model in a picture of
    /// this size.
    pub(crate) fn default_of(loaded: &'a Loaded, size: Size) -> Self {
        match loaded.model.cameras.first() {
            Some(camera) => Self::of_file(camera),
            None => Self::framing(framed(&loaded.model), size.aspect()),
        }
    }

    fn of_file(camera: &'a NamedCamera) -> Self {
        let (lens, clip) = match camera.projection {
            Projection::Perspective { yfov, aspect: _, znear, zfar } => {
                (Lens::Perspective { fov_y: yfov }, [znear, zfar.unwrap_or(f64::INFINITY)])
            }
            // The width follows from the height and the size. A negative magnification mirrors a picture, which glTF
            // advises against and renderers do not agree on.
            Projection::Orthographic { xmag: _, ymag, znear, zfar } => {
                (Lens::Orthographic { height: 2.0 * ymag.abs() }, [znear, zfar])
            }
        };
        Self { origin: Origin::File(camera), transform: camera.transform, lens, clip: Some(clip) }
    }

    /// Makes a view that shows all of a box. The eye is at the least distance at which all corners are in the picture,
    /// times [`FRAMING_MARGIN`].
    fn framing(framed: Option<Framed>, aspect: f64) -> Self {
        let nothing = Extent { min: DVec3::splat(-0.5), max: DVec3::splat(0.5) };
        let extent = framed.as_ref().map_or(nothing, |framed| framed.extent);
        let (center, half) = (extent.center(), extent.half_size());
        let back = FRAMING_SIDE.normalize();
        let right = DVec3::Y.cross(back).normalize();
        let up = back.cross(right);
        let fov_y = FOV_Y_DEGREES.to_radians();
        let tan_y = (fov_y * 0.5).tan();
        let tan_x = tan_y * aspect;
        let signs =
            (0..8).map(|corner| DVec3::from_array([1, 2, 4].map(|bit| if corner & bit == 0 { -1.0 } else { 1.0 })));
        let needed = signs.map(|sign| {
            let corner = half * sign;
            corner.dot(back) + (corner.dot(right).abs() / tan_x).max(corner.dot(up).abs() / tan_y)
        });
        let distance = FRAMING_MARGIN * needed.fold(0.0, f64::max);
        // A model that is a point can be seen from any distance.
        let distance = if distance > 0.0 { distance } else { 1.0 };
        let axes = hitscan::glam::DMat3::from_cols(right, up, back);
        Self {
            origin: Origin::Framing(framed),
            transform: DAffine3::from_mat3_translation(axes, center + back * distance),
            lens: Lens::Perspective { fov_y },
            clip: None,
        }
    }

    pub(crate) fn camera(&self) -> Result<Camera> {
        self.try_camera().with_context(|| match &self.origin {
            Origin::File(camera) => format!("camera {} cannot be looked through", described(camera)),
            Origin::ByHand => "no camera can be made of --eye, --target, --up, --fov-y and --ortho".into(),
            Origin::Framing(_) => "no camera frames the model: give --eye and --target".into(),
        })
    }

    fn try_camera(&self) -> Result<Camera, CameraError> {
        if let Origin::File(camera) = self.origin {
            return camera.camera();
        }
        match self.lens {
            Lens::Perspective { fov_y } => Camera::perspective(self.transform, fov_y),
            Lens::Orthographic { height } => Camera::orthographic(self.transform, height),
        }
    }
}

/// Returns the camera with this name, or else with this index. If several have the name, returns the first.
fn choose<'a>(cameras: &'a [NamedCamera], wanted: &str, console: &Console) -> Result<&'a NamedCamera> {
    let by_name: Vec<_> = cameras.iter().filter(|camera| camera.name == wanted).collect();
    let index = wanted.parse::<usize>().ok();
    let by_index = || cameras.iter().filter(|camera| Some(camera.camera) == index).collect();
    let found = if by_name.is_empty() { by_index() } else { by_name };
    match found[..] {
        [] => Err(not_there(cameras, wanted)),
        [camera] => Ok(camera),
        [first, ..] => {
            console.warn(format_args!(
                "--camera {wanted} names {} cameras: {}; the first of them is taken",
                found.len(),
                list(found.iter().copied())
            ));
            Ok(first)
        }
    }
}

fn not_there(cameras: &[NamedCamera], wanted: &str) -> anyhow::Error {
    if cameras.is_empty() {
        anyhow!(
            "--camera {wanted}: the model has no cameras; leave it out to have the model framed, or give --eye and \
             --target"
        )
    } else {
        anyhow!("--camera {wanted}: there is no such camera; there are {}", list(cameras))
    }
}

fn list<'a>(cameras: impl IntoIterator<Item = &'a NamedCamera>) -> String {
    cameras.into_iter().map(described).collect::<Vec<_>>().join(", ")
}

fn described(camera: &NamedCamera) -> String {
    let node = camera.node.map_or_else(String::new, |node| format!(" (node {node})"));
    format!("{} {:?}{node}", camera.camera, camera.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed((min, max): ([f64; 3], [f64; 3])) -> Extent {
        Extent { min: min.into(), max: max.into() }
    }

    fn around(extent: Extent) -> Option<Framed> {
        Some(Framed { extent, beyond: Vec::new() })
    }

    /// All corners are in the picture, and one of them is close to the edge of the picture.
    #[test]
    fn framing_shows_all_of_the_box() {
        let boxes = [
            ([-1.0, -2.0, -3.0], [4.0, 5.0, 6.0]),
            ([1e6, 0.0, 0.0], [1e6 + 1.0, 100.0, 1e-3]),
            ([5e6, 5e6, 5e6], [5e6 + 0.2, 5e6 + 0.2, 5e6 + 0.2]),
            ([-1e-8; 3], [1e-8; 3]),
            ([-1e15, 0.0, 0.0], [1e15, 0.0, 0.0]),
        ];
        for bounds in boxes.map(boxed) {
            for (width, height) in [(1280, 720), (100, 1000), (4000, 10)] {
                let camera = View::framing(around(bounds), Size { width, height }.aspect()).camera().unwrap();
                let corners = (0..8).map(|i| {
                    DVec3::from_array([0, 1, 2].map(|k| if i >> k & 1 == 0 { bounds.min[k] } else { bounds.max[k] }))
                });
                let mut furthest = 0.0f64;
                for corner in corners {
                    let pixel = camera.project(corner, [width, height]).unwrap().pixel.as_dvec2();
                    let size = hitscan::glam::DVec2::new(width.into(), height.into());
                    furthest = furthest.max(((pixel / size) * 2.0 - 1.0).abs().max_element());
                }
                assert!((0.4..1.0).contains(&furthest), "{bounds:?} {width}x{height}: {furthest}");
            }
        }
    }

    fn named(name: &str, camera: usize, node: u32) -> NamedCamera {
        let projection = Projection::Perspective { yfov: 1.0, aspect: None, znear: 0.1, zfar: None };
        NamedCamera { name: name.into(), camera, node: Some(node), transform: DAffine3::IDENTITY, projection }
    }

    #[test]
    fn a_name_goes_before_an_index() {
        let cameras = [named("1", 0, 10), named("Top", 1, 11), named("Top", 1, 12), named("", 2, 13)];
        let chosen = |wanted| choose(&cameras, wanted, &Console::new(true)).map(|camera| camera.node);
        assert_eq!(chosen("1").unwrap(), Some(10));
        assert_eq!(chosen("0").unwrap(), Some(10));
        assert_eq!(chosen("Top").unwrap(), Some(11));
        assert_eq!(chosen("2").unwrap(), Some(13));
        for wanted in ["top", "3", "-1", "1.0"] {
            assert!(chosen(wanted).is_err(), "{wanted}");
        }
    }

    #[test]
    fn nothing_and_a_point_are_framed() {
        for framed in [None, around(boxed(([3.0; 3], [3.0; 3])))] {
            assert!(View::framing(framed.clone(), 1.5).camera().is_ok(), "{framed:?}");
        }
    }

    #[test]
    fn straight_down_and_up_need_no_up() {
        let down = upright(DVec3::Y * 5.0, DVec3::ZERO).unwrap();
        assert_eq!((down.matrix3.y_axis, down.matrix3.z_axis), (DVec3::NEG_Z, DVec3::Y));
        let up = upright(DVec3::ZERO, DVec3::Y * 5.0).unwrap();
        assert_eq!((up.matrix3.y_axis, up.matrix3.z_axis), (DVec3::Z, DVec3::NEG_Y));
        assert_eq!(upright(DVec3::ONE, DVec3::ONE), Err(CameraError::NoDirection));
    }
}
