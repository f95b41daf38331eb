//! `hitscan sweep`: its answers.

use crate::common::{hitscan, line, walls};
use hitscan::{Aabb, Capsule, Sphere, SweepHit, SweepQueries, Volume};
use hitscan_io::{EntityId, Model};
use serde_json::{Value, json};

/// Runs the command at the walls, whose centres are on the z axis.
fn at_walls(test: &str, words: &str) -> Vec<Value> {
    let file = walls::write(test);
    let words = words.split_whitespace();
    hitscan(["sweep", file.to_str().unwrap(), "--json"].into_iter().chain(words)).hits()
}

#[test]
fn a_contact_is_told_to_the_letter() {
    // The ball's centre stops a quarter before the wall at z = -1.
    let hits = at_walls("a_contact", "--shape sphere:0.25 --from -0.5,0.25,0.75 --motion 0,0,-3");
    let upper_left = json!({
        "entity": "near", "node": 0, "triangle": 2, "t": 0.5, "point": [-0.5, 0.25, -1.0], "normal": [0.0, 0.0, 1.0], "feature": "face",
    });
    assert_eq!(hits, [upper_left]);
    // A capsule comes down onto the top edge at y = 1. Its lower end is 0.75 below its centre.
    let hits = at_walls("a_contact", "--shape capsule:0.25,1.5 --from -0.5,3.75,-5 --motion 0,-4,0");
    let top = json!({
        "entity": "wall", "node": 1, "triangle": 2, "t": 0.5, "point": [-0.5, 1.0, -5.0], "normal": [0.0, 1.0, 0.0], "feature": "edge",
    });
    assert_eq!(hits, [top]);
    // A box comes down flat onto the same edge.
    let hits = at_walls("a_contact", "--shape box:0.5,1.5,0.5 --from -0.5,3.75,-5 --motion 0,-4,0");
    assert_eq!(
        [&hits[0]["entity"], &hits[0]["t"], &hits[0]["normal"]],
        [&json!("wall"), &json!(0.5), &json!([0.0, 1.0, 0.0])]
    );
    // A corner that belongs to one triangle is hit along the diagonal.
    let hits = at_walls("a_contact", "--shape sphere:1 --from -4,4,-5 --motion 3,-3,0");
    assert_eq!((&hits[0]["feature"], &hits[0]["point"]), (&json!("vertex"), &json!([-1.0, 1.0, -5.0])));
}

#[test]
fn all_contacts_come_in_order_and_what_is_hidden_does_not() {
    let way = "--shape sphere:0.5 --from 0.25,0,1 --motion 0,0,-25";
    let all = at_walls("all_contacts", &format!("{way} --all"));
    let entities: Vec<_> = all.iter().map(|hit| hit["entity"].as_str().unwrap()).collect();
    assert_eq!(entities, ["near", "near", "wall", "wall", "node2"], "each with both triangles that it touches");
    let t: Vec<_> = all.iter().map(|hit| hit["t"].as_f64().unwrap()).collect();
    assert!(t.is_sorted() && (t[0] - 1.5 / 25.0).abs() < 1e-7, "{t:?}");
    let hidden = at_walls("all_contacts", &format!("{way} --hide near --hide wall"));
    assert_eq!((hidden.len(), &hidden[0]["entity"]), (1, &json!("node2")));
    assert_eq!(at_walls("all_contacts", &format!("{way} --cull front")), Vec::<Value>::new());
    assert_eq!(at_walls("all_contacts", &format!("{way} --cull back")).len(), 1);
}

#[test]
fn none_is_empty_and_exits_with_1() {
    let away = "sweep demo --shape sphere:1 --from 0,500,0 --motion 0,10,0";
    let run = line(&format!("{away} --json"));
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(1), "{\"hits\":[]}\n", ""));
    let run = line(&format!("{away} --all"));
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(1), "no contact\n", ""));
}

#[test]
fn keys_come_in_the_order_of_the_contract() {
    let run = line("sweep demo --shape sphere:0.5 --from 0,20,0 --motion 0,-30,0 --json");
    let keys = ["entity", "node", "triangle", "t", "point", "normal", "feature"];
    let places: Vec<_> = keys.iter().map(|key| run.stdout.find(&format!("\"{key}\":"))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{}", run.stdout);
    assert_eq!(run.hits()[0].as_object().unwrap().len(), keys.len());
}

/// A volume without a motion reports whether it touches anything.
#[test]
fn a_motion_of_zero() {
    let hits = at_walls("a_motion_of_zero", "--shape sphere:0.5 --from -0.5,0.25,-1.25 --motion 0,0,0");
    assert_eq!((&hits[0]["t"], &hits[0]["normal"]), (&json!(0.0), &json!([0.0, 0.0, -1.0])));
    assert!(at_walls("a_motion_of_zero", "--shape sphere:0.5 --from 0,0,-3 --motion 0,0,0").is_empty());
}

/// The library gives the same contacts.
#[test]
fn the_program_answers_what_the_library_does() {
    let model = Model::demo();
    let scene = model.scene().unwrap();
    let volumes: [(&str, Volume); 3] = [
        ("sphere:0.6", Sphere::new(0.6).into()),
        ("capsule:0.4,1.8", Capsule::new(0.4, 1.8).into()),
        ("box:1,2,0.5", Aabb::from_center_size([0.0; 3], [1.0, 2.0, 0.5]).into()),
    ];
    let mut count = 0;
    for (x, z) in (-2..=2).flat_map(|x| (-2..=2).map(move |z| (f64::from(x) * 5.3, f64::from(z) * 4.7))) {
        let (shape, volume) = &volumes[count % volumes.len()];
        let (from, motion) = ([x, 12.0, z], [0.7, -14.0, 1.1]);
        let run = line(&format!("sweep demo --shape {shape} --from {x},12,{z} --motion 0.7,-14,1.1 --all --json"));
        let mut expected = Vec::new();
        scene.sweep_all(volume, from, motion, &mut expected);
        let told = |hit: &SweepHit<EntityId>| {
            let entity = model.entity(hit.id).unwrap();
            json!({"entity": entity.name, "t": hit.t, "point": hit.point.to_array(), "normal": hit.normal.to_array()})
        };
        let found: Vec<Value> = run.hits().iter().map(|hit| {
            json!({"entity": hit["entity"], "t": number(&hit["t"]), "point": vector(&hit["point"]), "normal": vector(&hit["normal"])})
        }).collect();
        assert_eq!(found, expected.iter().map(told).collect::<Vec<_>>(), "{x},{z}");
        count += found.len();
    }
    assert!(count > 50, "{count}");
}

fn number(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

fn vector(value: &Value) -> [f32; 3] {
    std::array::from_fn(|axis| number(&value[axis]))
}

#[test]
fn a_margin_is_touched_earlier() {
    let ways = ["cylinder:0.5,2", "cone:0.5,2", "box:1,2,1"].map(|shape| {
        ["0", "0.25"].map(|margin| {
            let args = format!("--shape {shape} --margin {margin} --from 0,30,0 --motion 0,-40,0");
            let run = line(&format!("sweep demo {args} --json"));
            number(&run.hits()[0]["t"]) * 40.0
        })
    });
    for [bare, with_margin] in ways {
        assert!(with_margin < bare && with_margin > bare - 1.0, "{ways:?}");
    }
    assert_eq!(line("sweep demo --shape sphere:1 --margin -1 --from 0,0,0 --motion 0,0,1").code, Some(2));
}

#[test]
fn text_has_a_line_for_each_contact() {
    let sweep = "sweep demo --shape sphere:0.5 --from -8,2,12 --motion 20,0,-4 --all";
    let hits = line(&format!("{sweep} --json")).hits();
    let run = line(sweep);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(hits.len() > 1 && lines.len() == hits.len() + 1, "{run:?}");
    assert!(lines[0].starts_with("ENTITY ") && lines[0].ends_with("FEATURE"), "{run:?}");
    for (line, hit) in lines[1..].iter().zip(&hits) {
        assert!(line.starts_with(hit["entity"].as_str().unwrap()), "{line}");
        assert!(line.ends_with(hit["feature"].as_str().unwrap()), "{line}");
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    let wrong = [
        ("--from 0,0,0 --motion 0,0,1", "--shape"),
        ("--shape sphere:1 --motion 0,0,1", "--from"),
        ("--shape sphere:1 --from 0,0,0", "--motion"),
        ("--shape ball:1 --from 0,0,0 --motion 0,0,1", "expected sphere:R|capsule:R,H|cylinder:R,H|cone:R,H|box:X,Y,Z"),
        ("--shape sphere:-1 --from 0,0,0 --motion 0,0,1", "sizes from 0"),
        ("--shape capsule:1,1 --from 0,0,0 --motion 0,0,1", "at least 2 high"),
        ("--shape sphere:1 --from 0,0 --motion 0,0,1", "3 finite numbers"),
        ("--shape sphere:1 --from 0,0,0 --motion 0,nan,1", "3 finite numbers"),
        ("--shape sphere:1 --from 0,1e80,0 --motion 0,0,1", "below 1e70"),
        (
            "--shape sphere:1 --from 0,0,0 --motion 0,0,1 --hide Nobody",
            "--hide Nobody: there is no entity of this name",
        ),
        ("--shape sphere:1 --from 0,0,0 --motion 0,0,1 --animation Run", "has no animations"),
    ];
    for (words, expected) in wrong {
        let run = line(&format!("sweep demo {words}"));
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{words}: {run:?}");
        assert!(run.stderr.contains(expected), "{words}: {run:?}");
    }
    assert!(line("sweep nowhere.glb --shape sphere:1 --from 0,0,0 --motion 0,0,1").error().contains("nowhere.glb"));
}
