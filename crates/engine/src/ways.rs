//! Where somebody is going, for those who look on.

use crate::Simulation;
use crate::journey::Aim;
use passerby_crowd::AgentId;
use passerby_geometry::DVec2;
use passerby_navigation::Goal;

impl Simulation {
    /// The shortest way from where somebody is to where they are going, in the place's coordinates, both ends included; `None` if they
    /// stand, are not there, or have no way. It is worked out anew: what they follow may differ where it is crowded.
    pub fn way_of(&self, id: AgentId) -> Option<Vec<DVec2>> {
        let row = self.people.row_of(id)?.index();
        let goal = match self.people.journeys.aim[row] {
            Aim::Nothing => return None,
            Aim::Own => Goal::Point(self.people.journeys.own[row]),
            Aim::Target(target) => self.world.targets[target.0 as usize],
        };
        let at = self.people.agents.now.position[row];
        let path = self.world.map.path(at, &goal, self.people.agents.radius[row])?;
        Some(path.points.iter().map(|point| self.world.place(*point)).collect())
    }

    /// The name of the region somebody is going to, where it is one.
    pub fn goal_of(&self, id: AgentId) -> Option<&str> {
        let row = self.people.row_of(id)?.index();
        match self.people.journeys.aim[row] {
            Aim::Target(target) => match self.world.targets[target.0 as usize] {
                Goal::Region(region) => Some(&self.scenario.place.regions[region].name),
                Goal::Point(_) => None,
            },
            _ => None,
        }
    }
}
