// Scenes that the tests look at, each as small as what it is to show.

/** People with bodies on both sides of a wall, and a press at its door. */
export const door = `name = "door"
[place]
floor = [[0, 0], [40, 0], [40, 16], [0, 16]]
obstacles = [[[20, 0], [20.3, 0], [20.3, 7], [20, 7]], [[20, 9], [20.3, 9], [20.3, 16], [20, 16]]]
doors = [{ name = "gate", line = [[20.15, 7], [20.15, 9]] }]
regions = [
  { name = "east", polygon = [[38, 0], [40, 0], [40, 16], [38, 16]] },
  { name = "west", polygon = [[0, 0], [1, 0], [1, 16], [0, 16]] },
]
[[population]]
name = "walkers"
count = 30
area = [[2, 1], [12, 1], [12, 15], [2, 15]]
body = "mediated"
journey = ["east"]
[[population]]
name = "press"
count = 60
area = [[13, 4], [19.5, 4], [19.5, 12], [13, 12]]
model = "helbing-2000"
journey = ["east"]
[[population]]
name = "others"
count = 10
area = [[24, 2], [30, 2], [30, 14], [24, 14]]
body = "mediated"
journey = [{ wander = "east" }]
[[event]]
at = 6
close = "gate"
[[event]]
at = 8
open = "gate"
[run]
until = 60
`;

/** A field of people who wander, to be led along a stroke. */
export const field = `name = "field"
[place]
floor = [[0, 0], [60, 0], [60, 40], [0, 40]]
regions = [{ name = "field", polygon = [[1, 1], [59, 1], [59, 39], [1, 39]] }]
[[population]]
name = "people"
count = 80
area = [[2, 2], [58, 2], [58, 38], [2, 38]]
journey = [{ wander = "field" }]
[run]
until = 300
`;

/** Some who wander for ten minutes. */
export const long = field.replace('"field"', '"long"').replace("count = 80", "count = 40").replace("until = 300", "until = 600");

/** Ten thousand who cross a square. */
export const crowd = `name = "crowd"
[place]
floor = [[0, 0], [160, 0], [160, 160], [0, 160]]
regions = [{ name = "square", polygon = [[2, 2], [158, 2], [158, 158], [2, 158]] }]
[[population]]
name = "people"
count = 10000
area = [[3, 3], [157, 3], [157, 157], [3, 157]]
journey = [{ wander = "square" }]
[run]
until = 600
`;

/** A thousand who stand close together. */
export const close = `name = "close"
[place]
floor = [[0, 0], [40, 0], [40, 40], [0, 40]]
regions = [{ name = "all", polygon = [[1, 1], [39, 1], [39, 39], [1, 39]] }]
[[population]]
name = "people"
count = 1000
area = [[8, 8], [34, 8], [34, 34], [8, 34]]
body = "mediated"
journey = [{ wander = "all" }]
[run]
until = 600
`;
