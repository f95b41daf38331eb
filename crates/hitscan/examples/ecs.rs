//! A scene next to a `hecs` world: the keys of the scene are the entities of the world.
//!
//! `cargo run --example ecs -p hitscan`

use hecs::{Entity, World};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Aabb, Filter, Ray, RayQueries, Scene, Shape, Sphere};
use std::error::Error;

struct Name(&'static str);
struct Position(DVec3);
struct Velocity(DVec3);
struct Health(i32);

/// The world and its scene for rays. Spawning and despawning update both, so that they agree.
#[derive(Default)]
struct Game {
    world: World,
    scene: Scene<Entity>,
}

impl Game {
    fn spawn(&mut self, name: &'static str, collider: impl Into<Shape>, at: DVec3) -> Result<Entity, Box<dyn Error>> {
        let entity = self.world.spawn((Name(name), Position(at)));
        self.scene.insert(entity, collider, at)?;
        Ok(entity)
    }

    fn despawn(&mut self, entity: Entity) -> Result<(), hecs::NoSuchEntity> {
        self.scene.remove(&entity);
        self.world.despawn(entity)
    }

    /// Moves everything that has a velocity, and updates the scene in one call.
    fn move_all(&mut self, seconds: f64) -> Result<usize, Box<dyn Error>> {
        for (position, velocity) in self.world.query_mut::<(&mut Position, &Velocity)>() {
            position.0 += velocity.0 * seconds;
        }
        let mut moving = self.world.query::<(Entity, &Position)>().with::<&Velocity>();
        Ok(self.scene.set_transforms(moving.iter().map(|(entity, position)| (entity, position.0)))?)
    }

    fn name(&self, entity: Entity) -> &'static str {
        self.world.get::<&Name>(entity).map_or("nobody", |name| name.0)
    }

    /// Fires one shot along a direction, which reduces the health of the entity that it hits.
    fn shoot(&mut self, shooter: Entity, from: Vec3, towards: Vec3) {
        let Some(hit) = self.scene.with(&Filter::new().exclude(shooter)).cast(&Ray::new(from, towards)) else {
            println!("  the shot hits nothing");
            return;
        };
        println!("  the shot hits the {} after {:.2}", self.name(hit.id), hit.t);
        if let Ok(mut health) = self.world.get::<&mut Health>(hit.id) {
            health.0 -= 50;
        }
    }

    /// Removes the dead. They are collected first, as the query borrows the world.
    fn bury(&mut self) -> Result<(), Box<dyn Error>> {
        let dead: Vec<Entity> = self
            .world
            .query::<(Entity, &Health)>()
            .iter()
            .filter(|(_, health)| health.0 <= 0)
            .map(|(entity, _)| entity)
            .collect();
        for entity in dead {
            println!("  the {} is gone", self.name(entity));
            self.despawn(entity)?;
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::default();
    let cube = Aabb::from_center_size(Vec3::ZERO, Vec3::ONE);
    let player = game.spawn("player", Sphere::new(0.5), DVec3::ZERO)?;
    let cart = game.spawn("cart", cube, DVec3::new(4.0, 0.0, -8.0))?;
    let robot = game.spawn("robot", Sphere::new(1.0), DVec3::new(0.0, 0.0, -16.0))?;
    game.world.insert_one(cart, Velocity(DVec3::new(-1.0, 0.0, 0.0)))?;
    game.world.insert_one(robot, Health(100))?;

    for second in 0..=5 {
        println!("second {second}");
        game.shoot(player, Vec3::ZERO, Vec3::NEG_Z);
        game.bury()?;
        game.move_all(1.0)?;
    }
    println!("{} entities in the world, {} in the scene", game.world.len(), game.scene.len());
    Ok(())
}
