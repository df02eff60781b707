"""Loads an export with PedPy and JuPedSim and prints what they find, as JSON.

The one argument is JSON: `sqlite` and `text` (files), `area` and `line` (points), `frame_step` (of speeds), `delta_frame`
(of the flow), `frames` (to be taken apart).
"""

import json
import pathlib
import sys

import jupedsim
import pedpy


def with_pedpy(asked):
    file = pathlib.Path(asked["sqlite"])
    people = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=file)
    floor = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=file)
    area = pedpy.MeasurementArea(asked["area"])
    line = pedpy.MeasurementLine(asked["line"])
    density = pedpy.compute_classic_density(traj_data=people, measurement_area=area)
    speed = pedpy.compute_individual_speed(
        traj_data=people,
        frame_step=asked["frame_step"],
        speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED,
    )
    mean_speed = pedpy.compute_mean_speed_per_frame(
        traj_data=people, individual_speed=speed, measurement_area=area
    )
    n_t, crossings = pedpy.compute_n_t(traj_data=people, measurement_line=line)
    flow = pedpy.compute_flow(
        nt=n_t,
        crossing_frames=crossings,
        individual_speed=speed,
        delta_frame=asked["delta_frame"],
        frame_rate=people.frame_rate,
    )
    return {
        "frame_rate": people.frame_rate,
        "rows": len(people.data),
        "floor": floor.area,
        "density": density[["frame", "density"]].values.tolist(),
        "speed": speed[["id", "frame", "speed"]].values.tolist(),
        "mean_speed": mean_speed[["frame", "speed"]].values.tolist(),
        "n_t": n_t[["frame", "cumulative_pedestrians"]].values.tolist(),
        "crossings": crossings[["id", "frame"]].values.tolist(),
        "flow": flow[["flow", "mean_speed"]].values.tolist(),
    }


def text_with_pedpy(asked):
    people = pedpy.load_trajectory_from_txt(trajectory_file=pathlib.Path(asked["text"]))
    rows = people.data[people.data.frame.isin(asked["frames"])]
    return {
        "frame_rate": people.frame_rate,
        "rows": len(people.data),
        "positions": rows[["frame", "id", "x", "y"]].values.tolist(),
    }


def with_jupedsim(asked):
    recording = jupedsim.Recording(asked["sqlite"])
    bounds = recording.bounds()
    frames = [recording.frame(number) for number in asked["frames"]]
    return {
        "frame_rate": recording.fps,
        "frames": recording.num_frames,
        "floor": float(recording.geometry().area),
        "bounds": [bounds.xmin, bounds.ymin, bounds.xmax, bounds.ymax],
        "positions": [
            [frame.index, agent.id, *agent.position] for frame in frames for agent in frame.agents
        ],
        "orientations": [list(agent.orientation) for frame in frames for agent in frame.agents],
    }


asked = json.loads(sys.argv[1])
found = {"pedpy": with_pedpy(asked), "text": text_with_pedpy(asked), "jupedsim": with_jupedsim(asked)}
json.dump(found, sys.stdout)
