use super::*;
use crate::vision_camera::{Camera, Projection};
use passerby_geometry::chance::{Chance, Purpose, Stream};
use reference::{Hit, Scene, Verdict};

#[path = "vision_reference.rs"]
mod reference;

fn widths() -> [Width; 3] {
    [Width::plain(), Width::baseline(), Width::detect()]
}

fn cone(x: f32, y: f32) -> Cone {
    Cone { offset: Vec2::new(x, y), velocity: Vec2::ZERO, radius: 0.5, height: 1.8 }
}

fn wall(from: [f32; 2], to: [f32; 2], height: f32) -> Wall {
    Wall { from: from.into(), to: to.into(), velocity: Vec2::ZERO, height }
}

fn hit(seen: &Seen<'_>, column: u32, row: u32) -> Hit {
    seen.pixel(column, row).map(|pixel| (pixel.surface, f64::from(pixel.distance)))
}

/// All pixels in which a surface shows.
fn showing(seen: &Seen<'_>, surface: Surface) -> Vec<(u32, u32)> {
    let camera = *seen.rays.camera();
    let all = (0..camera.columns).flat_map(|column| (0..camera.rows).map(move |row| (column, row)));
    all.filter(|(column, row)| hit(seen, *column, *row).is_some_and(|(found, _)| found == surface)).collect()
}

/// The worked image: a walker coming at (4, 0), then at (4, 0.3).
#[test]
fn pixels_of_a_cone_are_the_worked_ones() {
    let rays = Rays::new(Camera { projection: Projection::Pinhole, ..Camera::default() });
    for width in widths() {
        let mut image = Image::new(width);
        let seen = image.look(&rays, Vec2::X, &[], &[cone(4.0, 0.0)]);
        let pixels = showing(&seen, Surface::Cone(0));
        assert_eq!(pixels.len(), 78);
        let extent = |f: fn(&(u32, u32)) -> u32| (pixels.iter().map(f).min(), pixels.iter().map(f).max());
        assert_eq!(extent(|pixel| pixel.0), (Some(124), Some(131)));
        assert_eq!(extent(|pixel| pixel.1), (Some(1), Some(16)));
        for (column, row, at, height) in [
            (128, 6, Vec2::new(3.81919, -0.0480254), 1.12650),
            (126, 10, Vec2::new(3.74075, 0.152979), 0.716330),
            (130, 12, Vec2::new(3.74649, -0.266560), 0.475711),
        ] {
            let distance = seen.pixel(column, row).expect("the cone is there").distance;
            let (found, z) = (rays.direction(column, row) * distance, 1.7 - rays.slope(column, row) * distance);
            assert!((found - at).length() < 1e-4 && (z - height).abs() < 1e-4, "{column}, {row}: {found}, {z}");
        }
        let seen = image.look(&rays, Vec2::X, &[], &[cone(4.0, 0.3)]);
        assert_eq!(showing(&seen, Surface::Cone(0)).len(), 79);
    }
}

/// Turning walker and world together changes no pixel.
#[test]
fn the_heading_turns_the_view() {
    let rays = Rays::new(Camera::default());
    let (mut ahead, mut turned) = (Image::new(Width::detect()), Image::new(Width::detect()));
    let (cones, walls) = ([cone(3.0, 1.0), cone(2.0, -1.0)], [wall([5.0, -4.0], [6.0, 3.0], 3.0)]);
    // By a right angle: no rounding at all.
    let left = |v: Vec2| v.perp();
    let cones_left = cones.map(|cone| Cone { offset: left(cone.offset), ..cone });
    let walls_left = walls.map(|wall| Wall { from: left(wall.from), to: left(wall.to), ..wall });
    let a = ahead.look(&rays, Vec2::X, &walls, &cones);
    let b = turned.look(&rays, Vec2::Y, &walls_left, &cones_left);
    for (column, row) in (0..256).flat_map(|column| (0..48).map(move |row| (column, row))) {
        assert_eq!(a.pixel(column, row), b.pixel(column, row), "{column}, {row}");
    }
    assert!(showing(&a, Surface::Cone(0)).iter().all(|pixel| pixel.0 < 128), "the left is on the left");
}

/// Of a cone behind another the head shows above the near one's shoulders, where that is narrow, and the base does not.
#[test]
fn heads_show_above_shoulders() {
    let rays = Rays::new(Camera::default());
    let mut image = Image::new(Width::detect());
    // At the upper edge it is 1.6 degrees wide to each side and the near one 1.0; at its base it is 4.8 and the near one 5.3.
    let tall = Cone { height: 2.4, ..cone(6.0, 0.0) };
    let alone = showing(&image.look(&rays, Vec2::X, &[], &[tall]), Surface::Cone(0));
    let far = showing(&image.look(&rays, Vec2::X, &[], &[cone(2.0, 0.0), tall]), Surface::Cone(1));
    let (top, low) = (alone.iter().map(|pixel| pixel.1).min(), alone.iter().map(|pixel| pixel.1).max());
    assert_eq!(far.iter().map(|pixel| pixel.1).min(), top, "its top shows");
    assert!(far.iter().map(|pixel| pixel.1).max() < low, "its base does not");
    // Straight behind, somebody as tall is narrower everywhere; a step aside, half of them shows.
    let mut shown =
        |y: f32| showing(&image.look(&rays, Vec2::X, &[], &[cone(2.0, 0.0), cone(6.0, y)]), Surface::Cone(1)).len();
    assert_eq!(shown(0.0), 0);
    assert!(shown(0.3) > 0 && shown(0.3) < shown(3.0), "{} of {}", shown(0.3), shown(3.0));
}

/// Nobody is seen through a high wall, whatever the order they were given in; over a low one heads are.
#[test]
fn walls_hide() {
    let rays = Rays::new(Camera::default());
    let mut image = Image::new(Width::detect());
    for (height, hidden) in [(3.0, true), (1.7, true), (1.2, false)] {
        let fence = [wall([3.0, -4.0], [3.0, 4.0], height)];
        let seen = image.look(&rays, Vec2::X, &fence, &[cone(5.0, 0.0), cone(2.0, 1.5)]);
        assert_eq!(showing(&seen, Surface::Cone(0)).is_empty(), hidden, "a wall of {height} m");
        assert!(!showing(&seen, Surface::Cone(1)).is_empty(), "it stands before the wall");
        assert!(!showing(&seen, Surface::Wall(0)).is_empty());
    }
    // Two walls that meet leave no gap between them.
    let corner = [wall([4.0, -9.0], [4.0, 0.1234], 3.0), wall([4.0, 0.1234], [5.0, 9.0], 3.0)];
    let seen = image.look(&rays, Vec2::X, &corner, &[cone(7.0, 0.2)]);
    assert!(showing(&seen, Surface::Cone(0)).is_empty());
}

/// The first of two surfaces at the same place shows.
#[test]
fn of_equal_distances_the_first_is_seen() {
    let rays = Rays::new(Camera::default());
    let mut image = Image::new(Width::detect());
    let seen = image.look(&rays, Vec2::X, &[wall([3.0, -1.0], [3.0, 1.0], 3.0); 2], &[cone(2.0, 0.0); 2]);
    assert!(showing(&seen, Surface::Wall(1)).is_empty() && showing(&seen, Surface::Cone(1)).is_empty());
    assert!(!showing(&seen, Surface::Wall(0)).is_empty() && !showing(&seen, Surface::Cone(0)).is_empty());
}

/// Bodies on top of each other, an eye in a cone, a wall through the eye, a wall of no length: every distance is a number.
#[test]
fn nothing_is_too_near() {
    for projection in [Projection::Even, Projection::Pinhole] {
        let rays = Rays::new(Camera { projection, ..Camera::default() });
        let mut image = Image::new(Width::detect());
        let odd =
            [[0.0, 0.0], [1e-5, 0.0], [-1e-5, 0.0], [0.0, 0.02], [0.0377, 0.0], [0.0379, 0.0], [0.3, -0.2], [0.5, 0.0]];
        let child = |at: Vec2, height: f32| Cone { offset: at, height, ..cone(0.0, 0.0) };
        for at in odd.map(Vec2::from) {
            let mut seen_from_inside = 0;
            for body in [child(at, 1.8), child(at, 1.7), child(at, 1.0), child(at, 0.1), child(at, 3.0)] {
                let walls = [
                    wall([-1.0, 0.0], [1.0, 0.0], 3.0),
                    wall([0.0, 0.0], [1.0, 1.0], 1.0),
                    wall([1.0, 0.0], [1.0, 0.0], 3.0),
                    wall([0.0, 0.0], [0.0, 0.0], 3.0),
                    Wall { from: at, to: -at, velocity: Vec2::ZERO, height: 3.0 },
                ];
                for walls in [&walls[..], &[]] {
                    let seen = image.look(&rays, Vec2::X, walls, &[body]);
                    for (column, row) in (0..256).flat_map(|column| (0..48).map(move |row| (column, row))) {
                        let Some(pixel) = seen.pixel(column, row) else { continue };
                        assert!(pixel.distance >= 0.0099 && pixel.distance < 1e6, "{at}, {body:?}: {pixel:?}");
                    }
                    seen_from_inside = showing(&seen, Surface::Cone(0)).len().max(seen_from_inside);
                }
            }
            // A third of the view at least is towards the centre, unless that is behind.
            let inside = at.x >= 0.0 && at.length() < 0.03;
            assert!(!inside || seen_from_inside > 256 * 48 / 3, "{at}: {seen_from_inside} pixels");
        }
        let seen = image.look(&rays, Vec2::X, &[], &[cone(0.01, 0.0)]);
        assert_eq!(showing(&seen, Surface::Cone(0)).len(), 256 * 48, "all of the view ahead");
        let seen = image.look(&rays, Vec2::X, &[], &[cone(-0.01, 0.0)]);
        assert!(showing(&seen, Surface::Cone(0)).is_empty(), "it is behind");
    }
}

fn uniform(stream: &mut Stream, low: f64, high: f64) -> f32 {
    stream.between(low, high) as f32
}

/// Walls and cones of all sizes near and far, and a heading.
fn random_scene(stream: &mut Stream) -> (Vec2, Vec<Wall>, Vec<Cone>) {
    let reach = [1.0, 4.0, 10.0, 40.0][stream.below(4) as usize];
    let point = |stream: &mut Stream| Vec2::new(uniform(stream, -reach, reach), uniform(stream, -reach, reach));
    let (walls, cones) = (stream.below(8), stream.below(25));
    let walls = (0..walls)
        .map(|_| {
            let height = [3.0, 3.0, 1.7, 1.0, uniform(stream, 0.1, 4.0)][stream.below(5) as usize];
            Wall { from: point(stream), to: point(stream), velocity: point(stream), height }
        })
        .collect();
    let cones = (0..cones)
        .map(|_| {
            let usual = stream.below(3) > 0;
            let (radius, height) =
                if usual { (0.5, 1.8) } else { (uniform(stream, 0.05, 1.5), uniform(stream, 0.1, 2.6)) };
            Cone { offset: point(stream), velocity: point(stream), radius, height }
        })
        .collect();
    let (sin, cos) = passerby_geometry::math::sin_cos(uniform(stream, -3.2, 3.2));
    (Vec2::new(cos, sin), walls, cones)
}

fn cameras() -> [Camera; 5] {
    let small = Camera { columns: 96, rows: 10, ..Camera::default() };
    let odd = Camera { columns: 101, rows: 33, top: -0.3, bottom: 1.5, view: 3.0, ..Camera::default() };
    let projection = Projection::Pinhole;
    [Camera::default(), small, odd, Camera { projection, ..small }, Camera { projection, bottom: 1.2, ..odd }]
}

/// Every pixel against a ray cast in `f64`. Where they differ, a ray two millionths of a radian beside it sees what the image shows, or
/// two surfaces are equally far away to as many digits.
#[test]
fn every_pixel_is_that_of_the_ray_through_it() {
    let (mut pixels, mut rounding) = (0u32, 0u32);
    for (number, camera) in cameras().into_iter().enumerate() {
        let (rays, mut image) = (Rays::new(camera), Image::new(Width::detect()));
        for scene in 0..120 {
            let (heading, walls, cones) =
                random_scene(&mut Chance::new(5).stream(scene, number as u32, Purpose::Sample));
            let seen = image.look(&rays, heading, &walls, &cones);
            let truth = Scene { heading, walls: &walls, cones: &cones };
            for (column, row) in (0..camera.columns).flat_map(|c| (0..camera.rows).map(move |r| (c, r))) {
                let found = hit(&seen, column, row);
                pixels += 1;
                match reference::judge(&truth, &camera, (column, row), found, 2e-6) {
                    Verdict::Same => {}
                    Verdict::Rounding => rounding += 1,
                    Verdict::Wrong => {
                        let expected =
                            reference::cast(&truth, f64::from(camera.eye), reference::angles(&camera, column, row));
                        panic!(
                            "camera {number}, scene {scene}, pixel {column}, {row}: {found:?}, expected {expected:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(u64::from(rounding) * 20_000 < u64::from(pixels), "{rounding} of {pixels} pixels differ by rounding");
}

/// Every tile, to the bit.
#[test]
fn all_widths_see_the_same_bits() {
    for (number, camera) in cameras().into_iter().enumerate() {
        let rays = Rays::new(camera);
        let mut images = widths().map(Image::new);
        for scene in 0..40 {
            let (heading, walls, cones) =
                random_scene(&mut Chance::new(6).stream(scene, number as u32, Purpose::Sample));
            let bits = images.each_mut().map(|image| {
                image.look(&rays, heading, &walls, &cones);
                image.tiles.iter().flatten().flatten().map(|value| value.to_bits()).collect::<Vec<_>>()
            });
            assert!(bits[0] == bits[1] && bits[0] == bits[2], "camera {number}, scene {scene}");
        }
    }
}

/// The order of cones changes nothing but their numbers.
#[test]
fn the_order_does_not_matter() {
    let rays = Rays::new(Camera::default());
    let mut image = Image::new(Width::detect());
    for scene in 0..20 {
        let (heading, walls, mut cones) = random_scene(&mut Chance::new(7).stream(scene, 0, Purpose::Sample));
        let distances = [(); 2].map(|()| {
            let seen = image.look(&rays, heading, &walls, &cones);
            cones.reverse();
            let all = (0..256).flat_map(|column| (0..48).map(move |row| (column, row)));
            all.map(|(column, row)| seen.pixel(column, row).map(|pixel| pixel.distance)).collect::<Vec<_>>()
        });
        assert_eq!(distances[0], distances[1], "scene {scene}");
    }
}

/// Once it has seen as much, an image asks for no more memory.
#[test]
fn buffers_are_used_again() {
    let rays = Rays::new(Camera::default());
    let mut image = Image::new(Width::detect());
    let scenes: Vec<_> = (0..10).map(|i| random_scene(&mut Chance::new(8).stream(i, 0, Purpose::Sample))).collect();
    let mut room = Vec::new();
    for _ in 0..2 {
        for (heading, walls, cones) in &scenes {
            image.look(&rays, *heading, walls, cones);
        }
        let Image { tiles, screen, spans, velocities, .. } = &image;
        room.push([tiles.capacity(), screen.capacity(), spans.capacity(), velocities.capacity()]);
    }
    assert_eq!(room[0], room[1]);
}

/// Somebody shorter than the eye, right below it or so far away that the eye is on the continuation of the cone above its top.
#[test]
fn who_is_below_the_eye_is_seen_from_above() {
    let camera = Camera::default();
    let (rays, mut image) = (Rays::new(camera), Image::new(Width::detect()));
    for x in [-0.35, -0.1, 0.0, 0.2, 0.3499, 0.35, 0.350001, 0.3501, 0.36, 0.45] {
        let cones = [Cone { height: 1.0, ..cone(x, 0.02) }];
        let seen = image.look(&rays, Vec2::X, &[], &cones);
        let truth = Scene { heading: Vec2::X, walls: &[], cones: &cones };
        for (column, row) in (0..256).flat_map(|column| (0..48).map(move |row| (column, row))) {
            let found = hit(&seen, column, row);
            let verdict = reference::judge(&truth, &camera, (column, row), found, 2e-6);
            assert_ne!(verdict, Verdict::Wrong, "{x}: pixel {column}, {row} shows {found:?}");
        }
    }
}
