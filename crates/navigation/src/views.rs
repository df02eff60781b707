//! What each corner sees, kept as long as the floor stays as it is there.
//!
//! Sight depends on the triangles it goes through and on the wall vertices in them, and on nothing else. So when some
//! triangles change, all views that went through none of them are what looking again would give, to the last bit.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use passerby_geometry::DVec2;

use crate::corners::{Corner, GAP_RANGE};
use crate::ground::Ground;
use crate::sight::{Sight, Sought};

/// Vertices and triangles of all views that are kept: 64 MB. Beyond it corners look again each time.
const KEPT_MAX: usize = 16 << 20;

/// Changes that are remembered. Whoever has not followed for longer begins anew.
const LOG_MAX: usize = 256;

/// What a corner sees.
#[derive(Debug, Clone)]
pub(crate) struct View {
    /// Wall vertices in sight; a few of them twice.
    pub vertices: Box<[u32]>,
    /// Triangles that sight went through, sorted.
    visited: Box<[u32]>,
    /// The box around all of them.
    bounds: (DVec2, DVec2),
}

/// What has changed at once.
#[derive(Debug, Clone)]
pub(crate) struct Changed {
    /// Vertices whose corner or whose view is another now, sorted.
    pub vertices: Vec<u32>,
    /// Where walls are others.
    pub bounds: (DVec2, DVec2),
}

/// The views of all corners that have looked, and what has changed since the map was made.
#[derive(Debug, Default)]
pub(crate) struct Views {
    /// By vertex.
    views: Vec<OnceLock<View>>,
    /// How many vertices and triangles they hold.
    kept: AtomicUsize,
    /// For each vertex the corners that see it, of all views that are listed.
    seen_by: Vec<Vec<u32>>,
    listed: Vec<bool>,
    /// The last changes, and how many there were before them.
    log: Vec<Changed>,
    before_log: usize,
}

impl Clone for Views {
    fn clone(&self) -> Self {
        let Self { views, kept, seen_by, listed, log, before_log } = self;
        Self {
            views: views.clone(),
            kept: AtomicUsize::new(kept.load(Ordering::Relaxed)),
            seen_by: seen_by.clone(),
            listed: listed.clone(),
            log: log.clone(),
            before_log: *before_log,
        }
    }
}

impl Views {
    /// None yet, of so many vertices.
    pub fn new(vertices: usize) -> Views {
        Views { views: vec![OnceLock::new(); vertices], ..Views::default() }
    }

    /// How often the floor has changed.
    pub fn version(&self) -> usize {
        self.before_log + self.log.len()
    }

    /// What has changed since a version; none if that is too long ago.
    pub fn since(&self, version: usize) -> Option<&[Changed]> {
        self.log.get(version.checked_sub(self.before_log)?..)
    }

    /// The view of a corner, looked for if need be; none if there is no room to keep it, then it is in `sight`.
    pub fn of<'a>(&'a self, ground: &Ground, corner: &Corner, sight: &mut Sight) -> Option<&'a View> {
        let slot = &self.views[corner.vertex as usize];
        if slot.get().is_none() {
            sight.look_from_corner(&ground.mesh, &ground.corners, corner, Sought::Nothing);
            self.keep(ground, corner, sight);
        }
        slot.get()
    }

    /// Keeps what a corner has just seen, if there is room.
    pub fn keep(&self, ground: &Ground, corner: &Corner, sight: &Sight) {
        let slot = &self.views[corner.vertex as usize];
        if slot.get().is_some() || self.kept.load(Ordering::Relaxed) > KEPT_MAX {
            return;
        }
        let mut visited = sight.visited.clone();
        visited.sort_unstable();
        visited.dedup();
        let size = visited.len() + sight.vertices.len();
        let bounds = ground.mesh.bounds_of(&visited);
        if slot.set(View { vertices: sight.vertices[..].into(), visited: visited.into(), bounds }).is_ok() {
            self.kept.fetch_add(size, Ordering::Relaxed);
        }
    }

    /// Vertices in sight of a corner whose view is kept.
    pub fn seen(&self, vertex: u32) -> &[u32] {
        self.views.get(vertex as usize).and_then(OnceLock::get).map_or(&[], |view| &view.vertices)
    }

    /// Corners that have a vertex in sight, once [`Views::complete`] has listed them.
    pub fn seen_by(&self, vertex: u32) -> &[u32] {
        self.seen_by.get(vertex as usize).map_or(&[], |corners| corners)
    }

    /// Lets all corners look that have not, and lists who sees whom. False if there is no room for that.
    pub fn complete(&mut self, ground: &Ground) -> bool {
        let mut sight = Sight::default();
        self.resize(ground);
        for corner in ground.corners.all() {
            let vertex = corner.vertex as usize;
            if self.listed[vertex] {
                continue;
            }
            if self.of(ground, corner, &mut sight).is_none() {
                return false;
            }
            let Self { views, seen_by, listed, .. } = self;
            let seen = views[vertex].get().map_or(&[][..], |view| &view.vertices);
            seen.iter().for_each(|&other| seen_by[other as usize].push(corner.vertex));
            listed[vertex] = true;
        }
        true
    }

    /// Forgets the views that went through some triangles or to some vertices, which have changed within a box.
    pub fn change(&mut self, ground: &Ground, triangles: &[u32], vertices: &[u32], bounds: (DVec2, DVec2)) {
        self.resize(ground);
        let mut changed = [vec![false; ground.mesh.triangles.len()], vec![false; ground.mesh.points.len()]];
        triangles.iter().for_each(|&t| changed[0][t as usize] = true);
        vertices.iter().for_each(|&v| changed[1][v as usize] = true);
        // Corners may be others as far away as gaps are measured.
        let (low, high) = (bounds.0 - GAP_RANGE, bounds.1 + GAP_RANGE);
        let mut stale = Vec::new();
        for (view, vertex) in self.views.iter().zip(0..) {
            let Some(view) = view.get() else { continue };
            // Views that are elsewhere are not looked through.
            let near = view.bounds.0.cmple(high).all() && view.bounds.1.cmpge(low).all();
            let through = || view.visited.iter().any(|&t| changed[0][t as usize]);
            let to = || view.vertices.iter().any(|&v| changed[1][v as usize]);
            if changed[1][vertex as usize] || near && (through() || to()) {
                stale.push(vertex);
            }
        }
        stale.iter().for_each(|&vertex| self.forget(vertex));
        stale.extend_from_slice(vertices);
        stale.sort_unstable();
        stale.dedup();
        if self.log.len() == LOG_MAX {
            self.log.remove(0);
            self.before_log += 1;
        }
        self.log.push(Changed { vertices: stale, bounds });
    }

    fn forget(&mut self, vertex: u32) {
        let Some(View { vertices, visited, .. }) = self.views[vertex as usize].take() else { return };
        *self.kept.get_mut() -= vertices.len() + visited.len();
        if std::mem::take(&mut self.listed[vertex as usize]) {
            vertices.iter().for_each(|&other| self.seen_by[other as usize].retain(|&by| by != vertex));
        }
    }

    fn resize(&mut self, ground: &Ground) {
        let vertices = ground.mesh.points.len();
        self.views.resize_with(vertices, OnceLock::new);
        (self.seen_by.resize(vertices, Vec::new()), self.listed.resize(vertices, false));
    }
}
