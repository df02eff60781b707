//! What a run leaves behind: frames, people, place and events, written so that a kill loses at most a second.
