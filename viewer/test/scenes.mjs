// Scenes that the tests look at, each as small as what it is to show. Their middle is (0, 0), which is where the page has its origin too.

/** People with bodies on both sides of a wall, and a press at its door. */
export const door = `name = "door"
[place]
floor = [[-20, -8], [20, -8], [20, 8], [-20, 8]]
obstacles = [[[0, -8], [0.3, -8], [0.3, -1], [0, -1]], [[0, 1], [0.3, 1], [0.3, 8], [0, 8]]]
doors = [{ name = "gate", line = [[0.15, -1], [0.15, 1]] }]
regions = [
  { name = "east", polygon = [[18, -8], [20, -8], [20, 8], [18, 8]] },
  { name = "yard", polygon = [[3, -6], [16, -6], [16, 6], [3, 6]] },
  { name = "west", polygon = [[-20, -8], [-19, -8], [-19, 8], [-20, 8]] },
]
[[population]]
name = "walkers"
count = 30
area = [[-18, -7], [-8, -7], [-8, 7], [-18, 7]]
body = "mediated"
journey = ["east"]
[[population]]
name = "press"
count = 60
area = [[-7, -4], [-0.5, -4], [-0.5, 4], [-7, 4]]
model = "helbing-1995"
speed = 2.5
journey = ["east"]
[[population]]
name = "others"
count = 10
area = [[4, -6], [10, -6], [10, 6], [4, 6]]
body = "mediated"
journey = [{ wander = "yard" }]
[[event]]
at = 2
close = "gate"
[[event]]
at = 14
open = "gate"
[run]
until = 60
`;

/** A field of people who wander, to be led along a stroke. */
export const field = `name = "field"
[place]
floor = [[-30, -20], [30, -20], [30, 20], [-30, 20]]
regions = [{ name = "field", polygon = [[-29, -19], [29, -19], [29, 19], [-29, 19]] }]
[[population]]
name = "people"
count = 80
area = [[-28, -18], [28, -18], [28, 18], [-28, 18]]
journey = [{ wander = "field" }]
[run]
until = 300
`;

/** Some who wander for ten minutes. */
export const long = field.replace('"field"', '"long"').replace("count = 80", "count = 40").replace("until = 300", "until = 600");

/** Ten thousand who cross a square. */
export const crowd = `name = "crowd"
[place]
floor = [[-80, -80], [80, -80], [80, 80], [-80, 80]]
regions = [{ name = "square", polygon = [[-78, -78], [78, -78], [78, 78], [-78, 78]] }]
[[population]]
name = "people"
count = 10000
area = [[-77, -77], [77, -77], [77, 77], [-77, 77]]
journey = [{ wander = "square" }]
[run]
until = 600
`;

/** Few on a very large square. */
export const wide = `name = "wide"
[place]
floor = [[-300, -300], [300, -300], [300, 300], [-300, 300]]
regions = [{ name = "far", polygon = [[250, 250], [290, 250], [290, 290], [250, 290]] }]
[[population]]
name = "people"
count = 60
area = [[-200, -200], [200, -200], [200, 200], [-200, 200]]
journey = [{ wander = "far" }]
[run]
until = 60
`;

/** A thousand who stand close together. */
export const close = `name = "close"
[place]
floor = [[-20, -20], [20, -20], [20, 20], [-20, 20]]
regions = [{ name = "all", polygon = [[-19, -19], [19, -19], [19, 19], [-19, 19]] }]
[[population]]
name = "people"
count = 1000
area = [[-12, -12], [14, -12], [14, 14], [-12, 14]]
body = "mediated"
journey = [{ wander = "all" }]
[run]
until = 600
`;
