//! Workloads that the benches time, and the peers beside them.
