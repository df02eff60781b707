//! Agent columns, ids, and the index that answers who is near.
