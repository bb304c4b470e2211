import { line, pitchMarks } from "./lines.ts";
import type { Lamp, World } from "./light.ts";
import { by, courses, marked, net, plain, scale, shining, turf } from "./materials.ts";
import { smooth } from "./noise.ts";
import { glow } from "./paint.ts";
import { createCamera, type Camera } from "./projection.ts";
import { ballAt, bench, goal, player } from "./props.ts";
import { room } from "./room.ts";
import { furnish, type Scene } from "./scene.ts";
import { bar, group, panel, type Group, type Paint, type Rgb } from "./shapes.ts";

const HALF_X = 27;
const HALF_Y = 45;
const TALL = 13;
const LAMP: Rgb = [0.95, 1, 0.93];
/** Where the ceiling lamps hang. */
const PLACES = [-18, -6, 6, 18].flatMap((x) =>
  Array.from({ length: 11 }, (_, n): [number, number] => [x, n * 8 - 40]),
);

/** The large indoor arena: turf under steel trusses and rows of lights. */
export function tikkurilaArena(): Scene[] {
  const world = arena();
  const lime: Rgb = [0.45, 0.58, 0.06];
  const navy: Rgb = [0.05, 0.07, 0.16];
  const players = [
    player(-4.6, -6, lime, 0.9, 0.4),
    player(3.8, -4, navy, -0.8, 2),
    player(7, 6, lime, 0.6, 3.2),
    player(-8, 9, navy, 1, 1.2),
    player(0.5, 16, lime, -0.6, 5),
    player(-2, 25, navy, 0.8, 3),
  ];
  const wide = createCamera([0, -25.5, 2.1], [0, 0, 3.4], 74);
  const side = createCamera([19.6, -12, 1.9], [-3, 9, 2.2], 74);
  const low = createCamera([-0.6, 34.4, 1.25], [0.9, 24, 2.35], 72);
  return [
    { camera: wide, world: furnish(world, ...players, ballAt(1.2, -5)), foreground: lights(wide) },
    {
      camera: side,
      world: furnish(world, ...players, bench(17.1, -8, 5, [0.35, 0.37, 0.36]), ballAt(15.4, -7.2)),
      foreground: lights(side),
    },
    {
      camera: low,
      world: furnish(arena(false), ...players, { ...closeNet(), hero: true }),
      focus: { near: 1, far: 2, blur: 7 },
    },
  ];
}

/** The goal's back net, an arm's length away. */
function closeNet(): Group {
  const cord = net([0.78, 0.8, 0.77], 0.12, 0.009);
  return group([0, 33.2, 1.5], 8, [
    panel([-5, 33.35, -0.2], [10, -0.35, 0], [0, -0.4, 4], cord, false),
  ]);
}

function arena(nearGoal = true): World {
  const wall = sheetWall();
  const size = { halfX: HALF_X, halfY: HALF_Y, tall: TALL };
  const shell = room(size, { floor: ground(), ceiling: roofSheet, side: wall, end: wall });
  const trusses: Group[] = [];
  for (let y = -36; y <= 44; y += 8) trusses.push(truss(y));
  const goals = [goal(-31, 5, 2.1), ...(nearGoal ? [goal(31, 5, 2.1)] : [])];
  return {
    groups: [shell, ...trusses, ...PLACES.map(([x, y]) => fitting(x, y)), ...goals],
    lamps: lamps(),
    above: [0.11, 0.125, 0.115],
    below: [0.06, 0.08, 0.065],
    sky: () => [0.05, 0.05, 0.05],
    haze: { colour: [0.16, 0.19, 0.175], reach: 480 },
    exposure: 1.35,
  };
}

function ground(): Paint {
  return marked(turf([0.041, 0.1, 0.036], 4), [
    { marks: pitchMarks(34, 62, 1.9), colour: [0.72, 0.76, 0.7], width: 0.11 },
    {
      marks: [line(-17, -15.5, 17, -15.5), line(-17, 15.5, 17, 15.5)],
      colour: [0.5, 0.42, 0.03],
      width: 0.08,
    },
  ]);
}

/** Every other row gives light for two: the same floor with half the shadows to trace. */
function lamps(): Lamp[] {
  return PLACES.filter(([, y]) => Math.abs(y % 16) === 8).map(([x, y]) => ({
    at: [x, y, 10.6],
    colour: scale(LAMP, 74),
    size: 0.6,
    aim: [x, y, 0],
  }));
}

/** A flat steel truss across the hall: two chords and zigzag webs. */
function truss(y: number): Group {
  const steel = plain([0.5, 0.53, 0.51]);
  const [low, high] = [10.9, 12.7];
  const shapes = [
    bar([-HALF_X, y, low], [HALF_X, y, low], 0.11, steel, false),
    bar([-HALF_X, y, high], [HALF_X, y, high], 0.11, steel, false),
  ];
  for (let x = -HALF_X; x < HALF_X - 1; x += 3) {
    shapes.push(bar([x, y, low], [x + 1.5, y, high], 0.05, steel, false));
    shapes.push(bar([x + 1.5, y, high], [x + 3, y, low], 0.05, steel, false));
  }
  return group([0, y, 11.8], [HALF_X + 1, 0.15, 1.1], shapes);
}

function fitting(x: number, y: number): Group {
  return group([x, y, 10.6], 1.4, [
    panel([x - 0.3, y - 1.2, 10.55], [0.6, 0, 0], [0, 2.4, 0], shining(scale(LAMP, 8)), false),
    panel([x - 0.36, y - 1.26, 10.6], [0.72, 0, 0], [0, 2.52, 0], plain([0.1, 0.1, 0.1]), false),
  ]);
}

const roofSheet: Paint = (hit) => {
  const fold = Math.abs(((hit.v / 0.6) % 1) - 0.5) * 2;
  const fine = 1 - smooth(0.12, 0.4, hit.stretch);
  const light = 0.2 - 0.08 * smooth(0.5, 0.8, fold) * fine;
  return { colour: [light, light * 1.02, light] };
};

/** Dark plinth with a pale rail, then ribbed steel sheet, paler towards the roof. */
function sheetWall(): Paint {
  const plinth = courses([0.1, 0.135, 0.115], 2.5, 1.25, 0.012);
  const sheet: Paint = (hit) => {
    const rib = Math.abs(((hit.u / 0.4) % 1) - 0.5) * 2;
    const fine = 1 - smooth(0.08, 0.3, hit.footprint);
    const post = smooth(0.95, 0.97, Math.abs(((hit.u / 8) % 1) - 0.5) * 2);
    const light = 0.36 - 0.1 * smooth(0.5, 0.8, rib) * fine - 0.2 * post;
    return { colour: [light * 0.94, light, light * 0.95] };
  };
  return by((hit) => (hit.v < 2.5 ? plinth : sheet));
}

function lights(camera: Camera): string {
  return PLACES.map(([x, y]) => camera.project([x, y, 10.5]))
    .filter((spot) => spot.distance >= 3)
    .map((spot) => glow(spot.x, spot.y, 2600 / spot.distance + 10, "#effbe6", 0.5))
    .join("");
}
