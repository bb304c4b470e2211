export type Vec = readonly [number, number, number];
export type Ray = { ox: number; oy: number; oz: number; dx: number; dy: number; dz: number };
export type Spot = { x: number; y: number; distance: number };

export type Camera = {
  eye: Vec;
  /** Where a point in metres (x right, y ahead, z up) falls on a 1280 × 720 picture. */
  project(point: Vec): Spot;
  /** The line of sight through a picture point. */
  ray(x: number, y: number): Ray;
  /** Angle that one picture unit covers at the centre, in radians. */
  unitAngle: number;
  /** Height of the horizon on the picture. */
  horizon: number;
};

export const WIDTH = 1280;
export const HEIGHT = 720;

/** A pinhole camera; `angle` is the horizontal field of view in degrees. */
export function createCamera(eye: Vec, target: Vec, angle: number): Camera {
  const ahead = unit(minus(target, eye));
  const right = unit(cross(ahead, [0, 0, 1]));
  const up = cross(right, ahead);
  const reach = WIDTH / 2 / Math.tan((angle * Math.PI) / 360);

  function project(point: Vec): Spot {
    const to = minus(point, eye);
    const distance = Math.max(dot(to, ahead), 0.01);
    return {
      x: WIDTH / 2 + (dot(to, right) / distance) * reach,
      y: HEIGHT / 2 - (dot(to, up) / distance) * reach,
      distance,
    };
  }

  function ray(x: number, y: number): Ray {
    const a = (x - WIDTH / 2) / reach;
    const b = (HEIGHT / 2 - y) / reach;
    const [dx, dy, dz] = unit([
      ahead[0] + right[0] * a + up[0] * b,
      ahead[1] + right[1] * a + up[1] * b,
      ahead[2] + right[2] * a + up[2] * b,
    ]);
    return { ox: eye[0], oy: eye[1], oz: eye[2], dx, dy, dz };
  }

  const horizon = HEIGHT / 2 + (ahead[2] / Math.hypot(ahead[0], ahead[1])) * reach;
  return { eye, project, ray, unitAngle: 1 / reach, horizon };
}

export function minus(a: Vec, b: Vec): Vec {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function dot(a: Vec, b: Vec): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vec, b: Vec): Vec {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function unit(a: Vec): Vec {
  const length = Math.sqrt(dot(a, a)) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}
