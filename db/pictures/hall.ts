import { arc, line, pitchMarks, type Mark } from "./lines.ts";
import { by, courses, marked, parquet, plain, poured, scale, shining } from "./materials.ts";
import { noise, smooth } from "./noise.ts";
import { glow } from "./paint.ts";
import { createCamera, type Camera } from "./projection.ts";
import { ballAt, bench, goal, player } from "./props.ts";
import { room } from "./room.ts";
import { furnish, withBall, type Scene } from "./scene.ts";
import { block, group, panel, type Group, type Paint, type Rgb } from "./shapes.ts";
import type { Lamp, World } from "./light.ts";

const HALF_X = 12.5;
const HALF_Y = 22.5;
const TALL = 7.6;
/** Where the ceiling lamps hang. */
const PLACES = [-8.4, -2.8, 2.8, 8.4].flatMap((x) =>
  Array.from({ length: 6 }, (_, n): [number, number] => [x, n * 7.5 - 18.75]),
);

/** The university hall: parquet with many lines, wall bars, rows of bright lamps. */
export function otaniemiHall(): Scene[] {
  const warm: Rgb = [1, 0.93, 0.8];
  const world = hall({
    floor: marked(parquet([0.43, 0.25, 0.115]), [
      { marks: badminton(), colour: [0.03, 0.16, 0.09], width: 0.04 },
      { marks: basketball(), colour: [0.34, 0.05, 0.03], width: 0.05 },
      { marks: pitchMarks(20, 40), colour: [0.8, 0.82, 0.78], width: 0.07 },
    ]),
    side: woodenSide(),
    end: woodenSide(),
    lamp: warm,
    power: 12.5,
    exposure: 1.3,
  });
  const wide = createCamera([-7.4, -12.6, 1.9], [1.6, 3, 1.7], 72);
  const close = createCamera([5.9, 14.6, 1.35], [-1.6, 21.4, 1.25], 62);
  const low = createCamera([0.5, -1.15, 0.24], [-0.3, 1.2, 0.3], 54);
  const players = [
    player(2.6, 3, [0.5, 0.62, 0.06], 0.9, 0.6),
    player(-1.8, 5.5, [0.06, 0.09, 0.2], -0.7, 2.2),
    player(0.6, 11, [0.5, 0.62, 0.06], 0.5, 3.4),
    player(5.6, 9, [0.06, 0.09, 0.2], 1, 1.2),
  ];
  return [
    scene(wide, furnish(world, ...players, ballAt(1.1, 4)), warmGlows(wide)),
    scene(close, furnish(world, ballAt(-3.2, 18.2)), warmGlows(close, 0.6)),
    {
      ...scene(low, withBall(world, [0, 0, 0.11]), ""),
      focus: { near: 1.8, far: 4.4, blur: 8 },
    },
  ];
}

/** The futsal court: blue floor, white walls, daylight from high windows. */
export function tapiolaCourt(): Scene[] {
  const cool: Rgb = [0.93, 1, 0.98];
  const world = hall({
    floor: marked(poured([0.02, 0.125, 0.27], 0.035, 0.03), [
      { marks: pitchMarks(20, 40), colour: [0.82, 0.86, 0.84], width: 0.08 },
    ]),
    side: whiteSide(true),
    end: whiteSide(false),
    lamp: cool,
    power: 10,
    exposure: 1.25,
  });
  const balcony = createCamera([-9.2, -16.5, 3.4], [1.5, 3, 0.9], 72);
  const close = createCamera([-10.9, 16.4, 1.5], [-3.5, 21, 0.7], 68);
  const low = createCamera([1.25, 18.75, 0.4], [-0.2, 21.4, 0.5], 58);
  const players = [
    player(-2, -3, [0.6, 0.6, 0.58], 0.8, 0.2),
    player(4, 3, [0.45, 0.06, 0.04], -0.8, 1.4),
    player(-4.4, 8, [0.45, 0.06, 0.04], 0.6, 2.9),
    player(2.2, 12, [0.6, 0.6, 0.58], 0.9, 4),
  ];
  return [
    scene(balcony, furnish(world, ...players, ballAt(0.2, 0.4)), coolGlows(balcony)),
    scene(
      close,
      furnish(withBall(world, [-9.86, 19.85, 0.11]), bench(-8, 21.6, 5, [0.3, 0.2, 0.11])),
      "",
    ),
    {
      ...scene(low, withBall(world, [0.35, 20.55, 0.11]), ""),
      focus: { near: 2.75, far: 4, blur: 5 },
    },
  ];
}

function scene(camera: Camera, world: World, foreground: string): Scene {
  return { camera, world, foreground, edge: 0.3 };
}

function hall(look: {
  floor: Paint;
  side: Paint;
  end: Paint;
  lamp: Rgb;
  power: number;
  exposure: number;
}): World {
  const { floor, side, end, lamp } = look;
  const size = { halfX: HALF_X, halfY: HALF_Y, tall: TALL };
  const fittings = PLACES.map(([x, y]) => fitting(x, y, lamp));
  const lamps = PLACES.map(([x, y]): Lamp => ({
    at: [x, y, TALL - 0.75],
    colour: scale(lamp, look.power),
    size: 0.2,
    aim: [x, y, 0],
  }));
  return {
    groups: [room(size, { floor, ceiling, side, end }), ...fittings, goal(20), goal(-20)],
    lamps,
    above: scale(lamp, 0.14),
    below: scale([0.95, 0.8, 0.62], 0.24),
    sky: () => [0, 0, 0],
    exposure: look.exposure,
  };
}

/** One long ceiling lamp, with its bright underside. */
function fitting(x: number, y: number, lamp: Rgb): Group {
  const z = TALL - 0.55;
  const housing = block(
    [x - 0.22, y - 0.8, z],
    [x + 0.22, y + 0.8, z + 0.1],
    plain([0.3, 0.31, 0.3]),
  );
  return group([x, y, z], 0.95, [
    { ...housing, shadow: false },
    panel([x - 0.2, y - 0.78, z - 0.01], [0.4, 0, 0], [0, 1.56, 0], shining(scale(lamp, 7)), false),
  ]);
}

/** Pale boards between dark beams every 3.75 metres. */
const ceiling: Paint = (hit) => {
  const beam = Math.abs(((hit.v / 3.75) % 1) - 0.5) * 2;
  const slat = Math.abs(((hit.u / 0.5) % 1) - 0.5) * 2;
  const fine = 1 - smooth(0.15, 0.5, hit.footprint);
  const light = 0.42 - 0.22 * smooth(0.86, 0.9, beam) - 0.1 * smooth(0.86, 0.94, slat) * fine;
  return { colour: [light, light * 0.97, light * 0.9] };
};

/** Wall bars up to 2.7 metres in bays, birch boards above, plaster at the top. */
function woodenSide(): Paint {
  const boards = courses([0.46, 0.34, 0.2], 2.4, 0.3, 0.006);
  const plaster = plain([0.58, 0.58, 0.54]);
  return grounded(
    by((hit) => {
      if (hit.v > 4.4) return plaster;
      if (hit.v > 2.75 || hit.v < 0.12) return boards;
      return (hit.u / 3.75) % 1 < 0.66 ? wallBars : boards;
    }),
  );
}

const wallBars: Paint = (hit) => {
  const bay = ((hit.u / 3.75) % 1) * 3.75;
  const post = Math.abs(((bay / 0.825) % 1) - 0.5) * 2;
  const rung = Math.abs(((hit.v / 0.17) % 1) - 0.5) * 2;
  const blur = Math.min(1, hit.footprint / 0.08);
  const wood = Math.max(
    smooth(0.86, 0.92, post),
    smooth(0.42 - blur * 0.4, 0.5 + blur * 0.4, 1 - rung) * (1 - blur * 0.25),
  );
  const light = 0.16 + 0.84 * wood * (0.9 + 0.1 * noise(hit.u * 3, hit.v * 9));
  return { colour: [0.5 * light, 0.33 * light, 0.165 * light] };
};

/** White blocks with a blue-grey base; on the long sides, a band of windows high up. */
function whiteSide(windows: boolean): Paint {
  const wall = courses([0.66, 0.68, 0.66], 0.6, 0.3, 0.008);
  const base = plain([0.1, 0.17, 0.21]);
  return grounded(
    by((hit) => {
      if (hit.v < 0.9) return base;
      if (!windows || hit.v < 4.3 || hit.v > 6.7) return wall;
      const bay = ((hit.u / 3.75) % 1) * 3.75;
      return bay > 0.35 && bay < 3.4 ? dayWindow : wall;
    }),
  );
}

/** Less light gathers where a wall meets the floor and the ceiling. */
function grounded(wall: Paint): Paint {
  return (hit) => {
    const under = wall(hit);
    const open = 0.62 + 0.38 * smooth(0, 1.4, hit.v) * smooth(0, 1.2, TALL - hit.v);
    return { ...under, colour: scale(under.colour, open) };
  };
}

const dayWindow: Paint = (hit) => {
  const bay = (((hit.u / 3.75) % 1) * 3.75 - 0.35) / 3.05;
  const bars = Math.max(
    smooth(0.94, 0.97, Math.abs(((bay * 3) % 1) - 0.5) * 2),
    smooth(0.965, 0.98, Math.abs((hit.v - 5.5) / 1.2)),
  );
  const pale = 0.55 + 0.45 * ((hit.v - 4.3) / 2.4);
  const light = (1 - bars) * pale * 2.1;
  return { colour: [0.2, 0.21, 0.21], glow: [0.62 * light, 0.82 * light, 1.05 * light] };
};

function warmGlows(camera: Camera, strength = 1): string {
  return lampGlows(camera, "#fff3d6", strength);
}

function coolGlows(camera: Camera): string {
  return lampGlows(camera, "#eafcff", 0.8);
}

function lampGlows(camera: Camera, colour: string, strength: number): string {
  return PLACES.filter(([, y]) => y >= camera.eye[1] + 2)
    .map(([x, y]) => camera.project([x, y, TALL - 0.6]))
    .map((spot) => glow(spot.x, spot.y, 2300 / spot.distance, colour, 0.5 * strength))
    .join("");
}

function badminton(): Mark[] {
  const marks: Mark[] = [];
  for (const y of [-12, 0, 12]) {
    for (const x of [-3.05, -2.6, 0, 2.6, 3.05]) marks.push(line(x, y - 6.7, x, y + 6.7));
    for (const d of [-6.7, -5.9, -2, 2, 5.9, 6.7]) marks.push(line(-3.05, y + d, 3.05, y + d));
  }
  return marks;
}

function basketball(): Mark[] {
  const marks: Mark[] = [line(-7.5, -14, 7.5, -14), line(-7.5, 14, 7.5, 14)];
  marks.push(line(-7.5, -14, -7.5, 14), line(7.5, -14, 7.5, 14));
  marks.push(arc(0, -12.4, 6.75, 0, Math.PI), arc(0, 12.4, 6.75, -Math.PI, 0));
  for (const end of [-1, 1]) {
    marks.push(line(-2.45, 14 * end, -2.45, 8.2 * end), line(2.45, 14 * end, 2.45, 8.2 * end));
    marks.push(line(-2.45, 8.2 * end, 2.45, 8.2 * end), arc(0, 8.2 * end, 1.8, 0, Math.PI * 2));
  }
  return marks;
}
