//! Steering by sight, wired: who and what is in view becomes surfaces, the image of them a turn and a speed.
//!
//! The model itself is in four files: [`mod@crate::vision_camera`], where pixels look; `vision_shape.rs` and [`mod@crate::vision_image`], what they see;
//! [`mod@crate::vision_threat`], what that means; [`mod@crate::vision_decision`], what is done about it.

use crate::batch::{Batch, Led, Scratch};
use crate::explanation::{Explanation, Looked};
use crate::memory::{Memory, Turning};
use crate::vision_camera::Rays;
use crate::vision_decision::{Pace, Steer, Vision};
use crate::vision_image::{Cone, Image, Wall};
use crate::{Neighbour, Walker};
use passerby_crowd::{Found, Slot};
use passerby_geometry::lanes::Width;
use passerby_geometry::walls::WallNear;
use passerby_geometry::{Segment, Vec2, math};

/// How wide somebody near looks at the most, as a share of their distance. Ours: in a crowd eyes are inside the cones of those beside,
/// who would fill half of the view and stop everybody.
const SHARE: f32 = 0.8;

/// The cosine of a bearing beyond which a point is aside.
const ASIDE: f32 = 0.7;
/// How fast those part who overlap, m/s.
const PARTING: f32 = 0.5;
/// Goals farther away, m, are no different.
const FAR: f32 = 1e4;

/// Buffers of one thread.
#[derive(Debug)]
pub(crate) struct Buffers {
    rays: Option<Rays>,
    image: Image,
    found: Vec<Found>,
    near: Vec<WallNear>,
    cones: Vec<Cone>,
    /// Whose cones they are.
    who: Vec<Slot>,
    walls: Vec<Wall>,
}

impl Default for Buffers {
    fn default() -> Self {
        Self {
            rays: None,
            image: Image::new(Width::detect()),
            found: Vec::new(),
            near: Vec::new(),
            cones: Vec::new(),
            who: Vec::new(),
            walls: Vec::new(),
        }
    }
}

/// Chooses the velocities of `slots`, see [`crate::choose`].
pub(crate) fn choose(
    model: &Vision,
    batch: &Batch<'_>,
    slots: &[Slot],
    memories: &mut [Option<Box<Memory>>],
    out: &mut [Vec2],
    scratch: &mut Scratch,
) {
    let buffers = &mut scratch.vision;
    for (i, slot) in slots.iter().enumerate() {
        let memory = memories.get_mut(i).and_then(Option::as_deref_mut);
        let turning = memory.as_ref().and_then(|memory| memory.turning);
        let (velocity, turning) = decide(model, batch, *slot, turning, buffers, |_, _| {});
        out[i] = velocity;
        if let Some(memory) = memory {
            memory.turning = Some(turning);
        }
    }
}

/// Why the walker in a slot chooses what it chooses: whom it sees, and the two images.
pub(crate) fn explain(
    model: &Vision,
    batch: &Batch<'_>,
    slot: Slot,
    memory: Option<&Memory>,
    scratch: &mut Scratch,
) -> Explanation {
    let mut view = None;
    let turning = memory.and_then(|memory| memory.turning);
    let buffers = &mut scratch.vision;
    let (velocity, _) = decide(model, batch, slot, turning, buffers, |seen, pace| {
        let camera = *seen.rays.camera();
        let pixels = (0..camera.rows).flat_map(|row| (0..camera.columns).map(move |column| (column, row)));
        view = Some(Looked {
            columns: camera.columns,
            rows: camera.rows,
            pixels: pixels.map(|(column, row)| model.stimulus(seen, pace.velocity, column, row)).collect(),
            threat: model.threat(seen, pace.velocity),
        });
    });
    let me = batch.walker(slot);
    let others: Vec<Neighbour> = (buffers.who.iter())
        .map(|slot| {
            let body = batch.index.body(*slot);
            let (id, velocity, radius, share) = (body.id, body.velocity, body.radius, body.share);
            Neighbour { id, offset: body.position - me.position, velocity, radius, share }
        })
        .collect();
    let walls: Vec<Segment> =
        buffers.walls.iter().map(|wall| Segment { a: me.position + wall.from, b: me.position + wall.to }).collect();
    Explanation { chosen: velocity, view, ..Explanation::new(me, &others, &walls) }
}

/// Looks and decides: the velocity, and what is to be remembered.
fn decide(
    model: &Vision,
    batch: &Batch<'_>,
    slot: Slot,
    turning: Option<Turning>,
    buffers: &mut Buffers,
    mut look: impl FnMut(&crate::vision_image::Seen<'_>, &Pace),
) -> (Vec2, Turning) {
    let me = batch.walker(slot);
    // At first people look where they want to go.
    let turning = turning.unwrap_or_else(|| {
        let facing = me.desired.try_normalize().map_or(me.heading, |ahead| math::atan2(ahead.y, ahead.x));
        Turning { rate: 0.0, facing }
    });
    let (sin, cos) = math::sin_cos(turning.facing);
    let facing = Vec2::new(cos, sin);
    let pace = Pace { velocity: me.velocity, heading: facing, turn_rate: turning.rate };
    let camera = model.camera();
    if buffers.rays.as_ref().is_none_or(|rays| *rays.camera() != camera) {
        buffers.rays = Some(Rays::new(camera));
    }
    // Who is behind a wall cannot be followed: until they are in sight again, one's own way has to do.
    let led = batch.led.get(batch.index.body(slot).row.index()).copied().flatten();
    let led = led.filter(|led| batch.walls.visible(me.position, led.position));
    surround(model, batch, (&me, facing, led), buffers);
    let Buffers { rays: Some(rays), image, walls, cones, .. } = buffers else { return (Vec2::ZERO, turning) };
    image.set_width(batch.width);
    let seen = image.look(rays, facing, walls, cones);
    look(&seen, &pace);
    let wish = match led {
        // Who has fallen back hurries.
        Some(led) => model.follow(&pace, led.position - me.position, led.velocity, me.speed_max),
        None => alone(model, &me, &pace),
    };
    let steer = model.bounded(&pace, model.avoid(&pace, wish, model.threat(&seen, me.velocity)), model.interval);
    let facing = math::wrap_angle(turning.facing + steer.turn_rate * model.interval);
    let (sin, cos) = math::sin_cos(facing);
    let velocity = Vec2::new(cos, sin) * steer.speed.min(me.speed_max) + part(batch, &me, &buffers.found);
    (velocity.clamp_length_max(me.speed_max), Turning { rate: steer.turn_rate, facing })
}

/// What somebody would do who is alone and goes their own way.
fn alone(model: &Vision, me: &Walker, pace: &Pace) -> Steer {
    let comfort = me.desired.length();
    // Who wants to go nowhere has no point ahead.
    let goal = if comfort > 0.0 { me.desired / comfort * me.ahead.min(FAR) } else { Vec2::ZERO };
    let mut wish = model.towards(pace, goal, comfort);
    // Only where somebody will stand do they slow down: on the way there are points that they just pass.
    wish.speed = if me.left.is_finite() { comfort.min(me.left.max(model.creep)) } else { comfort };
    // Who has a near point at their side would circle round it for good: they cannot turn as fast as they pass.
    if me.ahead < model.goal_near && pace.heading.dot(goal) < ASIDE * me.ahead {
        wish.speed = wish.speed.min((0.5 * me.ahead).max(model.creep));
    }
    wish
}

/// Apart from those who overlap, over a second. Ours: the paper's people walk through each other then.
fn part(batch: &Batch<'_>, me: &Walker, found: &[Found]) -> Vec2 {
    let mut sum = Vec2::ZERO;
    for body in found.iter().map(|found| batch.index.body(found.slot)).filter(|body| body.id != me.id) {
        let (offset, reach) = (body.position - me.position, me.radius + body.radius);
        let distance = offset.length();
        if distance >= reach {
            continue;
        }
        let away = if distance > 0.0 { -offset / distance } else { Vec2::X * if me.id < body.id { -1.0 } else { 1.0 } };
        sum += away * ((reach - distance) * body.share);
    }
    sum.clamp_length_max(PARTING)
}

/// Gathers what there is to be seen by somebody who faces somewhere and follows somebody, nearest first.
fn surround(model: &Vision, batch: &Batch<'_>, (me, facing, led): (&Walker, Vec2, Option<Led>), buffers: &mut Buffers) {
    let Buffers { found, near, cones, who, walls, .. } = buffers;
    (cones.clear(), who.clear(), walls.clear());
    batch.index.nearest(me.position, model.people.round() as u32, model.sight, found);
    for found in found.iter() {
        let body = batch.index.body(found.slot);
        let offset = body.position - me.position;
        // Beside and behind there are no pixels; a body is as wide as its cone.
        if body.id != me.id && offset.dot(facing) > -(me.radius + body.radius).max(model.body_radius) {
            // The cone stands for both bodies; wide ones are seen as wide as they are.
            let radius = model.body_radius.max(me.radius + body.radius).min(SHARE * offset.length());
            // Whom one follows is in view, and nobody to get out of the way of: how near they come is settled by following.
            let is_led = led.is_some_and(|led| led.who == body.id);
            let velocity = if is_led { me.velocity } else { body.velocity };
            cones.push(Cone { offset, velocity, radius, height: model.body_height });
            who.push(found.slot);
        }
    }
    let relative = |wall: &Segment, velocity: Vec2| Wall {
        from: wall.a - me.position,
        to: wall.b - me.position,
        velocity,
        height: model.wall_height,
    };
    if !batch.walls.clear(me.position, model.sight) {
        batch.walls.near(me.position, model.sight, near);
        walls.extend(near.iter().map(|wall| relative(&batch.walls.segment(wall.id), Vec2::ZERO)));
    }
    for mover in batch.movers {
        walls.extend(mover.edges.iter().map(|edge| relative(edge, mover.velocity)));
    }
}
