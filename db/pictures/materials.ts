import { markCover, type Mark } from "./lines.ts";
import { layers, noise, smooth, speck } from "./noise.ts";
import type { Hit, Paint, Rgb, Surface } from "./shapes.ts";

/** One even colour. */
export function plain(colour: Rgb, more: Partial<Surface> = {}): Paint {
  const surface: Surface = { colour, ...more };
  return () => surface;
}

/** Something that shines by itself. */
export function shining(glow: Rgb): Paint {
  return plain([0, 0, 0], { glow });
}

/** Painted marks on top of another surface. */
export function marked(
  ground: Paint,
  layers: { marks: Mark[]; colour: Rgb; width: number }[],
): Paint {
  return (hit) => {
    const under = ground(hit);
    let colour = under.colour;
    for (const { marks, colour: paint, width } of layers) {
      const worn = 0.86 + 0.14 * noise(hit.x * 3, hit.y * 3);
      const cover = markCover(marks, hit, width) * worn;
      if (cover > 0) colour = mix(colour, paint, cover);
    }
    return { ...under, colour };
  };
}

/** Mown grass or turf: `stripe` metres between the mower's turns, 0 for none. */
export function turf(base: Rgb, stripe: number, rough = 1): Paint {
  return (hit) => {
    const blur = Math.sqrt(hit.footprint * hit.stretch);
    const patch = layers(hit.x, hit.y, 5, 3, blur) * 0.22;
    const blades = layers(hit.x * 1.5, hit.y, 0.045, 3, blur) * 0.8 * rough;
    const tufts = layers(hit.x, hit.y, 0.5, 2, blur) * 0.16 * rough;
    let light = 1 + patch + tufts + blades;
    if (stripe > 0) {
      const wave = Math.sin((hit.y * Math.PI) / stripe);
      light *= 1 + 0.1 * Math.max(-1, Math.min(1, wave * 6));
    }
    const dry = Math.max(0, patch * 1.6);
    return {
      colour: [base[0] * light * (1 + dry), base[1] * light, base[2] * light * (1 - dry * 0.4)],
    };
  };
}

/** Oiled maple strips along y. */
export function parquet(base: Rgb): Paint {
  return (hit) => {
    const strip = 0.085;
    const long = 0.9;
    const lane = Math.floor(hit.x / strip);
    const shift = hit.y / long + speck(lane, 5) * 3;
    const plank = Math.floor(shift);
    const fine = 1 - smooth(strip * 0.35, strip * 1.6, hit.footprint);
    const tone = (speck(lane, plank) - 0.5) * 0.34 * (0.35 + 0.65 * fine);
    const grain = layers(hit.x * 9, hit.y * 0.5, 0.3, 3, hit.footprint * 4) * 0.16 * fine;
    const edge = Math.abs(hit.x / strip - lane - 0.5) * 2;
    const end = Math.abs(shift - plank - 0.5) * 2;
    const gap =
      Math.max(smooth(0.9, 1, edge), smooth(0.99, 1, end)) * 0.4 * fine ** 2 +
      layers(hit.x, hit.y, 4, 2, hit.footprint) * 0.08;
    const light = 1 + tone + grain - gap;
    return {
      colour: [
        base[0] * light,
        base[1] * light * (1 - tone * 0.12),
        base[2] * light * (1 - tone * 0.3),
      ],
      mirror: 0.06,
      rough: 0.02,
    };
  };
}

/** A poured sports floor: even, with a soft sheen. */
export function poured(base: Rgb, mirror: number, rough: number): Paint {
  return (hit) => {
    const light = 1 + layers(hit.x, hit.y, 3, 4, hit.footprint) * 0.1;
    return { colour: scale(base, light), mirror, rough };
  };
}

/** Asphalt under acrylic paint; `wet` from 0 to 1 leaves puddly sheen. */
export function asphalt(base: Rgb, wet: number): Paint {
  return (hit) => {
    const blur = Math.sqrt(hit.footprint * hit.stretch);
    const grit = layers(hit.x, hit.y, 0.02, 2, blur) * 0.5;
    const stain = layers(hit.x, hit.y, 3.2, 4, blur) * 0.3;
    const puddle = smooth(0.02, 0.3, layers(hit.x + 40, hit.y * 0.8, 6, 4, blur)) * wet;
    return {
      colour: scale(base, (1 + grit + stain) * (1 - puddle * 0.25)),
      mirror: 0.03 + puddle * 0.09,
      rough: 0.045 - puddle * 0.035,
    };
  };
}

/** Bricks, panels or blocks in courses: `width` × `height` metres with a joint. */
export function courses(base: Rgb, width: number, height: number, joint: number): Paint {
  return (hit) => {
    const row = Math.floor(hit.v / height);
    const across = hit.u / width + (row % 2) * 0.5;
    const column = Math.floor(across);
    const blur = hit.footprint * 0.7;
    const besideV = (0.5 - Math.abs(hit.v / height - row - 0.5)) * height;
    const besideU = (0.5 - Math.abs(across - column - 0.5)) * width;
    const seam =
      (1 - smooth(joint - blur, joint + blur, Math.min(besideU, besideV))) *
      Math.min(1, joint / blur);
    const tone =
      1 + (speck(row + 7, column) - 0.5) * 0.08 + layers(hit.u, hit.v, 2, 3, blur) * 0.07;
    return { colour: scale(base, tone * (1 - seam * 0.4)) };
  };
}

/** A net of square meshes: mostly air. `mesh` and `cord` in metres. */
export function net(colour: Rgb, mesh: number, cord: number, slanted = false): Paint {
  return (hit) => {
    const sag = Math.sin(hit.u * 2.1 + hit.v) * 0.02;
    const u = slanted ? (hit.u + hit.v) * Math.SQRT1_2 : hit.u + sag;
    const v = slanted ? (hit.u - hit.v) * Math.SQRT1_2 : hit.v + sag;
    const blur = Math.sqrt(hit.footprint * hit.stretch);
    const one = thread(u, mesh, cord, blur);
    const two = thread(v, mesh, cord, blur);
    return { colour, alpha: 1 - (1 - one) * (1 - two), through: 0.35 };
  };
}

function thread(value: number, mesh: number, cord: number, footprint: number): number {
  const away = Math.abs(value / mesh - Math.round(value / mesh)) * mesh;
  const blur = footprint * 0.6;
  const mean = cord / mesh;
  const near =
    (1 - smooth(cord / 2 - blur, cord / 2 + blur, away)) * Math.min(1, cord / (2 * blur));
  return near + (mean - near) * smooth(mesh * 0.2, mesh * 0.55, footprint);
}

/** The classic ball: dark pentagons, fine seams. */
export function football(centre: readonly number[], turn: number): Paint {
  const faces = ballFaces(turn);
  return (hit) => {
    const [x, y, z] = [
      hit.x - (centre[0] ?? 0),
      hit.y - (centre[1] ?? 0),
      hit.z - (centre[2] ?? 0),
    ];
    const size = Math.hypot(x, y, z);
    let first = -1;
    let second = -1;
    let dark = false;
    for (const face of faces) {
      const near = (x * face.x + y * face.y + z * face.z) / size + face.reach;
      if (near > first) {
        second = first;
        first = near;
        dark = face.dark;
      } else if (near > second) second = near;
    }
    const soft = Math.max(0.004, (hit.footprint / size) * 0.8);
    const seam = smooth(0.004, 0.008 + soft, first - second);
    const light = dark ? 0.02 + 0.02 * (1 - seam) : 0.78 * (0.55 + 0.45 * seam);
    return { colour: [light, light * 1.01, light * 0.99], mirror: 0.03, rough: 0.05 };
  };
}

function ballFaces(turn: number) {
  const faces: { x: number; y: number; z: number; reach: number; dark: boolean }[] = [];
  const gold = (1 + Math.sqrt(5)) / 2;
  const add = (x: number, y: number, z: number, dark: boolean) => {
    const length = Math.hypot(x, y, z);
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const [a, b] = [x * cos - y * sin, x * sin + y * cos];
    const [c, d] = [b * cos - z * sin, b * sin + z * cos];
    faces.push({ x: a / length, y: c / length, z: d / length, reach: dark ? 0 : 0.028, dark });
  };
  for (const a of [-1, 1]) {
    for (const b of [-gold, gold]) {
      add(0, a, b, true);
      add(a, b, 0, true);
      add(b, 0, a, true);
      add(a / gold, 0, b, false);
      add(0, b, a / gold, false);
      add(b, a / gold, 0, false);
    }
    for (const b of [-1, 1]) for (const c of [-1, 1]) add(a, b, c, false);
  }
  return faces;
}

export function scale(colour: Rgb, by: number): Rgb {
  return [colour[0] * by, colour[1] * by, colour[2] * by];
}

export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

/** Paint that changes with the place. */
export function by(choose: (hit: Hit) => Paint): Paint {
  return (hit) => choose(hit)(hit);
}
