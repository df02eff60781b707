// People far away: a picture of the body, taken at the start from many sides, on a card that faces the camera.
//
// Two atlases hold how much of each slot a texel shows, so that everybody keeps their own colours and mipmaps blend them rightly.

import {
  BufferAttribute,
  BufferGeometry,
  LinearFilter,
  LinearMipmapLinearFilter,
  Mesh,
  NoBlending,
  OrthographicCamera,
  Scene,
  ShaderMaterial,
  Vector4,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";
import type { Body } from "../body";
import { figureMaterial, Figures, STAND, surfaceOf } from "./figures";
import type { Looks } from "./looks";
import { type ClipPoses, Pose, type Skeleton } from "./skeleton";
import { Bones, SKIN } from "./skinned";

const HEADINGS = 16;
/** Of a walk; the row after them is standing. */
const PHASES = 8;
/** rad above the ground from where pictures are taken. */
const ELEVATIONS = [0.12, 0.55, 0.98, 1.45];
const TILE = 64;
const COLUMNS = 2 * HEADINGS;
const ROWS = ((PHASES + 1) * ELEVATIONS.length) / 2;
/** What a tile shows, for a stature of 1 m: so far from the figure's middle. */
const REACH = 0.62;
/** Which channel of which atlas a slot is counted in; eyes and lips are too small to see. */
const CHANNELS = ["Skin", "Hair", "LongHair", "Top", "Sleeves", "Trousers", "Legs", "Shoes"];
const SAME: Record<string, string> = { Eyes: "Hair", Lips: "Skin" };

/** Shoulders seen from above, for a stature of 1 m. */
const SHOULDERS = 0.27;
/** Who would cover fewer square pixels than this is a dot, so wide: a picture would fall through between the pixels. */
const DOT_BELOW = 6;
const DOT = 3;

export class Impostors {
  readonly figures: Figures;
  /** Pixels that the picture is high. */
  readonly viewHeight = { value: 720 };

  constructor(renderer: WebGLRenderer, body: Body, looks: Looks, skeleton: Skeleton, clips: ClipPoses) {
    const [first, second] = takePictures(renderer, body, skeleton, clips);
    const colours = CHANNELS.map((name, i) => `colour${i} = look(stand.w, ${(1 + Math.max(body.slots.indexOf(name), 0)).toFixed(1)}).rgb;`);
    const material = figureMaterial({
      uniforms: { looks: looks.texture, first: { value: first }, second: { value: second }, viewHeight: this.viewHeight },
      head: `${looks.shader}\n${CHANNELS.map((_, i) => `varying vec3 colour${i};`).join("\n")}\n${FIGURE}`,
      tint: `tint = vec3(1.0);\n${colours.join("\n")}`,
      fragmentHead: `${CHANNELS.map((_, i) => `varying vec3 colour${i};`).join("\n")}
        varying vec2 onAtlas, onDot;
        uniform sampler2D first, second;`,
      fragment: `
        if (dot(onDot, onDot) > 1.0) discard;
        vec4 a = texture2D(first, onAtlas), b = texture2D(second, onAtlas);
        float shown = dot(a, vec4(1.0)) + dot(b, vec4(1.0));
        // A dot has the colours of clothes and hair.
        if (onDot != vec2(0.0)) { a = vec4(0.15, 0.2, 0.0, 0.4); b = vec4(0.0, 0.25, 0.0, 0.0); shown = 1.0; }
        if (shown < 0.4) discard;
        diffuseColor.rgb = (colour0 * a.x + colour1 * a.y + colour2 * a.z + colour3 * a.w
          + colour4 * b.x + colour5 * b.y + colour6 * b.z + colour7 * b.w) / shown;`,
    });
    this.figures = new Figures(card(), material);
    this.figures.mesh.receiveShadow = true;
  }
}

function card(): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]), 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

/** Draws all tiles at once: an instance of the body for each, moved into its place on the atlas. */
function takePictures(renderer: WebGLRenderer, body: Body, skeleton: Skeleton, clips: ClipPoses) {
  const walk = Math.max(body.clips.findIndex(({ name }) => name === "walk-1.35"), 0);
  const bones = new Bones(body.joints.length);
  const pose = new Pose(body);
  for (let phase = 0; phase <= PHASES; phase++) {
    const [clip, share] = phase < PHASES ? [walk, phase / PHASES] : [body.idle, 0];
    const at = clips.starts[clip] + Math.round(share * (body.clips[clip].frames - 1));
    pose.mix(clips.hips, at, clips.rotations, clips.hips, at, clips.rotations, 0);
    skeleton.stand(pose);
    bones.add(skeleton);
  }
  const material = new ShaderMaterial({
    uniforms: { bones: bones.texture, wanted: { value: new Vector4() }, others: { value: new Vector4() } },
    blending: NoBlending,
    vertexShader: `
      attribute vec4 stand, play;
      uniform vec4 wanted, others;
      varying vec4 counted;
      ${STAND}\n${SKIN(body.stature)}
      void main() {
        vec3 at, towards;
        skin(play.x, 1.0, 0.4, at, towards);
        at = turned(at, stand.z) - vec3(0.0, 0.0, 0.5);
        float c = cos(play.y), s = sin(play.y);
        vec3 seen = vec3(at.y, dot(at, vec3(-s, 0.0, c)), dot(at, vec3(c, 0.0, s)));
        vec2 tile = (stand.xy + 0.5 + 0.5 * seen.xy / ${REACH}) / vec2(${COLUMNS}.0, ${ROWS}.0);
        gl_Position = vec4(2.0 * tile - 1.0, -0.5 * seen.z, 1.0);
        counted = vec4(equal(wanted, vec4(slot))) + vec4(equal(others, vec4(slot)));
      }`,
    fragmentShader: `
      varying vec4 counted;
      void main() { gl_FragColor = counted; }`,
  });
  const tiles = new Figures(surfaceOf(body.levels[1]), material);
  for (let row = 0; row <= PHASES; row++) {
    for (let elevation = 0; elevation < ELEVATIONS.length; elevation++) {
      for (let heading = 0; heading < HEADINGS; heading++) {
        const column = heading + HEADINGS * (elevation % 2);
        const line = row + (PHASES + 1) * Math.floor(elevation / 2);
        tiles.add(column, line, (2 * Math.PI * heading) / HEADINGS, 0, row, ELEVATIONS[elevation], 0, 0);
      }
    }
  }
  tiles.send();
  const scene = new Scene();
  scene.add(tiles.mesh as Mesh);
  const camera = new OrthographicCamera();
  const clear = renderer.getClearAlpha();
  renderer.setClearAlpha(0);
  const atlases = [CHANNELS.slice(0, 4), CHANNELS.slice(4)].map((names) => {
    const target = new WebGLRenderTarget(COLUMNS * TILE, ROWS * TILE, {
      generateMipmaps: true,
      minFilter: LinearMipmapLinearFilter,
      magFilter: LinearFilter,
    });
    const slot = (name: string | undefined) => (name ? body.slots.indexOf(name) : -1);
    const other = (name: string) => Object.keys(SAME).find((key) => SAME[key] === name);
    material.uniforms.wanted.value.fromArray(names.map(slot));
    material.uniforms.others.value.fromArray(names.map((name) => slot(other(name))));
    renderer.setRenderTarget(target);
    renderer.clear();
    renderer.render(scene, camera);
    return target.texture;
  });
  renderer.setRenderTarget(null);
  renderer.setClearAlpha(clear);
  tiles.mesh.geometry.dispose();
  material.dispose();
  bones.texture.value.dispose();
  return atlases;
}

const FIGURE = `
  varying vec2 onAtlas, onDot;
  uniform float viewHeight;
  const float TURN = 6.283185307;
  void figure(out vec3 at, out vec3 towards) {
    float stature = look(stand.w, 0.0).x;
    vec3 middle = vec3(stand.xy, 0.5 * stature);
    vec3 way = isOrthographic ? vec3(viewMatrix[0].z, viewMatrix[1].z, viewMatrix[2].z) : normalize(cameraPosition - middle);
    float azimuth = atan(way.y, way.x), elevation = asin(clamp(way.z, -1.0, 1.0));
    vec3 right = vec3(-sin(azimuth), cos(azimuth), 0.0);
    vec3 up = cross(way, right);
    at = middle + (right * position.x + up * position.y) * ${REACH} * stature;
    // Round, as a body is.
    towards = normalize(right * position.x * 1.6 + way * 0.7 + up * position.y * 0.3);
    // Pixels of a metre there, and how much of them the figure covers.
    float pixels = 0.5 * viewHeight * projectionMatrix[1][1] / (projectionMatrix * viewMatrix * vec4(middle, 1.0)).w;
    float covered = ${SHOULDERS} * stature * mix(1.0, ${SHOULDERS}, abs(way.z)) * stature * pixels * pixels;
    onDot = vec2(0.0);
    if (covered < ${DOT_BELOW}.0) {
      onDot = position.xy;
      at = middle + (right * position.x + up * position.y) * ${(DOT / 2).toFixed(1)} / pixels;
      towards = normalize(way + vec3(0.0, 0.0, 1.0));
    }
    float side = mod(floor(mod(stand.z - azimuth, TURN) / TURN * ${HEADINGS}.0 + 0.5), ${HEADINGS}.0);
    float step = play.y > 0.5 ? mod(floor(play.x * ${PHASES}.0 + 0.5), ${PHASES}.0) : ${PHASES}.0;
    float view = elevation < ${((ELEVATIONS[0] + ELEVATIONS[1]) / 2).toFixed(3)} ? 0.0
      : elevation < ${((ELEVATIONS[1] + ELEVATIONS[2]) / 2).toFixed(3)} ? 1.0
      : elevation < ${((ELEVATIONS[2] + ELEVATIONS[3]) / 2).toFixed(3)} ? 2.0 : 3.0;
    vec2 tile = vec2(side + ${HEADINGS}.0 * mod(view, 2.0), step + ${PHASES + 1}.0 * floor(view / 2.0));
    onAtlas = (tile + 0.5 + 0.5 * position.xy) / vec2(${COLUMNS}.0, ${ROWS}.0);
  }`;
