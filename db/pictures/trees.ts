import { seeded } from "./noise.ts";
import { fix } from "./paint.ts";

/** A birch: pale stem with dark scars, thin drooping twigs, loose leaves (0 for winter). */
export function birch(options: {
  x: number;
  base: number;
  height: number;
  stem: string;
  twig: string;
  leaf: string;
  leaves: number;
  seed: number;
}): string {
  const { x, base, height, stem, twig, leaf, leaves, seed } = options;
  const random = seeded(seed);
  const twigs: string[] = [];
  const tips: [number, number][] = [];
  const lean = (random() - 0.5) * 0.12;
  const top = x + height * lean;
  for (let n = 0; n < 46; n += 1) {
    const rise = 0.26 + (n / 46) * 0.72;
    const sx = x + (top - x) * rise;
    const sy = base - height * rise;
    const side = n % 2 === 0 ? -1 : 1;
    // An egg-shaped crown: widest a third of the way up.
    const crown = Math.sin(Math.PI * Math.min(1, (rise - 0.2) / 0.86) ** 0.7);
    const reach = height * (0.04 + 0.15 * crown) * (0.55 + random() * 0.6);
    branch(sx, sy, side * reach, reach * (0.75 + random() * 0.6), random, twigs, tips);
  }
  const wide = height * 0.013;
  const body =
    `M${fix(x - wide)} ${fix(base)}L${fix(top - 0.6)} ${fix(base - height)}` +
    `h1.2L${fix(x + wide)} ${fix(base)}Z`;
  return (
    `<path d="${twigs.join("")}" fill="none" stroke="${twig}" ` +
    `stroke-width="${fix(Math.max(0.6, height * 0.0026))}"/>` +
    `<path d="${body}" fill="${stem}"/>${scars(options, top, random)}` +
    foliage(tips, leaf, leaves, height, random)
  );
}

function branch(
  x: number,
  y: number,
  reach: number,
  lift: number,
  random: () => number,
  twigs: string[],
  tips: [number, number][],
): void {
  const ex = x + reach;
  const ey = y - lift * 0.7;
  twigs.push(
    `M${fix(x)} ${fix(y)}Q${fix(x + reach * 0.4)} ${fix(y - lift * 0.8)} ${fix(ex)} ${fix(ey)}`,
  );
  for (let n = 0; n < 6; n += 1) {
    const share = 0.15 + n * 0.17;
    const sx = x + reach * share;
    const sy = y - lift * 0.75 * Math.min(1, share + 0.15);
    const drop = Math.abs(reach) * (0.2 + random() * 0.5);
    const drift = reach * (0.08 + random() * 0.25);
    twigs.push(
      `M${fix(sx)} ${fix(sy)}q${fix(drift)} ${fix(-drop * 0.1)} ${fix(drift * 1.15)} ${fix(drop)}`,
    );
    tips.push([sx, sy], [sx + drift, sy + drop * 0.4], [sx + drift * 1.15, sy + drop * 0.9]);
  }
}

function scars(
  { x, base, height }: { x: number; base: number; height: number },
  top: number,
  random: () => number,
): string {
  let marks = "";
  for (let n = 0; n < 22; n += 1) {
    const rise = random() ** 1.4 * 0.7;
    const middle = x + (top - x) * rise;
    const wide = height * 0.013 * (1 - rise) * (0.4 + random() * 0.7);
    const left = middle - height * 0.013 * (1 - rise) * (random() * 1.2);
    const tall = height * (0.003 + random() * 0.005) * (rise < 0.12 ? 2.4 : 1);
    marks += `M${fix(left)} ${fix(base - height * rise)}h${fix(wide)}v${fix(tall)}h${fix(-wide)}Z`;
  }
  return `<path d="${marks}" fill="#0d1411" opacity="0.75"/>`;
}

function foliage(
  tips: [number, number][],
  colour: string,
  count: number,
  height: number,
  random: () => number,
): string {
  let leaves = "";
  for (const [x, y] of tips) {
    for (let n = 0; n < count; n += 1) {
      const size = height * (0.0028 + random() * 0.0045);
      const lx = x + (random() - 0.5) * height * 0.075;
      const ly = y + (random() - 0.4) * height * 0.075;
      const [half, bow, long] = [fix(size), fix(size * 1.1), fix(size * 2)];
      leaves += `M${fix(lx - size)} ${fix(ly)}`;
      leaves += `q${half} -${bow} ${long} 0q-${half} ${bow} -${long} 0`;
    }
  }
  return `<path d="${leaves}" fill="${colour}" opacity="0.88"/>`;
}
