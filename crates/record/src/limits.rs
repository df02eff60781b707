//! How much one file may hold. Writer and reader agree on it, so that a reader never needs more than 256 MB.

/// Rows of one row group, and so people in one frame.
pub(crate) const ROWS_MAX: usize = 1 << 19;
/// The same with bodies, which make a row three times as large.
pub(crate) const BODIES_MAX: usize = 1 << 18;
/// Frames of one row group.
pub(crate) const FRAMES_MAX: usize = 4096;
/// People in a recording.
pub(crate) const PEOPLE_MAX: usize = 1 << 20;
/// Bytes of JSON in one journal record: the header, or a batch of people and events.
pub(crate) const WORDS_MAX: usize = 8 << 20;
/// Bytes of JSON in all journal records.
pub(crate) const WORDS_TOTAL_MAX: usize = 96 << 20;
/// Journal records in a recording: twelve days of seconds.
pub(crate) const RECORDS_MAX: usize = 1 << 20;
/// The same with bodies: three days, because the footer tells of four times as many columns and must not be longer than
/// what is searched.
pub(crate) const BODY_RECORDS_MAX: usize = 1 << 18;
/// How far from the end the last whole record of a broken file is searched: behind it stands at most one row group
/// and one record, or a part of the footer.
pub(crate) const SEARCH_MAX: u64 = 512 << 20;
