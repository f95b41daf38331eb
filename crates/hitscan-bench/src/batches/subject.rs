//! Runs every query on a mesh or a scene, in batches and one by one.

use super::calls::{Compared, Rounds};
use super::questions::{Asked, Look, Motion, Question};
use crate::scenes::{Content, Scene as Generated, Soup};
use anyhow::Result;
use hitscan::batch::{Threads, batch_lists, batch_on};
use hitscan::glam::DAffine3;
use hitscan::query::Containment;
use hitscan::{Mesh, ProximityQueries, RayQueries, Scene, Sphere, SweepQueries};

pub(super) enum Subject {
    Mesh(Mesh),
    Scene(Box<Scene<u32>>),
}

impl Subject {
    pub(super) fn mesh(soup: &Soup) -> Result<Self> {
        Ok(Self::Mesh(Mesh::new(&soup.positions, &soup.indices)?))
    }

    pub(super) fn scene(scene: &Generated) -> Result<Self> {
        let mut placed = Scene::new();
        match &scene.content {
            Content::Mesh(soup) => {
                placed.insert(0, Mesh::new(&soup.positions, &soup.indices)?, DAffine3::IDENTITY)?;
            }
            Content::Instances(instances) => {
                let meshes = instances.meshes.iter().map(|soup| Mesh::new(&soup.positions, &soup.indices));
                let meshes = meshes.collect::<Result<Vec<Mesh>, _>>()?;
                let entities = (0..).zip(&instances.placements);
                placed
                    .insert_all(entities.map(|(key, placed)| (key, meshes[placed.mesh].clone(), placed.transform())))?;
            }
        }
        Ok(Self::Scene(Box::new(placed)))
    }

    /// Returns the questions to this subject.
    pub(super) fn questions(&self) -> &'static [Question] {
        use Question::*;
        match self {
            Self::Mesh(_) => &[ClosestHit, LineOfSight, AllHits, ClosestPoint, SignedDistance, Contains, Sweep],
            Self::Scene(_) => {
                &[ClosestHit, LineOfSight, AllHits, ClosestPoint, SignedDistance, Contains, Sweep, Overlaps, Visibility]
            }
        }
    }

    pub(super) fn compare(&self, question: Question, asked: &Asked, rounds: &Rounds) -> Result<Compared> {
        match self {
            Self::Mesh(mesh) => of_mesh(mesh, question, asked, rounds),
            Self::Scene(scene) => of_scene(scene, question, asked, rounds),
        }
    }
}

/// Asserts that a batch was answered: there are as many answers as queries.
fn done(answered: Result<(), hitscan::error::BatchError>) {
    assert_eq!(answered, Ok(()));
}

fn of_mesh(mesh: &Mesh, question: Question, asked: &Asked, rounds: &Rounds) -> Result<Compared> {
    let all = Threads::All;
    match question {
        Question::ClosestHit => {
            rounds.answers(&asked.closest, |ray| mesh.cast(ray), |rays, hits| done(mesh.cast_batch(rays, hits)))
        }
        Question::LineOfSight => rounds.answers(
            &asked.any,
            |ray| mesh.is_blocked(ray),
            |rays, blocked| done(mesh.is_blocked_batch(rays, blocked)),
        ),
        Question::AllHits => rounds.lists(
            &asked.closest,
            |ray, hits| mesh.cast_all(ray, hits),
            |rays, lists| batch_lists(rays, all, lists, |ray, hits| mesh.cast_all(ray, hits)),
        ),
        Question::ClosestPoint => rounds.answers(
            &asked.points,
            |&point| mesh.closest_point(point),
            |points, found| done(mesh.closest_point_batch(points, all, found)),
        ),
        Question::SignedDistance => rounds.answers(
            &asked.points,
            |&point| mesh.signed_distance(point),
            |points, found| done(mesh.signed_distance_batch(points, all, found)),
        ),
        Question::Contains => rounds.answers(
            &asked.points,
            |&point| mesh.contains(point),
            |points, inside| done(mesh.contains_batch(points, all, inside)),
        ),
        Question::Sweep => {
            let ball = Sphere::new(asked.radius);
            let sweep = |way: &Motion| mesh.sweep(ball, way.from, way.motion);
            rounds.answers(&asked.motions, sweep, |ways, hits| done(batch_on(ways, all, hits, sweep)))
        }
        Question::Overlaps | Question::Visibility => unreachable!("a mesh by itself has no such question"),
    }
}

fn of_scene(scene: &Scene<u32>, question: Question, asked: &Asked, rounds: &Rounds) -> Result<Compared> {
    let (all, ball) = (Threads::All, Sphere::new(asked.radius));
    match question {
        Question::ClosestHit => {
            rounds.answers(&asked.closest, |ray| scene.cast(ray), |rays, hits| done(scene.cast_batch(rays, hits)))
        }
        Question::LineOfSight => rounds.answers(
            &asked.any,
            |ray| scene.is_blocked(ray),
            |rays, blocked| done(scene.is_blocked_batch(rays, blocked)),
        ),
        Question::AllHits => rounds.lists(
            &asked.closest,
            |ray, hits| scene.cast_all(ray, hits),
            |rays, lists| batch_lists(rays, all, lists, |ray, hits| scene.cast_all(ray, hits)),
        ),
        Question::ClosestPoint => {
            let ask = |point: &_| scene.closest_point(*point);
            rounds.answers(&asked.points, ask, |points, found| done(batch_on(points, all, found, ask)))
        }
        Question::SignedDistance => {
            let ask = |point: &_| scene.closest_point(*point).and_then(|nearest| nearest.signed_distance());
            rounds.answers(&asked.points, ask, |points, found| done(batch_on(points, all, found, ask)))
        }
        Question::Contains => {
            let is_inside = |containment| containment == Containment::Inside;
            let ask = |point: &_| scene.closest_point(*point).is_some_and(|nearest| is_inside(nearest.containment));
            rounds.answers(&asked.points, ask, |points, inside| done(batch_on(points, all, inside, ask)))
        }
        Question::Sweep => {
            let ask = |way: &Motion| scene.sweep(ball, way.from, way.motion);
            rounds.answers(&asked.motions, ask, |ways, hits| done(batch_on(ways, all, hits, ask)))
        }
        Question::Overlaps => {
            let ask = |point: &_| scene.overlaps(ball, *point);
            rounds.answers(&asked.points, ask, |points, touched| done(batch_on(points, all, touched, ask)))
        }
        Question::Visibility => {
            let ask = |look: &Look| Some(scene.visibility(look.eye, &look.points));
            rounds.answers(&asked.looks, ask, |looks, seen| done(batch_on(looks, all, seen, ask)))
        }
    }
}
