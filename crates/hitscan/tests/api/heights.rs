//! A height exists exactly where a vertical ray hits, and is the same to the bit.

use crate::common::Random;
use hitscan::glam::{Vec2, Vec3};
use hitscan::height_field::Diagonal;
use hitscan::{HeightField, Ray};
use hitscan_random::effort;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

#[test]
fn borders_of_holes_belong_to_the_surface() {
    let field = |hole| HeightField::new(2, 3, Vec2::ONE, &[0.0; 6]).unwrap().with_holes([hole]).unwrap();
    for hole in [[0, 0], [0, 1]] {
        assert_eq!(field(hole).height_at(1.0, 0.5), Some(0.0), "{hole:?}");
    }
    let all = field([0, 0]).with_holes([[0, 1]]).unwrap();
    assert_eq!(all.height_at(1.0, 0.5), None);
    let corner = HeightField::new(3, 3, Vec2::ONE, &[7.0; 9]).unwrap().with_holes([[0, 0], [0, 1], [1, 0]]).unwrap();
    assert_eq!(corner.height_at(1.0, 1.0), Some(7.0));
    assert_eq!(
        (corner.height_at(1.0, 0.5), corner.height_at(2.0, 0.5), corner.height_at(2.0, 1.0)),
        (None, None, Some(7.0))
    );
}

#[test]
fn heights_are_what_a_ray_down_meets() {
    let count = effort::size(10_000, 30_000, 10_000_000);
    let seed = effort::seed(20_261_126);
    let mut random = Random(seed);
    let mut found = 0;
    for number in 0..count / 100 {
        let field = field(&mut random);
        for _ in 0..100 {
            let [x, z] = place(&mut random, &field);
            let context = || format!("seed {seed}, field {number}, x {x:?}, z {z:?}, {field:?}");
            let line = Ray::with_direction([x, 0.0, z], Vec3::Y).with_range(f32::NEG_INFINITY, f32::INFINITY);
            let height = field.height_at(x, z);
            assert_eq!(height.map(f32::to_bits), field.cast(&line).map(|hit| hit.t.to_bits()), "{}", context());
            assert_eq!(height, by_force(&field, [x, z]), "{}", context());
            found += usize::from(height.is_some());
        }
    }
    assert!(found > count / 4, "{found} of {count}");
}

fn field(random: &mut Random) -> HeightField {
    let (rows, columns) = (2 + random.below(4), 2 + random.below(4));
    let cell = [1.0, 0.5, 0.1, 3.0, 0.7, 1e-30, 1e30];
    let cell = Vec2::new(cell[random.below(cell.len())], cell[random.below(cell.len())]);
    let size = [0.0, 1.0, 1.0, 1e3, 1e-30, 1e30][random.below(6)];
    let heights: Vec<f32> = (0..rows * columns).map(|_| (size * random.unit()) as f32).collect();
    let holes: Vec<[usize; 2]> =
        (0..random.below(5)).map(|_| [random.below(rows - 1), random.below(columns - 1)]).collect();
    let diagonal = [Diagonal::Falling, Diagonal::Rising][random.below(2)];
    HeightField::new(rows, columns, cell, &heights).unwrap().with_diagonal(diagonal).with_holes(holes).unwrap()
}

/// Returns a vertex, a place on a border or diagonal, a place next to a border or diagonal, or an arbitrary place.
fn place(random: &mut Random, field: &HeightField) -> [f32; 2] {
    let mut vertex = || field.vertex(random.below(field.rows()), random.below(field.columns())).unwrap();
    let (a, b) = (vertex(), vertex());
    let middle = [(a.x + b.x) / 2.0, (a.z + b.z) / 2.0];
    let far = field.vertex(field.rows() - 1, field.columns() - 1).unwrap();
    let any = |random: &mut Random, far: f32| ((1.2 * random.unit().abs() - 0.1) * f64::from(far)) as f32;
    match random.below(6) {
        0 => [a.x, a.z],
        1 => [a.x, middle[1]],
        2 => [middle[0], a.z],
        3 => middle,
        4 => [a.x, any(random, far.z)],
        _ => [any(random, far.x), any(random, far.z)],
    }
}

/// Returns the height of the first triangle that contains the place, in exact arithmetic.
fn by_force(field: &HeightField, [x, z]: [f32; 2]) -> Option<f32> {
    let exact = |x: f32| BigRational::from_float(x).unwrap();
    let place = [exact(x), exact(z)];
    let corners = |number: u32| field.triangle(number).map(|corners| corners.map(|c| [c.x, c.y, c.z].map(exact)));
    (0..field.triangle_count() as u32).filter_map(corners).find_map(|corners| height_on(&corners, &place))
}

fn height_on(corners: &[[BigRational; 3]; 3], [x, z]: &[BigRational; 2]) -> Option<f32> {
    let area = |i: usize, j: usize| {
        let [a, b] = [&corners[i], &corners[j]];
        (&a[0] - x) * (&b[2] - z) - (&a[2] - z) * (&b[0] - x)
    };
    let weights = [area(1, 2), area(2, 0), area(0, 1)];
    let zero = BigRational::zero();
    let is_in = weights.iter().all(|weight| *weight >= zero) || weights.iter().all(|weight| *weight <= zero);
    let sum = &weights[0] + &weights[1] + &weights[2];
    if !is_in || sum == zero {
        return None;
    }
    let height = (0..3).fold(zero, |height, i| height + &weights[i] * &corners[i][1]) / sum;
    Some(rounded(&height))
}

/// Returns the nearest f32, ties to even. An intermediate rounding to f64 could change a tie.
fn rounded(number: &BigRational) -> f32 {
    let guess = number.to_f64().unwrap() as f32;
    let distance = |candidate: f32| {
        let exact = BigRational::from_float(candidate).unwrap();
        if exact > *number { exact - number } else { number - exact }
    };
    let candidates = [guess, guess.next_down(), guess.next_up()];
    let finite = candidates.into_iter().filter(|candidate| candidate.is_finite());
    let nearest = finite.min_by(|&a, &b| distance(a).cmp(&distance(b)).then((a.to_bits() & 1).cmp(&(b.to_bits() & 1))));
    nearest.unwrap() + 0.0
}
