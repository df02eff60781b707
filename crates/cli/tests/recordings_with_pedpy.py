"""Measures recorded people with PedPy and prints what it finds, as JSON.

The one argument is JSON: `file`, `format` (txt, hdf5, obsmat), `unit`, `fps`, `floor` (points, or null for what the file holds),
`obstacles`, `area`, `line`, `width` (of the strip to the left of the line), `step` (frames of speeds), `cells_every` (frames),
`delta` (frames of the flow).
"""

import json
import pathlib
import sys
import warnings

import pandas
import pedpy
import shapely

warnings.filterwarnings("ignore")
asked = json.loads(sys.argv[1])
file = pathlib.Path(asked["file"])


def people():
    if asked["format"] == "hdf5":
        return pedpy.load_trajectory_from_ped_data_archive_hdf5(trajectory_file=file)
    if asked["format"] == "obsmat":
        rows = pandas.read_csv(file, sep=r"\s+", header=None)
        data = pandas.DataFrame({"id": rows[1].astype(int), "frame": rows[0].astype(int), "x": rows[2], "y": rows[4]})
        data.frame = (data.frame - data.frame.min()) // 10  # one row each 10 frames
        return pedpy.TrajectoryData(data, asked["fps"] / 10)
    unit = pedpy.TrajectoryUnit.CENTIMETER if asked["unit"] == "cm" else pedpy.TrajectoryUnit.METER
    return pedpy.load_trajectory_from_txt(trajectory_file=file, default_frame_rate=asked["fps"], default_unit=unit)


def walls():
    if asked["floor"] is None:
        return pedpy.load_walkable_area_from_ped_data_archive_hdf5(trajectory_file=file)
    return pedpy.WalkableArea(asked["floor"], asked["obstacles"])


def mean(values):
    return None if len(values) == 0 else float(values.mean())


everybody, floor = people(), walls()
area, line = pedpy.MeasurementArea(asked["area"]), pedpy.MeasurementLine(asked["line"])
speed = pedpy.compute_individual_speed(
    traj_data=everybody,
    frame_step=asked["step"],
    compute_velocity=True,
    speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED,
)
density = pedpy.compute_classic_density(traj_data=everybody, measurement_area=area)
in_area = pedpy.compute_mean_speed_per_frame(traj_data=everybody, individual_speed=speed, measurement_area=area)
n_t, crossings = pedpy.compute_n_t(traj_data=everybody, measurement_line=line)
flow = pedpy.compute_flow(
    nt=n_t,
    crossing_frames=crossings,
    individual_speed=speed,
    delta_frame=asked["delta"],
    frame_rate=everybody.frame_rate,
)

first = everybody.data.frame.min()
rows = everybody.data[(everybody.data.frame - first) % asked["cells_every"] == 0]
rows = rows[shapely.within(rows.point, floor.polygon)]
chosen = pedpy.TrajectoryData(rows[["id", "frame", "x", "y"]], everybody.frame_rate)
frames = (everybody.data.frame.max() - first) // asked["cells_every"] + 1
cells = pedpy.compute_individual_voronoi_polygons(
    traj_data=chosen, walkable_area=floor, cut_off=pedpy.Cutoff(radius=0.8, quad_segments=3)
)
voronoi, parts = pedpy.compute_voronoi_density(individual_voronoi_data=cells, measurement_area=area)
voronoi_speed = pedpy.compute_voronoi_speed(
    traj_data=chosen,
    individual_speed=speed,
    individual_voronoi_intersection=parts,
    measurement_area=area,
)
species = pedpy.compute_species(
    individual_voronoi_polygons=cells, measurement_line=line, trajectory_data=everybody, frame_step=asked["step"]
)
at_line = {"individual_voronoi_polygons": cells, "measurement_line": line, "species": species}
line_density = pedpy.compute_line_density(**at_line)
line_speed = pedpy.compute_line_speed(individual_speed=speed, **at_line)
line_flow = pedpy.compute_line_flow(individual_speed=speed, **at_line)
neighbours = pedpy.compute_neighbors(cells, as_list=False)
distances = pedpy.compute_neighbor_distance(traj_data=chosen, neighborhood=neighbours)

through, strip = pedpy.compute_frame_range_in_area(
    traj_data=everybody, measurement_line=line, width=asked["width"]
)
in_strip = pedpy.compute_classic_density(traj_data=everybody, measurement_area=strip)
passing_density = pedpy.compute_passing_density(density_per_frame=in_strip, frames=through)
passing_speed = pedpy.compute_passing_speed(
    frames_in_area=through, frame_rate=everybody.frame_rate, distance=asked["width"]
)

step = asked["step"]
acceleration = pedpy.compute_individual_acceleration(traj_data=everybody, frame_step=2 * step)

json.dump(
    {
        "rows": len(everybody.data),
        "density": mean(density.density),
        "density_max": float(density.density.max()),
        "speed": mean(in_area.speed[density.density > 0]),
        "speed_with_empty": mean(in_area.speed),
        "speed_of_rows": mean(speed.speed.dropna()),
        "acceleration_of_rows": mean(acceleration.acceleration.dropna()),
        "crossing_frames": sorted(int(frame - first) for frame in crossings.frame),
        "flow": flow.flow.tolist(),
        # Frames in which nobody is there are none for PedPy.
        "voronoi_density": float(voronoi.density.sum() / frames),
        "voronoi_speed": float(voronoi_speed.speed.sum() / frames),
        "line_density": mean(line_density.density),
        "line_density_1": mean(line_density["p_sp+1"].dropna()),
        "line_speed": mean(line_speed.speed),
        "line_speed_2": mean(line_speed["s_sp-1"].dropna()),
        "line_flow": mean(line_flow.flow),
        "neighbours": mean((neighbours.groupby("frame").size() / rows.groupby("frame").size()).fillna(0)),
        "neighbour_distance": mean(distances.groupby("frame").distance.mean()),
        "passed": len(through),
        "passing_density": mean(passing_density.density),
        "passing_speed": mean(passing_speed.speed),
    },
    sys.stdout,
)
