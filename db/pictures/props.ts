import { football, net, plain, shining } from "./materials.ts";
import type { Vec } from "./projection.ts";
import { ball, bar, block, group, panel, type Group, type Rgb, type Shape } from "./shapes.ts";

const WHITE: Rgb = [0.75, 0.77, 0.74];

/** A goal on the line y, opening towards the origin, in metres. */
export function goal(y: number, width = 3, height = 2, x = 0, colour = WHITE): Group {
  const out = Math.sign(y);
  const [l, r] = [x - width / 2, x + width / 2];
  const [top, deep] = [height, 1.1];
  const frame = plain(colour, { mirror: 0.04, rough: 0.05 });
  const back = y + out * deep;
  const shelf = y + out * 0.55;
  const mesh = net([0.62, 0.64, 0.62], 0.11, 0.007);
  const thin = plain([0.4, 0.42, 0.41]);
  const shapes: Shape[] = [
    bar([l, y, 0], [l, y, top + 0.04], 0.045, frame),
    bar([r, y, 0], [r, y, top + 0.04], 0.045, frame),
    bar([l - 0.04, y, top], [r + 0.04, y, top], 0.045, frame),
    bar([l, back, 0.02], [r, back, 0.02], 0.025, thin),
    panel([l, shelf, top], [width, 0, 0], [0, back - shelf, -top], mesh, false),
    panel([l, y, top], [width, 0, 0], [0, shelf - y, 0], mesh, false),
  ];
  for (const side of [l, r]) {
    shapes.push(bar([side, y, top], [side, shelf, top], 0.022, thin));
    shapes.push(bar([side, shelf, top], [side, back, 0], 0.022, thin));
    shapes.push(bar([side, y, 0.02], [side, back, 0.02], 0.022, thin));
    shapes.push(panel([side, y, 0], [0, shelf - y, 0], [0, 0, top], mesh, false));
    shapes.push(
      panel([side, shelf, 0], [0, (back - shelf) * 0.5, 0], [0, 0, top * 0.8], mesh, false),
    );
  }
  return group([x, y + out * 0.5, top / 2], Math.hypot(width, top, 1.4) / 2 + 0.4, shapes);
}

export function ballAt(x: number, y: number, radius = 0.11, turn = 0.6, z = radius): Group {
  const at: Vec = [x, y, z];
  return { ...group(at, radius, [ball(at, radius, football(at, turn))]), hero: true };
}

/** A player far away; `stride` from -1 to 1, `turn` in radians. */
export function player(x: number, y: number, shirt: Rgb, stride: number, turn: number): Group {
  const skin = plain([0.2, 0.115, 0.075]);
  const hair = plain([0.025, 0.02, 0.016]);
  const dark = plain([0.022, 0.027, 0.028]);
  const top = plain(shirt);
  const at = (side: number, ahead: number, z: number): Vec => [
    x + side * Math.cos(turn) - ahead * Math.sin(turn),
    y + side * Math.sin(turn) + ahead * Math.cos(turn),
    z,
  ];
  const shapes: Shape[] = [
    ball(at(0, 0.15, 1.66), 0.095, skin),
    ball(at(0, 0.125, 1.7), 0.098, hair),
    bar(at(0, 0.08, 1.42), at(0, 0.13, 1.62), 0.055, skin),
    bar(at(0, 0, 0.95), at(0, 0.09, 1.36), 0.148, top),
    ball(at(0, 0.09, 1.34), 0.152, top),
    ball(at(0, 0, 0.95), 0.15, dark),
    bar(at(-0.17, 0.09, 1.42), at(0.17, 0.09, 1.42), 0.075, top),
  ];
  for (const side of [-1, 1]) {
    const swing = stride * side;
    const hip = at(side * 0.09, 0, 0.92);
    const knee = at(side * 0.11, 0.26 * swing + 0.08, 0.52);
    const foot = at(side * 0.11, 0.4 * swing - (swing < 0 ? 0.2 : 0), swing < 0 ? 0.2 : 0.06);
    const shoulder = at(side * 0.18, 0.09, 1.42);
    const elbow = at(side * 0.26, 0.04 - swing * 0.2, 1.19);
    const hand = at(side * 0.21, 0.22 - swing * 0.3, 1.08);
    shapes.push(bar(hip, knee, 0.09, dark), bar(knee, foot, 0.052, dark));
    shapes.push(bar(shoulder, elbow, 0.056, top), bar(elbow, hand, 0.038, skin));
    shapes.push(ball(knee, 0.066, skin), ball(foot, 0.066, plain(shirt)));
    shapes.push(ball(shoulder, 0.075, top), ball(elbow, 0.045, top), ball(hand, 0.042, skin));
  }
  return group([x, y, 0.9], [0.75, 0.75, 0.95], shapes);
}

/** A low bench along x, with a bottle-sized gap to nothing: seat, back and legs. */
export function bench(x: number, y: number, length: number, seat: Rgb): Group {
  const wood = plain(seat, { mirror: 0.03, rough: 0.05 });
  const steel = plain([0.12, 0.13, 0.13]);
  const shapes = [
    block([x, y, 0.42], [x + length, y + 0.13, 0.46], wood),
    block([x, y + 0.16, 0.42], [x + length, y + 0.29, 0.46], wood),
  ];
  for (let leg = 0.25; leg < length; leg += 1.1) {
    shapes.push(block([x + leg, y + 0.03, 0], [x + leg + 0.06, y + 0.26, 0.42], steel));
  }
  return group([x + length / 2, y + 0.15, 0.3], length / 2 + 0.4, shapes);
}

/** A floodlight mast: pole and a tilted head of lamps at the top. */
export function mast(x: number, y: number, height: number, towards: Vec, glow: Rgb): Group {
  // Nearly black: the lamps are so close to their pole that it would glitter.
  const steel = plain([0.008, 0.009, 0.009]);
  const flat = Math.hypot(towards[0] - x, towards[1] - y) || 1;
  const fx = (towards[0] - x) / flat;
  const fy = (towards[1] - y) / flat;
  const shapes: Shape[] = [bar([x, y, 0], [x, y, height], 0.09, steel, false)];
  shapes.push(
    bar(
      [x - fy * 1.2, y + fx * 1.2, height],
      [x + fy * 1.2, y - fx * 1.2, height],
      0.06,
      steel,
      false,
    ),
  );
  for (const n of [-1.5, -0.5, 0.5, 1.5]) {
    const cx = x - fy * n * 0.62 + fx * 0.1 - fy * -0.24;
    const cy = y + fx * n * 0.62 + fy * 0.1 + fx * -0.24;
    const edge: Vec = [-fy * 0.48, fx * 0.48, 0];
    const rise: Vec = [fx * 0.14, fy * 0.14, 0.34];
    shapes.push(panel([cx, cy, height - 0.3], edge, rise, shining(glow), false));
  }
  return group([x, y, height / 2], [1.7, 1.7, height / 2 + 0.3], shapes);
}
