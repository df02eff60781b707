//! Vectors, math and chance with the same bits everywhere, segments, polygons, triangulation, walls.
