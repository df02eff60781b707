use super::*;
use crate::vision_camera::{Camera, Projection, Rays};
use crate::vision_image::{Cone, Image, Wall};
use passerby_geometry::chance::{Chance, Purpose, Stream};
use passerby_geometry::lanes::Width;

const AHEAD: Vec2 = Vec2::new(1.3, 0.0);

#[track_caller]
fn check(what: &str, value: f32, expected: f32) {
    assert!((value - expected).abs() <= 1e-4 * expected.abs() + 2e-6, "{what}: {value}, expected {expected}");
}

#[test]
fn threshold_follows_equation_1() {
    let worked = [(0.5, 1.69706), (1.0, 0.6), (2.0, 0.212132), (3.0, 0.115470), (5.0, 0.0536656), (8.0, 0.0265165)];
    for (tti, expected) in worked {
        check("tau1", Vision::default().threshold(tti), expected);
        // Beside the published exponent the general form takes over, and at both ends of its range it is right too.
        check("tau1 beside", Vision { curvature: 1.500001, ..Vision::default() }.threshold(tti), expected);
        for curvature in [0.5, 1.0, 4.0] {
            let power = 0.6 * passerby_geometry::math::powf(tti, -curvature);
            check("tau1 else", Vision { curvature, ..Vision::default() }.threshold(tti), power);
        }
    }
}

#[test]
fn logarithm_is_that_of_the_library() {
    for i in -300..=60 {
        let x = passerby_geometry::math::powf(10.0, 0.1 * i as f32);
        let (found, expected) = (first(ln(Plain::splat(x))), passerby_geometry::math::ln(x));
        assert!((found - expected).abs() < 3e-7 * (1.0 + expected.abs()), "ln {x} is {found}, expected {expected}");
    }
}

/// The rows of the worked table: p, V_o, then D, tti, rate, tau1; whether it is in P_col, and phi+ and phi-.
#[test]
fn points_are_the_worked_ones() {
    let model = Vision::default();
    let rows = [
        ([6.0, 0.0], [0.0, 0.0], 4.61538, 0.0, 0.0605117, [-0.0605117, 0.0605117]),
        ([5.0, -5.0], [0.0, 1.3], 3.84615, 0.0, 0.0795447, [-0.0795447, 0.0795447]),
        ([5.0, -4.0], [0.0, 1.3], 3.50427, 0.0317073, 0.0914649, [-0.0597575, 0.123172]),
        ([5.0, -6.0], [0.0, 1.3], 4.26573, -0.0213115, 0.0681021, [-0.0894136, 0.0467906]),
        ([5.0, 1.0], [0.0, 0.0], 4.0, 0.05, 0.075, [-0.025, 0.125]),
        ([6.0, 0.5], [-1.3, 0.0], 2.32372, 0.0358621, 0.169385, [-0.133523, 0.205248]),
        ([0.6, 0.1], [0.0, 0.0], 0.474359, 0.351351, 1.83650, [-1.48515, 2.18785]),
    ];
    for (p, velocity, tti, rate, tau1, [right, left]) in rows {
        let point = model.of_point(Vec2::from(p), Vec2::from(velocity) - AHEAD);
        check("rate", point.rate, rate);
        check("tti", point.tti.expect("it converges"), tti);
        check("tau1", model.threshold(tti), tau1);
        assert!(point.collides, "{p:?}");
        let threat = model.of_points([(Vec2::from(p), Vec2::from(velocity) - AHEAD)]).expect("a collision");
        (check("phi+", threat.right, right), check("phi-", threat.left, left), check("tti_mp", threat.soonest, tti));
    }
    // Rows 8 and 9 come no nearer.
    for (p, velocity, rate) in [([-1.0, 2.0], [0.0, 1.0], 0.32), ([3.0, 1.0], [1.3, 0.0], 0.0)] {
        let point = model.of_point(Vec2::from(p), Vec2::from(velocity) - AHEAD);
        check("rate", point.rate, rate);
        assert_eq!((point.tti, point.collides), (None, false), "{p:?}");
        assert_eq!(model.of_points([(Vec2::from(p), Vec2::from(velocity) - AHEAD)]), None);
    }
}

/// Eq. (14) with u = 1 s: rates of the table over |1 - 1/tti|. The tangent of the printed values: row 6 0.0358621/0.569655 = 0.0629541, row 7
/// 0.351351/1.10811 = 0.317073, and pi less its arctangent is the 2.83455 of the table.
#[test]
fn rates_are_means_over_the_next_second_where_asked_for() {
    let model = Vision { mean_over: 1.0, ..Vision::default() };
    let at = |p: [f32; 2], velocity: [f32; 2]| model.of_point(Vec2::from(p), Vec2::from(velocity) - AHEAD);
    check("row 1", at([6.0, 0.0], [0.0, 0.0]).rate, 0.0);
    check("row 6", at([6.0, 0.5], [-1.3, 0.0]).rate, 0.0629541);
    check("row 7", at([0.6, 0.1], [0.0, 0.0]).rate, 0.317073);
    // A metre away, a second before they are nearest, 0.2 m aside: this very moment 0.2 rad/s, below the 0.6 of the threshold; soon much more.
    let aside = ([1.3, 0.26], [0.0, 0.0]);
    assert!(Vision::default().of_point(Vec2::from(aside.0), -AHEAD).collides && !at(aside.0, aside.1).collides);
}

/// Three points of one body: the whole of P_col counts for both sides.
#[test]
fn points_of_one_body_are_taken_together() {
    let relative = Vec2::new(-1.3, 0.0) - AHEAD;
    let all = |points: [[f32; 2]; 3]| {
        let model = Vision::default();
        model.of_points(points.map(|p| (Vec2::from(p), relative))).expect("a collision")
    };
    let threat = all([[6.0, 0.0], [6.0, 0.5], [6.0, 1.0]]);
    (check("phi+", threat.right, -0.171153), check("phi-", threat.left, 0.234532));
    check("tti_mp", threat.soonest, 2.30769);
    let threat = all([[6.0, -0.5], [6.0, 0.0], [6.0, 0.5]]);
    (check("phi+", threat.right, -0.205248), check("phi-", threat.left, 0.205248));
}

/// The worked images: a walker coming along -x, seen as a cone.
#[test]
fn images_ask_for_the_worked_turns() {
    let rays = Rays::new(Camera { projection: Projection::Pinhole, ..Camera::default() });
    let model = Vision::default();
    for width in [Width::plain(), Width::baseline(), Width::detect()] {
        let mut image = Image::new(width);
        let mut look = |y: f32| {
            let cone = Cone { offset: Vec2::new(4.0, y), velocity: -AHEAD, radius: 0.5, height: 1.8 };
            let seen = image.look(&rays, Vec2::X, &[], &[cone]);
            let points =
                [(128, 6), (126, 10), (130, 12)].map(|(column, row)| model.stimulus(&seen, AHEAD, column, row));
            (model.threat(&seen, AHEAD).expect("a collision"), points)
        };
        let (threat, points) = look(0.0);
        (check("phi+", threat.right, -0.423119), check("phi-", threat.left, 0.423119));
        check("tti_mp", threat.soonest, 1.35178);
        let expected =
            [(1.46915, -0.00855922, 0.336940), (1.44116, 0.0283768, 0.346804), (1.44825, -0.0491276, 0.344258)];
        for (point, (tti, rate, tau1)) in points.into_iter().zip(expected) {
            let point = point.expect("the cone is there");
            let found = point.tti.expect("it converges");
            (check("tti", found, tti), check("rate", point.rate, rate), check("tau1", model.threshold(found), tau1));
            assert!(point.collides);
        }
        for (y, right, left) in [(0.3, -0.365511, 0.466470), (1.5, -0.134198, 0.565712)] {
            let threat = look(y).0;
            (check("phi+", threat.right, right), check("phi-", threat.left, left));
        }
    }
}

fn random_scene(stream: &mut Stream) -> (Vec<Wall>, Vec<Cone>) {
    let mut point = |size: f64| Vec2::new(stream.between(-size, size) as f32, stream.between(-size, size) as f32);
    let walls = (0..4).map(|_| Wall { from: point(12.0), to: point(12.0), velocity: point(0.5), height: 3.0 });
    let walls = walls.collect();
    let cones = (0..25).map(|_| Cone { offset: point(8.0), velocity: point(1.5), radius: 0.5, height: 1.8 });
    (walls, cones.collect())
}

/// The fast way takes the nearest pixel of a surface in a column; asking all pixels one by one gives the same, to rounding, whatever the
/// parameters. And every width gives the same bits.
#[test]
fn the_nearest_pixels_speak_for_all() {
    let models = [
        Vision::default(),
        Vision { curvature: 1.0, ..Vision::default() },
        Vision { curvature: 4.0, ..Vision::default() },
        Vision { curvature: 0.5, ..Vision::default() },
        Vision { bias: 0.1, ..Vision::default() },
        Vision { bias: -1.0, curvature: 2.0, ..Vision::default() },
        Vision { anticipation: 0.01, ..Vision::default() },
        Vision { anticipation: 10.0, ..Vision::default() },
    ];
    let even = Camera { columns: 100, rows: 20, ..Camera::default() };
    let mut collisions = 0;
    for camera in [even, Camera { projection: Projection::Pinhole, ..even }] {
        let rays = Rays::new(camera);
        let mut images = [Width::plain(), Width::baseline(), Width::detect()].map(Image::new);
        for scene in 0..30 {
            let (walls, cones) = random_scene(&mut Chance::new(3).stream(scene, 0, Purpose::Sample));
            for model in &models {
                let threats = images.each_mut().map(|image| {
                    let seen = image.look(&rays, Vec2::Y, &walls, &cones);
                    (model.threat(&seen, AHEAD.perp()), all_pixels(model, &seen, AHEAD.perp()))
                });
                for (threat, pixels) in threats {
                    assert_eq!(threat, threats[0].0, "every width the same bits");
                    assert_eq!(threat.is_some(), pixels.is_some(), "{model:?}, scene {scene}");
                    let (Some(a), Some(b)) = (threat, pixels) else { continue };
                    collisions += 1;
                    (check("phi+", a.right, b.right), check("phi-", a.left, b.left));
                    check("tti_mp", a.soonest, b.soonest);
                }
            }
        }
    }
    assert!(collisions > 500, "{collisions} scenes with something in the way");
}

/// Eq. (1) to (4) and (8) over all pixels, one at a time.
fn all_pixels(model: &Vision, seen: &Seen<'_>, velocity: Vec2) -> Option<Threat> {
    let camera = *seen.rays.camera();
    let mut threat: Option<Threat> = None;
    for (column, row) in (0..camera.columns).flat_map(|column| (0..camera.rows).map(move |row| (column, row))) {
        let Some(point) = model.stimulus(seen, velocity, column, row) else { continue };
        let Some(tti) = point.tti else { continue };
        let tau = model.threshold(tti);
        let collides = match point.rate >= 0.0 {
            true => point.rate < model.bias + tau,
            false => point.rate > model.bias - tau,
        };
        if !collides {
            continue;
        }
        let (right, left) = (point.rate - (model.bias + tau), point.rate - (model.bias - tau));
        let most = threat.unwrap_or(Threat { right, left, soonest: tti });
        let soonest = tti.min(most.soonest);
        threat = Some(Threat { right: right.min(most.right), left: left.max(most.left), soonest });
    }
    threat
}

/// Bodies in the eye, walls through it and speeds of all kinds: all numbers are numbers, at both ends of every range.
#[test]
fn threats_are_numbers_at_both_ends_of_every_range() {
    let at = [[0.0, 0.0], [1e-5, 0.0], [0.02, 0.01], [-0.3, 0.2], [0.5, 0.0], [30.0, 3.0]].map(Vec2::from);
    let mut found = 0;
    for field in Vision::FIELDS {
        for value in [field.low, field.high] {
            let mut model = Vision::default();
            *(field.slot)(&mut model) = value;
            let (rays, mut image) = (Rays::new(model.camera()), Image::new(Width::detect()));
            for (at, velocity) in at.iter().flat_map(|at| [0.0, 1e-9, 1.3, 5.0].map(|speed| (*at, speed * Vec2::X))) {
                let (radius, height) = (model.body_radius, model.body_height);
                let cones = [at, -at].map(|offset| Cone { offset, velocity: -velocity, radius, height });
                let wall =
                    Wall { from: at - Vec2::Y, to: at + Vec2::Y, velocity: Vec2::ZERO, height: model.wall_height };
                let seen = image.look(&rays, Vec2::X, &[wall], &cones);
                let Some(threat) = model.threat(&seen, velocity) else { continue };
                found += 1;
                assert!(threat.right.is_finite() && threat.left.is_finite() && threat.soonest > 0.0, "{threat:?}");
                assert!(threat.soonest.is_finite(), "{threat:?}");
            }
            let goal = model.of_point(Vec2::ZERO, Vec2::X);
            assert!(goal.rate.is_finite() && goal.tti.is_none_or(f32::is_finite), "{goal:?}");
        }
    }
    assert!(found > 100, "{found}");
}
