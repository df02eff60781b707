"""Steps a crowd with JuPedSim and tells the processor time of its steps.

First line of standard input, JSON: `model`, `size` (of the square floor, m), `radius`, `speed`, `dt`, `start` and `goal` (points).
Each further line is a number of steps to do; each is answered with a line of JSON: `seconds` of processor time of the steps
alone, `people`, `moved` (mean distance covered, m).
"""

import json
import math
import sys
import time

import jupedsim

asked = json.loads(sys.stdin.readline())
size = asked["size"]
model, parameters = {
    "collision-free speed": (
        jupedsim.CollisionFreeSpeedModel,
        jupedsim.CollisionFreeSpeedModelAgentParameters,
    ),
    "social force": (jupedsim.SocialForceModel, jupedsim.SocialForceModelAgentParameters),
}[asked["model"]]
simulation = jupedsim.Simulation(
    model=model(), geometry=[(0, 0), (size, 0), (size, size), (0, size)], dt=asked["dt"]
)
# Everybody has a goal of their own and walks straight towards it: no routing, which is the least work for JuPedSim.
stage = simulation.add_direct_steering_stage()
journey = simulation.add_journey(jupedsim.JourneyDescription([stage]))
for start, goal in zip(asked["start"], asked["goal"]):
    agent = simulation.add_agent(
        parameters(
            position=tuple(start),
            journey_id=journey,
            stage_id=stage,
            desired_speed=asked["speed"],
            radius=asked["radius"],
        )
    )
    simulation.agent(agent).target = tuple(goal)

for line in sys.stdin:
    before = {agent.id: agent.position for agent in simulation.agents()}
    begun = time.process_time()
    simulation.iterate(int(line))
    seconds = time.process_time() - begun
    moved = [math.dist(before[agent.id], agent.position) for agent in simulation.agents()]
    answer = {"seconds": seconds, "people": len(moved), "moved": sum(moved) / len(moved)}
    print(json.dumps(answer), flush=True)
