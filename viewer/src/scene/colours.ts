// Colours of the picture: two times of day, and what layers are drawn with. All pairs of layer colours can be told apart by the
// colour-blind: Okabe and Ito's eight, and viridis for what is measured.

export interface Theme {
  sky: { zenith: string; horizon: string; glow: string };
  ground: string;
  floor: string;
  /** How much darker joints between slabs are. */
  joint: number;
  wall: string;
  block: string;
  furniture: string;
  door: string;
  mover: string;
  sun: { colour: string; strength: number; /** rad above the horizon */ height: number; /** rad from the x axis */ from: number };
  ambient: { above: string; below: string; strength: number };
  /** Of who stands where. */
  shade: number;
  exposure: number;
  ink: string;
  paper: string;
}

export const DAY: Theme = {
  sky: { zenith: "#7fb2e0", horizon: "#f1ece2", glow: "#fff4dc" },
  ground: "#b8b5a6",
  floor: "#d9cfbd",
  joint: 0.1,
  wall: "#f7f3ec",
  block: "#e4dccf",
  furniture: "#c9a77c",
  door: "#a0643c",
  mover: "#3f7f93",
  sun: { colour: "#ffe9c8", strength: 3.1, height: 0.86, from: -2.2 },
  ambient: { above: "#d6e6f7", below: "#b9ab96", strength: 1.35 },
  shade: 0.5,
  exposure: 1,
  ink: "#1d2430",
  paper: "#ffffff",
};

export const DUSK: Theme = {
  sky: { zenith: "#1b2747", horizon: "#5d5f70", glow: "#f5a56a" },
  ground: "#53565c",
  floor: "#85868a",
  joint: 0.16,
  wall: "#b3b1ae",
  block: "#9c9a98",
  furniture: "#9d8468",
  door: "#a86a42",
  mover: "#4b8fa3",
  sun: { colour: "#ffcf9e", strength: 2.0, height: 0.6, from: -2.6 },
  ambient: { above: "#aab6cc", below: "#625d58", strength: 1.6 },
  shade: 0.62,
  exposure: 1.15,
  ink: "#f2efe8",
  paper: "#1a2030",
};

/** Okabe and Ito 2008. */
export const OKABE = {
  orange: "#e69f00",
  sky: "#56b4e9",
  green: "#009e73",
  yellow: "#f0e442",
  blue: "#0072b2",
  vermilion: "#d55e00",
  purple: "#cc79a7",
  black: "#000000",
} as const;

/** For things that differ in kind, one after another. */
export const KIND_COLOURS = [OKABE.blue, OKABE.orange, OKABE.green, OKABE.purple, OKABE.sky, OKABE.vermilion, OKABE.yellow];

/** What each layer is drawn with, for legends. */
export const LAYER_COLOURS = {
  regions: OKABE.sky,
  situations: OKABE.orange,
  cells: OKABE.blue,
  portals: OKABE.orange,
  path: OKABE.purple,
  velocities: OKABE.blue,
  desired: OKABE.orange,
  trails: OKABE.purple,
  contacts: OKABE.vermilion,
  feet: OKABE.green,
} as const;

/** People per square metre and metres a second at the upper end of their maps. */
export const DENSITY_TOP = 4;
export const SPEED_TOP = 2;

const VIRIDIS = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"].map(parts);

/** Viridis at a share from 0 to 1: red, green, blue from 0 to 255. */
export function viridis(share: number): [number, number, number] {
  const at = Math.min(Math.max(share, 0), 1) * (VIRIDIS.length - 1);
  const low = Math.min(Math.floor(at), VIRIDIS.length - 2);
  const rest = at - low;
  const mixed = (part: number) => VIRIDIS[low][part] + (VIRIDIS[low + 1][part] - VIRIDIS[low][part]) * rest;
  return [mixed(0), mixed(1), mixed(2)];
}

function parts(hex: string): number[] {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}
