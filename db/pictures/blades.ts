import { noise, seeded } from "./noise.ts";
import { fix } from "./paint.ts";
import { HEIGHT, WIDTH, type Camera, type Spot, type Vec } from "./projection.ts";

type Lawn = {
  seed: number;
  /** Distances from the camera, in metres. */
  near: number;
  far: number;
  /** Height of the tallest blades, in metres. */
  height: number;
  count: number;
  /** A blade takes one by chance. */
  colours: string[];
  ball: Vec;
  /** Blades that stand on a painted line. */
  painted?: { colour: string; on(x: number, y: number): boolean };
};

type Blade = { x: number; y: number; away: number; foot: Spot; tip: Spot; bend: number };

/**
 * Single blades of grass near the camera, drawn from far to near. Those that would cover the ball
 * although they grow behind it are left out.
 */
export function blades(camera: Camera, lawn: Lawn): string {
  const random = seeded(lawn.seed);
  const planted = Array.from({ length: lawn.count }, () => plant(camera, lawn, random));
  return planted
    .filter(({ foot }) => foot.y < HEIGHT + 60)
    .filter((blade) => !coversBall(camera, lawn.ball, blade))
    .sort((a, b) => b.away - a.away)
    .map((blade) => draw(camera, lawn, blade, random()))
    .join("");
}

/** Short artificial turf around a ball, lit from above. */
export function turfBlades(camera: Camera, ball: Vec, seed: number): string {
  return blades(camera, {
    seed,
    near: 0.35,
    far: 3.4,
    height: 0.026,
    count: 9000,
    colours: ["#12300f", "#1a4016", "#23501d", "#2d5f25", "#3b7030"],
    ball,
  });
}

function plant(camera: Camera, { near, far, height }: Lawn, random: () => number): Blade {
  const away = near * (far / near) ** random();
  const sight = camera.ray(random() * (WIDTH + 40) - 20, HEIGHT / 2);
  const level = Math.hypot(sight.dx, sight.dy);
  const x = camera.eye[0] + (sight.dx / level) * away;
  const y = camera.eye[1] + (sight.dy / level) * away;
  const tall = height * (0.45 + random() * 0.55) * (0.6 + 0.8 * noise(x * 6, y * 6));
  const bend = random() - 0.5;
  const tip = camera.project([x + bend * height * 1.3, y, tall]);
  return { x, y, away, foot: camera.project([x, y, 0]), tip, bend };
}

function coversBall(camera: Camera, ball: Vec, { away, foot, tip }: Blade): boolean {
  const round = camera.project(ball);
  if (away < round.distance - 0.02) return false;
  const size = (ball[2] / camera.unitAngle / round.distance) * 1.04;
  return [foot, tip].some((end) => Math.hypot(end.x - round.x, end.y - round.y) < size);
}

function draw(camera: Camera, lawn: Lawn, blade: Blade, chance: number): string {
  const { x, y, foot, tip, bend } = blade;
  const colour =
    lawn.painted?.on(x, y) === true
      ? lawn.painted.colour
      : lawn.colours[Math.floor(chance * lawn.colours.length)];
  const wide = Math.max(0.5, (lawn.height * 0.05) / camera.unitAngle / foot.distance);
  const bow = (foot.x + tip.x) / 2 - bend * wide * 4;
  const middle = fix((foot.y + tip.y) / 2);
  return (
    `<path d="M${fix(foot.x - wide)} ${fix(foot.y)}` +
    `Q${fix(bow)} ${middle} ${fix(tip.x)} ${fix(tip.y)}` +
    `Q${fix(bow + wide)} ${middle} ${fix(foot.x + wide)} ${fix(foot.y)}Z" fill="${colour}"/>`
  );
}
