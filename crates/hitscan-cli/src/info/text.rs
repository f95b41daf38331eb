//! The figures for people.

use super::contents::{AnimationInfo, CameraInfo, ViewInfo};
use super::description::Info;
use super::trees::Figures;
use crate::extent::Extent;
use crate::output::{joined, one_line, write_table};
use crate::report::or_dash;
use std::io::{self, Write};

/// The largest number of entities beyond a camera's view that are named.
const BEYOND: usize = 5;

/// The largest number of entities that are listed.
const LISTED: usize = 20;

pub(super) fn write(out: &mut dyn Write, info: &Info<'_>) -> io::Result<()> {
    let bounds = info.bounds.map(extent);
    let trees = &info.trees;
    let lines = [
        ("model", one_line(info.model)),
        ("entities", info.entities.len().to_string()),
        ("triangles", format!("{} ({} without area)", info.triangles, info.degenerate_triangles)),
        ("cameras", listed(&info.cameras, camera)),
        ("animations", listed(&info.animations, animation)),
        ("materials", listed(&info.materials, |material| one_line(&material.name))),
        (
            "cut-outs",
            listed(&info.cut_outs, |cut_out| {
                let name = one_line(&cut_out.material);
                format!("{name} (cutoff {}, {} triangles)", cut_out.cutoff, cut_out.triangles)
            }),
        ),
        ("bounds", bounds.unwrap_or_else(|| "none".into())),
        ("default camera", view(&info.default_camera)),
        ("loaded in", milliseconds(info.load_seconds)),
        ("trees built in", milliseconds(info.build_seconds)),
        ("scene's tree", figures(&trees.scene)),
        ("meshes' trees", format!("{} meshes, {}", trees.mesh_count, figures(&trees.meshes))),
    ];
    for (title, value) in lines {
        writeln!(out, "{title:14}  {value}")?;
    }
    write_entities(out, info)
}

fn write_entities(out: &mut dyn Write, info: &Info<'_>) -> io::Result<()> {
    if info.entities.is_empty() {
        return Ok(());
    }
    let rows: Vec<[String; 4]> = info
        .entities
        .iter()
        .take(LISTED)
        .map(|entity| {
            let bounds = entity.bounds.map(extent);
            [one_line(entity.name), or_dash(entity.node), entity.triangles.to_string(), or_dash(bounds)]
        })
        .collect();
    writeln!(out)?;
    write_table(out, ["ENTITY", "NODE", "TRIANGLES", "BOUNDS"], &rows)?;
    match info.entities.len().saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(out, "and {more} more: --json lists them all"),
    }
}

/// Returns the number of items, and their list.
fn listed<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    if items.is_empty() {
        return "0".into();
    }
    format!("{}: {}", items.len(), items.iter().map(text).collect::<Vec<_>>().join(", "))
}

fn camera(camera: &CameraInfo<'_>) -> String {
    format!("{} {:?} ({})", camera.index, camera.name, camera.projection)
}

fn animation(animation: &AnimationInfo<'_>) -> String {
    let name = animation.name.map_or_else(String::new, |name| format!(" {name:?}"));
    let what = match animation.fault {
        Some(_) => "cannot be played".to_owned(),
        None => format!("{} s, {} channels", animation.duration_seconds, animation.channels),
    };
    format!("{}{name} ({what})", animation.index)
}

fn view(view: &ViewInfo<'_>) -> String {
    let whose = match (view.index, view.name) {
        (Some(index), Some(name)) => format!("{index} {name:?}"),
        _ => framing(view),
    };
    let lens = match (view.fov_y_degrees, view.height) {
        (Some(degrees), _) => format!("perspective, {degrees} degrees high"),
        (_, height) => format!("orthographic, {} high", or_dash(height)),
    };
    let clip = match (view.znear, view.zfar) {
        (Some(near), Some(far)) => format!(", depths {near} to {far}"),
        _ => String::new(),
    };
    format!("{whose}: {lens}, eye {}, forward {}{clip}", joined(view.eye), joined(view.forward))
}

/// Describes the view of a camera that frames the model.
fn framing(view: &ViewInfo<'_>) -> String {
    let Some(framed) = view.framed.filter(|_| !view.beyond.is_empty()) else { return "frames the model".into() };
    let named = view.beyond.iter().take(BEYOND).map(|name| one_line(name)).collect::<Vec<_>>().join(", ");
    let more = match view.beyond.len().saturating_sub(BEYOND) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("frames {} (beyond reach {named}{more})", extent(framed))
}

fn extent(extent: Extent) -> String {
    format!("{} to {}", joined(extent.min.to_array()), joined(extent.max.to_array()))
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.3} ms", seconds * 1e3)
}

fn figures(figures: &Figures) -> String {
    let Figures { leaves, nodes, depth, expected_visits, bytes } = figures;
    format!("{leaves} leaves, {nodes} nodes, depth {depth}, {expected_visits:.1} expected visits, {bytes} bytes")
}
