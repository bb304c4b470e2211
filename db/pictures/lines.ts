import { smooth } from "./noise.ts";
import type { Hit } from "./shapes.ts";

/** A painted line on the ground, in metres: straight, or an arc around (x, y). */
export type Mark =
  | { kind: "line"; x1: number; y1: number; x2: number; y2: number }
  | { kind: "arc"; x: number; y: number; radius: number; from: number; to: number }
  | { kind: "spot"; x: number; y: number; radius: number };

/** A futsal pitch around the origin, `length` along y. */
export function pitchMarks(width: number, length: number, scale = 1): Mark[] {
  const w = width / 2;
  const l = length / 2;
  const marks: Mark[] = [
    line(-w, -l, w, -l),
    line(-w, l, w, l),
    line(-w, -l, -w, l),
    line(w, -l, w, l),
    line(-w, 0, w, 0),
    { kind: "arc", x: 0, y: 0, radius: 3 * scale, from: 0, to: Math.PI * 2 },
    { kind: "spot", x: 0, y: 0, radius: 0.13 },
  ];
  for (const end of [-1, 1]) marks.push(...endMarks(w, l, end, scale));
  return marks;
}

function endMarks(w: number, l: number, end: number, scale: number): Mark[] {
  const y = l * end;
  const area = 6 * scale;
  const post = 1.5 * scale;
  const straight = y - area * end;
  const half = Math.PI / 2;
  const turn = end > 0 ? Math.PI : 0;
  const corner = 0.6;
  return [
    line(-post, straight, post, straight),
    arc(post, y, area, end > 0 ? -half : 0, end > 0 ? 0 : half),
    arc(-post, y, area, end > 0 ? -Math.PI : half, end > 0 ? -half : Math.PI),
    { kind: "spot", x: 0, y: straight, radius: 0.12 },
    { kind: "spot", x: 0, y: y - 10 * scale * end, radius: 0.1 },
    arc(-w, y, corner, turn === 0 ? 0 : -half, turn === 0 ? half : 0),
    arc(w, y, corner, turn === 0 ? half : -Math.PI, turn === 0 ? Math.PI : -half),
  ];
}

export function line(x1: number, y1: number, x2: number, y2: number): Mark {
  return { kind: "line", x1, y1, x2, y2 };
}

export function arc(x: number, y: number, radius: number, from: number, to: number): Mark {
  return { kind: "arc", x, y, radius, from, to };
}

/** How much of the picture point is covered by paint, 0 to 1; `width` in metres. */
export function markCover(marks: Mark[], hit: Hit, width: number): number {
  let cover = 0;
  for (const mark of marks) {
    const [away, ax, ay] = distance(mark, hit.x, hit.y);
    if (away > width + 0.5 + hit.stretch) continue;
    // Seen flat, a point is long along the view: only that share blurs which crosses the line.
    const level = Math.hypot(hit.ray.dx, hit.ray.dy) || 1;
    const across = (ax * hit.ray.dx + ay * hit.ray.dy) / level;
    const blur = Math.hypot(hit.footprint, across * hit.stretch) * 0.5;
    const half = mark.kind === "spot" ? mark.radius : width / 2;
    const strength = Math.min(1, (half * 2) / (blur * 2));
    cover = Math.max(cover, (1 - smooth(half - blur, half + blur, away)) * strength);
  }
  return cover;
}

/** Distance to the middle of the line, and the direction straight across it. */
function distance(mark: Mark, x: number, y: number): readonly [number, number, number] {
  if (mark.kind === "line") {
    const dx = mark.x2 - mark.x1;
    const dy = mark.y2 - mark.y1;
    const length = Math.sqrt(dx * dx + dy * dy);
    const along = ((x - mark.x1) * dx + (y - mark.y1) * dy) / length;
    const clamped = Math.min(length, Math.max(0, along));
    const px = mark.x1 + (dx / length) * clamped;
    const py = mark.y1 + (dy / length) * clamped;
    return [Math.sqrt((x - px) ** 2 + (y - py) ** 2), -dy / length, dx / length];
  }
  const away = Math.sqrt((x - mark.x) ** 2 + (y - mark.y) ** 2) || 1e-6;
  const ax = (x - mark.x) / away;
  const ay = (y - mark.y) / away;
  if (mark.kind === "spot") return [away, ax, ay];
  const turn = Math.PI * 2;
  const angle = (((Math.atan2(ay, ax) - mark.from) % turn) + turn) % turn;
  return angle <= mark.to - mark.from + 1e-6
    ? [Math.abs(away - mark.radius), ax, ay]
    : [99, ax, ay];
}
