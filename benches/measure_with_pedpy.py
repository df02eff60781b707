"""Measures a crowd with PedPy and prints the seconds each part took, as JSON.

The one argument is a file of doubles (id, frame, x, y for each row), the second the side of the square floor, the third the
number of frames that Voronoi cells are computed for.
"""

import json
import sys
import time
import warnings

import numpy
import pandas
import pedpy

warnings.filterwarnings("ignore")
rows = numpy.fromfile(sys.argv[1], dtype=numpy.float64).reshape(-1, 4)
side, voronoi_frames = float(sys.argv[2]), int(sys.argv[3])
data = pandas.DataFrame({"id": rows[:, 0].astype(int), "frame": rows[:, 1].astype(int), "x": rows[:, 2], "y": rows[:, 3]})
floor = pedpy.WalkableArea([(0, 0), (side, 0), (side, side), (0, side)])
low, high = 0.25 * side, 0.75 * side
area = pedpy.MeasurementArea([(low, low), (high, low), (high, high), (low, high)])
line = pedpy.MeasurementLine([(side / 2, 0), (side / 2, side)])

begun = time.process_time()
people = pedpy.TrajectoryData(data, 20.0)
speed = pedpy.compute_individual_speed(
    traj_data=people, frame_step=4, speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED
)
density = pedpy.compute_classic_density(traj_data=people, measurement_area=area)
mean_speed = pedpy.compute_mean_speed_per_frame(traj_data=people, individual_speed=speed, measurement_area=area)
n_t, crossings = pedpy.compute_n_t(traj_data=people, measurement_line=line)
flow = pedpy.compute_flow(
    nt=n_t, crossing_frames=crossings, individual_speed=speed, delta_frame=100, frame_rate=20.0
)
classic_seconds = time.process_time() - begun

few = pedpy.TrajectoryData(data[data.frame < voronoi_frames], 20.0)
begun = time.process_time()
cells = pedpy.compute_individual_voronoi_polygons(
    traj_data=few, walkable_area=floor, cut_off=pedpy.Cutoff(radius=0.8, quad_segments=3)
)
voronoi, _ = pedpy.compute_voronoi_density(individual_voronoi_data=cells, measurement_area=area)
voronoi_seconds = time.process_time() - begun

json.dump(
    {
        "classic_seconds": classic_seconds,
        "voronoi_seconds": voronoi_seconds,
        "density": float(density.density.mean()),
        "speed": float(mean_speed.speed.mean()),
        "people": int(n_t.cumulative_pedestrians.max()),
        "voronoi_density": float(voronoi.density.mean()),
    },
    sys.stdout,
)
