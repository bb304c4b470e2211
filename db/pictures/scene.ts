import sharp, { type Sharp } from "sharp";
import { finish } from "./paint.ts";
import { HEIGHT, WIDTH, type Camera, type Vec } from "./projection.ts";
import { ballAt } from "./props.ts";
import type { Group } from "./shapes.ts";
import type { World } from "./light.ts";
import { tracePlate, type Focus, type PlateOptions } from "./plate.ts";

export type Scene = {
  camera: Camera;
  world: World;
  /** SVG behind everything solid: sky, houses, trees. */
  backdrop?: string;
  /** SVG in front: glows, blades of grass, haze. */
  foreground?: string;
  /** Where sharpness ends, and how soft it is beyond. */
  focus?: Focus & { blur: number };
  /** How dark the edges are, and how strong the grain; shares from 0 to 1. */
  edge?: number;
  grain?: number;
};

/** The same world with more in it. */
export function furnish(world: World, ...groups: Group[]): World {
  return { ...world, groups: [...world.groups, ...groups] };
}

/** The same world with a ball close to the camera: kept sharp, darkening the ground it rests on. */
export function withBall(world: World, at: Vec, turn?: number): World {
  const more = furnish(world, ballAt(at[0], at[1], at[2], turn));
  return { ...more, resting: [{ at, radius: at[2] }] };
}

/** Composes a scene as one SVG around its traced plates. Answers PNG, 1280 × 720. */
export async function renderScene(scene: Scene, width = WIDTH, samples = 4): Promise<Buffer> {
  const { focus, backdrop = "", foreground = "" } = scene;
  const full = { width, samples };
  const solid =
    focus === undefined
      ? `${backdrop}${await plate(scene, full)}`
      : `${await distance(scene, full, focus.blur)}${await plate(scene, { ...full, focus })}`;
  return draw(`${solid}${foreground}${finish(scene.edge, scene.grain)}`)
    .png()
    .toBuffer();
}

/** What lies beyond the focus, blurred as a whole. */
async function distance(scene: Scene, full: PlateOptions, blur: number): Promise<string> {
  const behind = await plate(scene, { ...full, samples: 1, withoutHeroes: true });
  const soft = await draw(`${scene.backdrop ?? ""}${behind}`)
    .blur(blur)
    .png()
    .toBuffer();
  return image(soft);
}

function draw(content: string): Sharp {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" ` +
    `viewBox="0 0 ${WIDTH} ${HEIGHT}"><rect width="100%" height="100%" fill="#060d0a"/>` +
    `${content}</svg>`;
  return sharp(Buffer.from(svg), { unlimited: true });
}

async function plate({ camera, world }: Scene, options: PlateOptions): Promise<string> {
  const height = Math.round((options.width * HEIGHT) / WIDTH);
  const bytes = tracePlate(camera, world, options);
  const png = await sharp(bytes, { raw: { width: options.width, height, channels: 4 } })
    .png()
    .toBuffer();
  return image(png);
}

function image(png: Buffer): string {
  const href = `data:image/png;base64,${png.toString("base64")}`;
  return `<image width="${WIDTH}" height="${HEIGHT}" href="${href}"/>`;
}
