//! The nearest point of one triangle.

use hitscan::glam::DVec3;

/// Returns the nearest point of a triangle and the part that it is on, by the regions around the triangle (Ericson, Real-Time Collision Detection, 5.1.5).
pub(super) fn of_triangle(point: DVec3, [a, b, c]: [DVec3; 3]) -> (DVec3, i8) {
    let (ab, ac) = (b - a, c - a);
    let (ap, bp, cp) = (point - a, point - b, point - c);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, 4);
    }
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, 5);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), 1);
    }
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, 6);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), 3);
    }
    let va = d3 * d6 - d5 * d4;
    let (along, back) = (d4 - d3, d5 - d6);
    if va <= 0.0 && along >= 0.0 && back >= 0.0 {
        return (b + (c - b) * (along / (along + back)), 2);
    }
    let scale = 1.0 / (va + vb + vc);
    (a + ab * (vb * scale) + ac * (vc * scale), 0)
}
