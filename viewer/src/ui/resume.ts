// A recording is played for each page by itself, so a page that was loaded again or cut off has to say where it was.

import type { ClockMessage } from "../protocol";
import type { Connection, World } from "../world";
import { seldom } from "./dom";

type Place = Pick<ClockMessage, "tick" | "speed" | "playing">;

export function resume(world: World, connection: Connection, token: string): void {
  // A token is one run of the program; a tab's own store, because two tabs look at different moments.
  const key = `passerby.at.${token}`;
  let at = stored(key);
  const store = () => {
    try {
      if (at) sessionStorage.setItem(key, JSON.stringify(at));
    } catch {
      // Private windows forget; the recording begins at its beginning.
    }
  };
  const keep = seldom(500, store);

  world.on("scene", ({ can }) => {
    if (!can.seek || !at) return;
    connection.send({ do: "speed", times: at.speed });
    connection.send({ do: "seek", tick: at.tick });
    // It plays by itself; told to play at its end it would begin again.
    if (!at.playing) connection.send({ do: "pause" });
  });
  world.on("clock", ({ tick, speed, playing }) => {
    if (!world.scene?.can.seek) return;
    at = { tick, speed, playing };
    keep();
  });
  window.addEventListener("pagehide", store);
}

function stored(key: string): Place | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") as Place | null;
  } catch {
    return null;
  }
}
