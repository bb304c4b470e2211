import { lightUp, type LitWorld, type World } from "./light.ts";
import { smooth, speck } from "./noise.ts";
import { HEIGHT, WIDTH, type Camera } from "./projection.ts";
import type { Group } from "./shapes.ts";
import { look } from "./tracer.ts";

/** How far from the camera things are sharp; beyond it they fade out of the plate. */
export type Focus = { near: number; far: number };

export type PlateOptions = {
  width: number;
  samples: number;
  focus?: Focus;
  withoutHeroes?: boolean;
};

/** Running sums of one picture: light and its cover, and what shines back with its share. */
type Layers = { width: number; height: number; base: Float32Array; shine: Float32Array };

/** Traces the world into RGBA bytes; what no shape covers stays clear for the backdrop. */
export function tracePlate(camera: Camera, world: World, options: PlateOptions): Buffer {
  const { width } = options;
  const height = Math.round((width * HEIGHT) / WIDTH);
  const layers: Layers = {
    width,
    height,
    base: new Float32Array(width * height * 4),
    shine: new Float32Array(width * height * 4),
  };
  const lit = lightUp(world);
  const hideHeroes = options.withoutHeroes === true;
  const seen = world.groups.filter((each) => !hideHeroes || each.hero !== true);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      gather(camera, lit, seen, options, layers, column, row);
    }
  }
  const soft = Math.max(1, Math.round((width / WIDTH) * 3));
  soften(layers, soft, soft * 3);
  return develop(layers, world.exposure);
}

function gather(
  camera: Camera,
  world: LitWorld,
  seen: Group[],
  { samples, focus }: PlateOptions,
  { width, base, shine }: Layers,
  column: number,
  row: number,
): void {
  const side = Math.round(Math.sqrt(samples));
  const scale = WIDTH / width;
  const limit = 5 / world.exposure;
  const part = 1 / (side * side);
  const place = (row * width + column) * 4;
  const add = (sums: Float32Array, offset: number, value: number) => {
    sums[place + offset] = (sums[place + offset] ?? 0) + value * part;
  };
  for (let n = 0; n < side * side; n += 1) {
    const x = (column + ((n % side) + 0.5) / side) * scale;
    const y = (row + (Math.floor(n / side) + 0.5) / side) * scale;
    const turn = speck(column * 3 + n, row * 7 + 11);
    const light = look(seen, world, camera.ray(x, y), camera.unitAngle * scale, turn, 0);
    const kept = focus === undefined || light.hero ? 1 : 1 - smooth(focus.near, focus.far, light.t);
    add(base, 0, Math.min(limit, light.r) * kept);
    add(base, 1, Math.min(limit, light.g) * kept);
    add(base, 2, Math.min(limit, light.b) * kept);
    add(base, 3, light.a * kept);
    if (light.shine === null) continue;
    const share = light.shine.share * kept;
    add(shine, 0, Math.min(limit, light.shine.r) * share);
    add(shine, 1, Math.min(limit, light.shine.g) * share);
    add(shine, 2, Math.min(limit, light.shine.b) * share);
    add(shine, 3, share);
  }
}

/** Smears reflections within the shiny surfaces, more down than across, as a floor does. */
function soften(layers: Layers, across: number, down: number): void {
  const shares = Float32Array.from(
    { length: layers.width * layers.height },
    (_, index) => layers.shine[index * 4 + 3] ?? 0,
  );
  for (let pass = 0; pass < 2; pass += 1) {
    layers.shine = smear(layers.shine, layers.width, layers.height, across, 1, layers.width);
    layers.shine = smear(layers.shine, layers.height, layers.width, down, layers.width, 1);
  }
  for (const [index, share] of shares.entries()) {
    const spread = layers.shine[index * 4 + 3] ?? 0;
    const fit = spread > 0 ? share / spread : 0;
    for (let n = 0; n < 3; n += 1) {
      layers.base[index * 4 + n] =
        (layers.base[index * 4 + n] ?? 0) + (layers.shine[index * 4 + n] ?? 0) * fit;
    }
  }
}

/** A box blur of four channels along lines of `length` points, `step` apart. */
function smear(
  from: Float32Array,
  length: number,
  lines: number,
  reach: number,
  step: number,
  stride: number,
): Float32Array {
  const to = new Float32Array(from.length);
  for (let line = 0; line < lines; line += 1) {
    for (let n = 0; n < 4; n += 1) {
      const at = (k: number) => from[(line * stride + k * step) * 4 + n] ?? 0;
      let sum = 0;
      for (let k = 0; k < Math.min(reach, length); k += 1) sum += at(k);
      for (let k = 0; k < length; k += 1) {
        if (k + reach < length) sum += at(k + reach);
        if (k - reach - 1 >= 0) sum -= at(k - reach - 1);
        to[(line * stride + k * step) * 4 + n] = Math.max(0, sum / (reach * 2 + 1));
      }
    }
  }
  return to;
}

function develop({ width, height, base }: Layers, exposure: number): Buffer {
  const bytes = Buffer.alloc(width * height * 4);
  for (let place = 0; place < bytes.length; place += 4) {
    const cover = base[place + 3] ?? 0;
    if (cover < 0.002) continue;
    for (let n = 0; n < 3; n += 1) {
      bytes[place + n] = Math.round(screen(((base[place + n] ?? 0) / cover) * exposure) * 255);
    }
    bytes[place + 3] = Math.round(Math.min(1, cover) * 255);
  }
  return bytes;
}

/** Light to screen: a film-like shoulder, so that lamps glow instead of clipping. */
function screen(light: number): number {
  const curve = (light * (2.51 * light + 0.03)) / (light * (2.43 * light + 0.59) + 0.14);
  return Math.min(1, Math.max(0, curve)) ** (1 / 2.2);
}
