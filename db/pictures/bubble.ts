import { pitchMarks } from "./lines.ts";
import type { Lamp, World } from "./light.ts";
import { marked, plain, scale, shining, turf } from "./materials.ts";
import { layers, smooth } from "./noise.ts";
import { glow } from "./paint.ts";
import { turfBlades } from "./blades.ts";
import { createCamera, type Camera, type Vec } from "./projection.ts";
import { ballAt, goal, player } from "./props.ts";
import { furnish, withBall, type Scene } from "./scene.ts";
import {
  bar,
  block,
  dome,
  everywhere,
  group,
  panel,
  type Group,
  type Paint,
  type Rgb,
} from "./shapes.ts";

const LAMP: Rgb = [0.98, 1, 0.94];
const HALF_X = 19;
const HALF_Y = 33;
const TALL = 11.5;
const ROUND = 15;

/** The air dome: green turf under translucent white cloth with ribs. */
export function kumpulaBubble(): Scene[] {
  const world = bubble();
  const coral: Rgb = [0.5, 0.09, 0.05];
  const pale: Rgb = [0.6, 0.62, 0.6];
  const players = [
    player(-3, -4, coral, 0.9, 0.4),
    player(3.5, 0, pale, -0.8, 2),
    player(5.5, 8, coral, 0.6, 3.2),
    player(-5, 11, pale, 1, 1.2),
  ];
  const wide = createCamera([3.2, -27, 2.1], [-0.6, 0, 3.1], 78);
  const corner = createCamera([-14.2, 12.2, 1.35], [-4.6, 24, 2.4], 72);
  const ball: Vec = [0.05, -4.75, 0.11];
  const low = createCamera([0.42, -5.85, 0.25], [-0.35, 2, 0.55], 58);
  return [
    { camera: wide, world: furnish(world, ...players, ballAt(0.6, -3)), foreground: lights(wide) },
    {
      camera: corner,
      world: furnish(world, ballAt(-11.7, 16.9), cornerPole(-12, 23)),
      foreground: lights(corner),
    },
    {
      camera: low,
      world: withBall(world, ball),
      focus: { near: 1.9, far: 4.6, blur: 6 },
      foreground: turfBlades(low, ball, 7),
    },
  ];
}

function bubble(): World {
  const lamps: Lamp[] = [];
  const fittings: Group[] = [];
  for (const x of [-11.5, 11.5]) {
    for (let y = -22; y <= 22; y += 11) {
      lamps.push({ at: [x, y, 6.3], colour: scale(LAMP, 34), size: 0.5, aim: [x * 0.2, y, 0] });
      fittings.push(fitting(x, y));
    }
  }
  const ground = marked(turf([0.043, 0.105, 0.036], 3), [
    { marks: pitchMarks(24, 46, 1.35), colour: [0.75, 0.78, 0.73], width: 0.1 },
  ]);
  return {
    groups: [
      everywhere(
        panel([-60, -60, 0], [120, 0, 0], [0, 120, 0], ground, false),
        dome(HALF_X * 2, HALF_Y * 2, TALL, cloth),
      ),
      ...fittings,
      goal(23, 4, 2),
      goal(-23, 4, 2),
    ],
    lamps,
    above: [0.34, 0.36, 0.34],
    below: [0.2, 0.25, 0.18],
    sky: () => [0.6, 0.6, 0.6],
    exposure: 1.3,
  };
}

/** White cloth, lit from within: seams every 3 metres, a crossing net of cables, a darker skirt. */
const cloth: Paint = (hit) => {
  const around = Math.atan2(hit.z * 1.6, hit.x) * 14;
  // Along the barrel the seams run straight across; at the round ends they fan out.
  const end = Math.abs(hit.y) - ROUND;
  const along = end < 0 ? hit.y : Math.atan2(hit.x, end) * 12;
  const blur = hit.stretch / 3;
  const seam = band(along / 3, blur, 0.03);
  const cables =
    end > 0
      ? 0
      : Math.max(
          band((around + hit.y) / 4.5, blur, 0.009),
          band((around - hit.y) / 4.5, blur, 0.009),
        );
  const billow = Math.cos((along / 3) * Math.PI * 2);
  const fold = layers(around, hit.y, 2.4, 3, hit.footprint) * 0.06;
  const high = smooth(0, TALL, hit.z);
  const skirt = 1 - smooth(1.55, 1.6, hit.z);
  const tone = (0.66 - billow * 0.06 + fold) * (1 - seam * 0.28) * (1 - cables * 0.2);
  const lift = (0.12 + 0.34 * Math.exp(-((hit.z - 5.5) ** 2) / 16) + 0.1 * high) * tone;
  if (skirt > 0.5) return { colour: [0.12, 0.17, 0.15] };
  return {
    colour: [tone * 0.95, tone, tone * 0.96],
    glow: [lift * 0.93, lift, lift * 0.95],
  };
};

function band(value: number, blur: number, half: number): number {
  const away = Math.abs(value - Math.round(value));
  return (1 - smooth(half - blur, half + blur, away)) * Math.min(1, half / blur);
}

function fitting(x: number, y: number): Group {
  const steel = plain([0.13, 0.14, 0.14]);
  const tilt = Math.sign(x) * -0.25;
  return group([x, y, 5], 5.2, [
    bar([x + Math.sign(x) * 3.4, y, 0], [x + Math.sign(x) * 0.6, y, 6.4], 0.06, steel, false),
    panel(
      [x - 0.3, y - 0.7, 6.2 - tilt * 0.4],
      [0.6, 0, tilt * 0.8],
      [0, 1.4, 0],
      shining(scale(LAMP, 9)),
      false,
    ),
  ]);
}

function cornerPole(x: number, y: number): Group {
  const flag = plain([0.5, 0.62, 0.06], { through: 0.7 });
  return group([x, y, 0.8], 1.2, [
    bar([x, y, 0], [x, y, 1.5], 0.018, plain([0.7, 0.7, 0.68])),
    block([x, y - 0.005, 1.16], [x + 0.42, y + 0.005, 1.48], flag),
  ]);
}

function lights(camera: Camera): string {
  let glows = "";
  for (const x of [-11.5, 11.5]) {
    for (let y = -22; y <= 22; y += 11) {
      const spot = camera.project([x, y, 6.3]);
      if (spot.distance < 2) continue;
      glows += glow(spot.x, spot.y, 4200 / spot.distance + 14, "#f6fff0", 0.8);
    }
  }
  return glows;
}
