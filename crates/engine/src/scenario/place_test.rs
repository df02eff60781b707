//! Bad places and files of places, one line each; floors of every kind.

use super::tests::*;
use super::*;

#[test]
fn places() {
    check("[place]\nobstacles = []\n", 1, &["one of `floor`, `areas`, `file` is missing", "20 m x 10 m"]);
    ground("floor = 3", &["place.floor = 3", "expected a ring of points", "found a number"]);
    ground("floor = [[0, 0], [1, 0]]", &["2 points", "at least 3"]);
    ground("floor = [[0, 0], [1, 0], [1]]", &["place.floor[2] = [1]", "expected a point [x, y], found a list of 1"]);
    ground("floor = [[0, 0], [1, 0], [1, \"1\"]]", &["floor[2][1] = \"1\"", "found a string", "leave out the quotes"]);
    ground("floor = [[0, 0], [1, 0], [1, nan]]", &["floor[2][1] = nan", "not a number"]);
    ground("floor = [[0, 0], [-inf, 0], [1, 1]]", &["floor[1][0] = -inf", "not a finite number"]);
    ground("floor = [[0, 0], [1e999, 0], [1, 1]]", &["1e999", "not a finite number"]);
    ground("floor = [[0, 0], [2e7, 0], [1, 1]]", &["out of range", "from -10000000 to 10000000 m", "try 10000000"]);
    ground(
        "floor = [[0, 0], [2, 2], [2, 0], [0, 2]]",
        &["floor[2] = [2, 0]", "at (1, 1)", "list the corners in order"],
    );
    ground("floor = [[0, 0], [2, 0], [2, 2], [2, 0]]", &["floor[3]", "same point as vertex 1"]);
    ground("floor = [[0, 0], [2, 0], [4, 0]]", &["on one line"]);
    ground("file = \"plan.wkt\"\nfloor = [[0, 0], [2, 0], [2, 2]]", &["cannot stand beside `floor`"]);
    ground("areas = []", &["there is no floor"]);
    ground("areas = [{ holes = [] }]", &["areas[0]", "`floor` is missing"]);
    part("holes = [[[30, 1], [31, 1], [31, 2]]]", &["place.holes[0]", "leaves the outer outline"]);
    part("holes = [[[1, 1], [4, 1], [4, 4]], [[2, 1], [5, 1], [5, 4]]]", &["place.holes[1]", "overlaps"]);
    part(
        "obstacles = [[0, 0], [1, 0], [1, 1]]",
        &["expected a list of rings, found one ring", "one more pair of brackets"],
    );
    ground("floor = [0, 0, 9, 9]", &["expected a ring of points", "found one of numbers", "one more pair of brackets"]);
    part("obstacles = [[[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 0]]]", &["place.obstacles[1]", "2 points"]);
    part("doors = [{ name = \"a\" }]", &["place.doors \"a\"", "`line` is missing"]);
    part("doors = [{ line = [[0, 0], [1, 0]] }]", &["place.doors[0]", "`name` is missing"]);
    part("doors = [{ name = \"a\", line = [[1, 1], [1, 1]] }]", &["less than 0.01 m apart"]);
    part("doors = [{ name = \"a\", line = [[1, 1]] }]", &["expected a line", "found 1 points"]);
    part(
        "regions = { name = \"a\", polygon = [[0, 0], [1, 0], [1, 1]] }",
        &["expected a list of tables, found one table", "[[place.regions]]"],
    );
    part("regions = [{ name = \"opposite\", polygon = [[0, 0], [1, 0], [1, 1]] }]", &["other side of a circle"]);
    part("door = []", &["place.door: unknown key", "did you mean `doors`?"]);
    part("level = []", &["place.level", "not available in this version"]);
    let two = "regions = [\n{ name = \"a\", polygon = [[0, 0], [1, 0], [1, 1]] },\n{ name = \"a\", polygon = [[0, 0], [1, 0], [1, 1]] }]";
    check(
        &format!("[place]\nfloor = [[0, 0], [20, 0], [20, 10], [0, 10]]\n{two}\n"),
        5,
        &["another region of this name"],
    );
}

#[test]
fn place_files() {
    ground("file = \"plan.pdf\"", &["place.file = \"plan.pdf\"", "cannot be read", ".wkt, .geojson"]);
    ground("file = \"house.ifc\"", &["building models (IFC) cannot be read", "export the outline of each floor"]);
    ground("file = \"/etc/plan.wkt\"", &["not a path inside the scenario's folder"]);
    ground("file = \"C:\\\\plan.wkt\"", &["not a path inside the scenario's folder"]);
    ground("file = \"a/../../plan.wkt\"", &["leads out of the scenario's folder"]);
    ground("file = \"\"", &["no file is named"]);
    ground("file = \"other.wkt\"", &["other.wkt", "no such file"]);
    ground("file = \"plan.wkt\"", &["plan.wkt"]);
    let broken = Scenario::parse("[place]\nfile = \"plan.wkt\"\n", &OnePlan(&[0xff, 0xfe]), "room.toml").unwrap_err();
    assert!(broken.to_string().contains("not UTF-8"), "{broken}");
    assert_eq!(NoFiles.read("plan.wkt"), Err("there are no files here".into()));
    part("cell = 2", &["place.cell", "goes with `file`"]);
    option("cell = -1", &["place.cell = -1", "from 0.001 to 10000 m", "try 1"]);
    option("area = [[1, 2]]", &["place.area", "found 1 points", "two opposite corners"]);
    // The plan of these tests is cut short: that is said as well.
    let both = bad("[place]\nfile = \"plan.wkt\"\nlayers = { flor = \"x\" }\n");
    let said: Vec<String> = both.iter().map(Problem::to_string).collect();
    assert!(said[0].contains("line 1, column 20") && said[1].contains("did you mean `floor`?"), "{said:?}");
    option("layers = { floor = 3 }", &["place.layers.floor = 3", "the name of a layer"]);
}

/// A wrong option of a place file, line 3 of the file.
#[track_caller]
fn option(line: &str, words: &[&str]) {
    check(&format!("[place]\nfile = \"plan.wkt\"\n{line}\n"), 3, words);
}

/// Regions and obstacles of the file come first, those of the scenario after them; names are unique among all.
#[test]
fn places_of_other_programs() {
    struct Topography;
    impl Files for Topography {
        fn read(&self, _path: &str) -> Result<Vec<u8>, String> {
            let text = r#"{"topography": {"attributes": {"bounds": {"x": 0, "y": 0, "width": 20, "height": 10}},
                "obstacles": [{"id": 1, "shape": {"type": "RECTANGLE", "x": 4, "y": 4, "width": 1, "height": 1}}],
                "targets": [{"id": 7, "shape": {"type": "RECTANGLE", "x": 18, "y": 4, "width": 1, "height": 1}}]}}"#;
            Ok(text.into())
        }
    }
    let region = |name: &str| format!("regions = [{{ name = \"{name}\", polygon = [[1, 1], [2, 1], [2, 2]] }}]");
    let text = |name: &str| {
        let people = "[[population]]\ncount = 3\nregion = \"start\"\njourney = [\"target 7\"]\n";
        format!("[place]\nfile = \"hall.scenario\"\n{}\n{people}", region(name))
    };
    let scenario = Scenario::parse(&text("start"), &Topography, "hall.toml").unwrap();
    let names: Vec<&str> = scenario.place.regions.iter().map(|region| &*region.name).collect();
    assert_eq!(names, ["target 7", "start"]);
    assert_eq!((scenario.place.obstacles.len(), scenario.place_lines.obstacles.clone()), (1, vec![2]));
    assert_eq!(scenario.place_report.unwrap().free_area, 199.0);
    let problems = Scenario::parse(&text("target 7"), &Topography, "hall.toml").unwrap_err().to_string();
    assert!(problems.contains("another region of this name"), "{problems}");
}

#[test]
fn floors_of_every_kind() {
    let floor = good("[place]\nfile = \"plan.wkt\"\n").place;
    assert_eq!(floor.areas.len(), 1);
    let text = "[place]\nareas = [{ floor = [[0, 0], [9, 0], [9, 9]] }, { floor = [[20, 0], [29, 0], [29, 9]], holes = [[[26, 1], [27, 1], [27, 2]]] }]\n";
    let floor = good(text).place;
    assert_eq!((floor.areas.len(), floor.areas[1].holes.len()), (2, 1));
    let text = "[place]\nfloor = [[0, 0], [9, 0], [9, 9]]\nholes = [[[6, 1], [7, 1], [7, 2]]]\n[[place.regions]]\nname = \"a\"\npolygon = [[0, 0], [1, 0], [1, 1]]\n";
    let place = good(text).place;
    assert_eq!((place.areas[0].holes.len(), place.regions[0].name.as_str()), (1, "a"));
}
