import { pitchMarks } from "./lines.ts";
import type { Lamp, World } from "./light.ts";
import { marked, mix, scale, turf } from "./materials.ts";
import { layers, seeded, smooth } from "./noise.ts";
import { glow, halo, skyFill, spruce, woods } from "./paint.ts";
import { turfBlades } from "./blades.ts";
import { createCamera, type Camera, type Vec } from "./projection.ts";
import { ballAt, goal, mast, player } from "./props.ts";
import { furnish, withBall, type Scene } from "./scene.ts";
import { everywhere, panel, type Paint, type Rgb } from "./shapes.ts";
import { snow } from "./snow.ts";

const HALF_X = 13.5;
const HALF_Y = 23;
const LAMP: Rgb = [1, 0.95, 0.8];
const MASTS: Vec[] = [
  [-17.5, -13, 11],
  [17.5, -13, 11],
  [-17.5, 15, 11],
  [17.5, 15, 11],
];

/** The winter pitch: cleared turf between ploughed banks, blue hour, floodlights. */
export function myyrmakiWinter(): Scene[] {
  const world = winter();
  const lime: Rgb = [0.5, 0.64, 0.06];
  const black: Rgb = [0.03, 0.035, 0.04];
  const players = [
    player(-3, -2, lime, 0.9, 0.4),
    player(3.2, 2, black, -0.8, 2),
    player(5.6, 8, lime, 0.6, 3.2),
    player(-5.4, 9, black, 1, 1.2),
  ];
  const wide = createCamera([-5, -19.5, 2], [0.6, 2, 3.1], 78);
  const corner = createCamera([-4.6, 12.8, 1.4], [2.2, 23, 1.75], 68);
  const low = createCamera([0.7, -10.15, 0.25], [-6.8, 8.4, 1.95], 62);
  const ball: Vec = [0, -9, 0.11];
  return [
    { ...blueHour(wide), world: furnish(world, ...players, ballAt(0.6, -1)) },
    { ...blueHour(corner), world: furnish(world, ballAt(-1.5, 16.6)) },
    {
      ...blueHour(low),
      world: withBall(world, ball),
      focus: { near: 1.9, far: 5, blur: 4.5 },
      foreground: turfBlades(low, ball, 9) + (blueHour(low).foreground ?? ""),
    },
  ];
}

function blueHour(camera: Camera): Omit<Scene, "world"> {
  const { horizon } = camera;
  const halos = MASTS.map((at) => {
    const spot = camera.project(at);
    return halo(camera, at, 4600 / spot.distance + 90, 1, "#fff6dc");
  });
  let trees = "";
  const random = seeded(17);
  for (let n = 0; n < 110; n += 1) {
    const near = n / 110;
    const tall = (34 + 62 * random() ** 1.6) * (0.75 + 0.5 * near);
    const x = random() * 1360 - 40;
    trees += spruce(
      x,
      horizon + 14,
      tall,
      near < 0.4 ? "#26405a" : near < 0.75 ? "#182d40" : "#0e1e2b",
      n,
    );
  }
  return {
    camera,
    backdrop:
      skyFill(horizon, [
        [0, "#12294a"],
        [0.4, "#284c74"],
        [0.75, "#5f86a5"],
        [1, "#b9bdb9"],
      ]) +
      glow(380, horizon, 620, "#f0b088", 0.34) +
      woods(4, horizon + 8, 40, "#2b4459", 8) +
      woods(6, horizon + 8, 34, "#1c3245", 6) +
      trees +
      woods(11, horizon + 10, 24, "#0e1e2b", 5),
    foreground: halos.join(""),
    edge: 0.5,
  };
}

function winter(): World {
  const green = marked(turf([0.04, 0.082, 0.036], 0), [
    { marks: pitchMarks(24, 42, 1.2), colour: [0.66, 0.7, 0.68], width: 0.1 },
  ]);
  const lamps: Lamp[] = MASTS.map((at) => ({
    at,
    colour: scale(LAMP, 150),
    size: 0.4,
    aim: [at[0] * 0.12, at[1] * 0.5, 0],
  }));
  return {
    groups: [
      everywhere(
        panel([-200, -200, 0], [400, 0, 0], [0, 400, 0], dusted(green), false),
        snow(HALF_X, HALF_Y, snowPaint),
      ),
      ...MASTS.map(([x, y, z]) => mast(x, y, z, [0, y * 0.4, 0], scale(LAMP, 14))),
      goal(21, 4, 2),
      goal(-21, 4, 2),
    ],
    lamps,
    above: [0.05, 0.1, 0.17],
    below: [0.1, 0.13, 0.16],
    sky: () => [0.1, 0.16, 0.24],
    haze: { colour: [0.14, 0.22, 0.31], reach: 130 },
    exposure: 1.32,
  };
}

/** A breath of snow left by the plough: streaks along the pitch, more at the edges. */
function dusted(ground: Paint): Paint {
  return (hit) => {
    const under = ground(hit);
    const blur = Math.sqrt(hit.footprint * hit.stretch);
    const edge = smooth(-3.5, 0, Math.max(Math.abs(hit.x) - HALF_X, Math.abs(hit.y) - HALF_Y));
    const streak = layers(hit.x * 2.2, hit.y * 0.6, 1.1, 5, blur);
    const cover = smooth(0.1, 0.75, streak + edge * 0.55) * (0.3 + 0.55 * edge);
    return { ...under, colour: mix(under.colour, [0.55, 0.6, 0.66], cover) };
  };
}

const snowPaint: Paint = (hit) => {
  const crust = 0.66 + layers(hit.x, hit.y, 0.5, 4, hit.footprint) * 0.14;
  return { colour: [crust * 0.95, crust * 0.98, crust], through: 0.12 };
};
