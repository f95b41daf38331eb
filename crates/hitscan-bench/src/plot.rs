//! A chart of the speeds of rays: a panel for each ray set, and a bar for each contender.
//!
//! The SVG is written directly, as it consists of rectangles and text only. None of the libraries considered (plotters,
//! charming, charts-rs) writes colours that follow the reader's light or dark theme, and charming brings a JavaScript
//! engine.

use crate::part::Part;
use crate::rays::RaySet;
use crate::report::{Report, Summary, counted, ratio};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fmt::Write;

const WIDTH: f64 = 1160.0;
const MARGIN: f64 = 24.0;
/// The space above the panels, and below them.
const HEAD: f64 = 74.0;
const FOOT: f64 = 46.0;
const COLUMNS: usize = 2;
/// The space between columns, and between rows.
const GAP: [f64; 2] = [28.0, 14.0];
/// The heights in a panel: its title, a bar, and the numbers of its axis.
const TITLE: f64 = 26.0;
const BAR: f64 = 17.0;
const AXIS: f64 = 30.0;
/// The widths next to the bars, for the names and for the numbers.
const NAMES: f64 = 118.0;
const NUMBERS: f64 = 226.0;

/// The colours of the light theme and of the dark theme. The two colours of the bars differ in lightness, too.
const STYLE: &str = "
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600; font-size: 18px } .panel { font-weight: 600; font-size: 13px }
  .faint { fill: #57606a } .number { fill: #57606a; font-size: 11px } .end { text-anchor: end } .middle { text-anchor: middle }
  .paper { fill: #ffffff } .own { fill: #c2410c } .peer { fill: #94a3b8 }
  .short { fill: #c2410c; opacity: 0.12 } .worst { stroke: #111111; stroke-width: 2 }
  .grid { stroke: #d0d7de } .one { stroke: #24292f; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .faint, .number { fill: #9da7b3 } .paper { fill: #0d1117 }
    .own { fill: #fb923c } .peer { fill: #64748b } .short { fill: #fb923c; opacity: 0.16 }
    .worst { stroke: #ffffff } .grid { stroke: #30363d } .one { stroke: #e6edf3 }
  }
";

/// Returns a chart of the speeds with the least number of threads that was measured.
///
/// # Errors
/// Returns an error if no rays were measured for a contender other than the reference.
pub(crate) fn svg(report: &Report) -> Result<String> {
    let plot = Plot::of(report).context("nothing to plot: no rays were measured beside a reference")?;
    Ok(plot.svg())
}

struct Plot<'a> {
    report: &'a Report,
    threads: usize,
    /// All contenders except the reference, in their order.
    contenders: Vec<&'a str>,
    scenes: BTreeSet<&'a str>,
    panels: Vec<Panel>,
    /// The speed at the right end of all axes.
    end: f64,
}

/// A ray set, or all of them.
#[derive(Clone, Copy)]
struct Panel(Option<RaySet>);

impl<'a> Plot<'a> {
    fn of(report: &'a Report) -> Option<Self> {
        let threads = report.rows.iter().filter(|row| row.part == Part::Rays).map(|row| row.threads).min()?;
        let rows = || report.part(Part::Rays, threads).filter(|row| row.contender != report.reference);
        let mut contenders: Vec<&str> = Vec::new();
        for row in rows() {
            if !contenders.contains(&row.contender.as_str()) {
                contenders.push(&row.contender);
            }
        }
        let sets = RaySet::ALL.into_iter().filter(|set| rows().any(|row| row.set == Some(*set)));
        let panels: Vec<Panel> = std::iter::once(Panel(None)).chain(sets.map(|set| Panel(Some(set)))).collect();
        let means = panels.iter().flat_map(|panel| {
            contenders.iter().filter_map(|contender| Some(report.summary(threads, contender, panel.0)?.mean))
        });
        let end = means.reduce(f64::max)?.max(1.0) * 1.05;
        let scenes = rows().map(|row| row.scene.as_str()).collect();
        Some(Self { report, threads, contenders, scenes, panels, end })
    }

    fn panel_size(&self) -> [f64; 2] {
        let width = (WIDTH - 2.0 * MARGIN - GAP[0] * (COLUMNS - 1) as f64) / COLUMNS as f64;
        [width, TITLE + BAR * self.contenders.len() as f64 + AXIS]
    }

    fn svg(&self) -> String {
        let [width, height] = self.panel_size();
        let full = HEAD + (height + GAP[1]) * self.panels.len().div_ceil(COLUMNS) as f64 + FOOT;
        let mut sheet = Sheet(String::new());
        sheet.line(&format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {full:.0}" width="{WIDTH}" height="{full:.0}">"#
        ));
        sheet.line(&format!("<style>{STYLE}</style>"));
        sheet.rect("paper", [0.0, 0.0], [WIDTH, full]);
        self.words(&mut sheet, full);
        for (index, panel) in self.panels.iter().enumerate() {
            let column = (index % COLUMNS) as f64 * (width + GAP[0]);
            let row = (index / COLUMNS) as f64 * (height + GAP[1]);
            self.panel(&mut sheet, *panel, [MARGIN + column, HEAD + row]);
        }
        sheet.line("</svg>");
        sheet.0
    }

    fn words(&self, sheet: &mut Sheet, height: f64) {
        let Report { reference, machine, .. } = self.report;
        let title = format!("Rays a second, {} = 1", reference);
        sheet.text("title", [MARGIN, 36.0], &title);
        let what = format!(
            "Bars: geometric mean over the scenes; longer is faster. Line across a bar: the slowest scene. Pale: what is missing to {reference}."
        );
        sheet.text("faint", [MARGIN, 58.0], &what);
        let scenes: Vec<&str> = self.scenes.iter().copied().collect();
        sheet.text("faint", [MARGIN, height - 38.0], &format!("Scenes: {}", scenes.join(", ")));
        sheet.text("faint", [MARGIN, height - 20.0], &format!("{machine}; {}", counted(self.threads)));
    }

    fn panel(&self, sheet: &mut Sheet, panel: Panel, [left, top]: [f64; 2]) {
        let [width, height] = self.panel_size();
        let zero = left + NAMES;
        let unit = (width - NAMES - NUMBERS) / self.end;
        sheet.text("panel", [left, top + 14.0], panel.title());
        let bottom = top + height - AXIS + 4.0;
        for tick in (0..).map(|half| f64::from(half) / 2.0).take_while(|&tick| tick <= self.end) {
            let class = if tick == 1.0 { "one" } else { "grid" };
            sheet.stroke(class, [zero + tick * unit, top + TITLE - 4.0], [zero + tick * unit, bottom]);
            sheet.text("faint middle", [zero + tick * unit, bottom + 14.0], &tick.to_string());
        }
        for (index, contender) in self.contenders.iter().enumerate() {
            let Some(summary) = self.report.summary(self.threads, contender, panel.0) else { continue };
            let top = top + TITLE + BAR * index as f64;
            sheet.text("end", [zero - 8.0, top + 12.0], contender);
            self.bar(sheet, contender, &summary, [zero, top], unit);
            sheet.text("number", [left + width - NUMBERS + 10.0, top + 12.0], &self.numbers(panel, &summary));
        }
    }

    fn bar(&self, sheet: &mut Sheet, contender: &str, summary: &Summary<'_>, [zero, top]: [f64; 2], unit: f64) {
        let (thickness, down) = (BAR - 5.0, 2.0);
        let class = if contender.starts_with("hitscan") { "own" } else { "peer" };
        let [mean, worst] = [summary.mean, summary.worst.speed].map(|speed| speed * unit);
        sheet.rect(class, [zero, top + down], [mean, thickness]);
        if mean < unit {
            sheet.rect("short", [zero + mean, top + down], [unit - mean, thickness]);
        }
        sheet.stroke("worst", [zero + worst, top + down - 1.0], [zero + worst, top + down + thickness + 1.0]);
    }

    /// Returns the mean and the slowest cell, and for a single set the number of scenes if some are missing.
    fn numbers(&self, panel: Panel, summary: &Summary<'_>) -> String {
        let Summary { mean, worst, cells } = summary;
        let (set, few) = match panel.0 {
            None => (format!(", {}", worst.set_name()), String::new()),
            Some(_) if *cells < self.scenes.len() => {
                (String::new(), format!(", {cells} of {} scenes", self.scenes.len()))
            }
            Some(_) => (String::new(), String::new()),
        };
        format!("{} ({} {}{set}){few}", ratio(*mean), ratio(worst.speed), worst.scene)
    }
}

impl Panel {
    fn title(self) -> &'static str {
        match self.0 {
            None => "all rays",
            Some(RaySet::Primary) => "primary: closest hit, coherent",
            Some(RaySet::Ao) => "ao: closest hit from surfaces",
            Some(RaySet::Random) => "random: closest hit from anywhere",
            Some(RaySet::Shadow) => "shadow: any hit, coherent",
            Some(RaySet::AoAny) => "ao-any: any hit nearby",
            Some(RaySet::LineOfSight) => "line-of-sight: any hit between two places",
        }
    }
}

/// The text of an SVG. Positions are x and y in pixels from the top-left corner, and sizes are width and height in
/// pixels.
struct Sheet(String);

impl Sheet {
    fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    /// Adds a rectangle unless it is too narrow to be visible.
    fn rect(&mut self, class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        if width < 0.1 {
            return;
        }
        let _ = writeln!(
            self.0,
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"/>"#
        );
    }

    fn stroke(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        let _ = writeln!(self.0, r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#);
    }

    fn text(&mut self, class: &str, [x, y]: [f64; 2], text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(self.0, r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{text}</text>"#);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Differences, Timing};
    use crate::report::Cell;

    fn report(cells: &[(&'static str, &'static str, RaySet, f64)]) -> Report {
        let mut report = Report { machine: "x < y & z".into(), reference: "reference".into(), ..Report::default() };
        for &(scene, contender, set, speed) in cells {
            let cell = Cell::new(Part::Rays, scene, 1, 100).of(set);
            let timing = Timing { seconds: 1.0 / speed, speed, spread: [speed; 2] };
            report.push(cell, contender, 7, timing, Differences::default());
        }
        report
    }

    /// Returns the numbers of an attribute in all elements of a class, in the order of the file.
    fn numbers(svg: &str, class: &str, attribute: &str) -> Vec<f64> {
        let elements = svg.lines().filter(|line| line.contains(&format!("class=\"{class}\"")));
        let number = |line: &str| {
            let (_, rest) = line.split_once(&format!(" {attribute}=\"")).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        elements.map(number).collect()
    }

    #[test]
    fn bars_are_as_long_as_speeds() {
        use RaySet::{Primary, Random};
        let svg = svg(&report(&[
            ("a", "reference", Primary, 1.0),
            ("a", "hitscan", Primary, 0.25),
            ("b", "hitscan", Primary, 1.0),
            ("a", "hitscan", Random, 2.0),
            ("b", "hitscan", Random, 2.0),
            ("a", "other", Primary, 0.5),
        ]))
        .unwrap();
        // The panels are for all rays, for primary rays and for random rays. One bar determines the scale, and the
        // others follow from it.
        let [all, primary, random] = numbers(&svg, "own", "width")[..] else { panic!("{svg}") };
        let unit = random / 2.0;
        let is = |length: f64, speed: f64| (length - speed * unit).abs() < 0.2;
        assert!(is(all, 1.0) && is(primary, 0.5), "{svg}");
        assert!(numbers(&svg, "peer", "width").iter().all(|&length| is(length, 0.5)), "{svg}");
        // The speed of `hitscan` is below 1 in one panel, and the speed of `other` in two.
        let missing = numbers(&svg, "short", "width");
        assert!(missing.len() == 3 && missing.iter().all(|&length| is(length, 0.5)), "{svg}");
        // The slowest scene is measured from the start of the bars.
        let zero = numbers(&svg, "own", "x");
        let worst = numbers(&svg, "worst", "x1");
        assert!(is(worst[0] - zero[0], 0.25) && is(worst[2] - zero[1], 0.25) && is(worst[4] - zero[2], 2.0), "{svg}");
        assert!(svg.contains(">0.50 (0.25 a)<") && svg.contains(">0.50 (0.50 a), 1 of 2 scenes<"), "{svg}");
        assert!(!svg.contains(">reference<") && svg.contains("reference = 1"), "{svg}");
    }

    #[test]
    fn text_is_escaped() {
        let svg = svg(&report(&[("a", "b", RaySet::Ao, 1.0)])).unwrap();
        assert!(svg.contains(">x &lt; y &amp; z; 1 thread</text>"), "{svg}");
    }

    #[test]
    fn without_rays_there_is_nothing_to_plot() {
        assert!(svg(&Report::default()).is_err());
        assert!(svg(&report(&[("a", "reference", RaySet::Ao, 1.0)])).is_err());
    }
}
