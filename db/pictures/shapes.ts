import { cross, dot, minus, unit, type Ray, type Vec } from "./projection.ts";

export type Rgb = readonly [number, number, number];

/** Where a line of sight met a shape. `u`, `v` are metres along a panel. */
export type Hit = {
  x: number;
  y: number;
  z: number;
  nx: number;
  ny: number;
  nz: number;
  u: number;
  v: number;
  /** Width of one picture unit there, in metres, and its length along the view. */
  footprint: number;
  stretch: number;
  ray: Ray;
};

/** Linear light, not screen values. `glow` shines by itself; `mirror` is reflectance head on. */
export type Surface = {
  colour: Rgb;
  alpha?: number;
  glow?: Rgb;
  mirror?: number;
  rough?: number;
  /** Share of light that passes through from behind: nets, leaves, cloth. */
  through?: number;
};

export type Paint = (hit: Hit) => Surface;

export type Shape = {
  /** Distance along the ray beyond `from`, or Infinity. */
  meet(ray: Ray, from: number): number;
  /** Fills the normal (and `u`, `v`) for a met point. */
  face(hit: Hit): void;
  paint: Paint;
  shadow: boolean;
};

/** Shapes that share a bounding box, so that most rays skip them all at once. */
export type Group = { low: Vec; high: Vec; shapes: Shape[]; casts: boolean; hero?: boolean };

/** `reach` is how far the box goes from its centre: to all sides, or along x, y and z. */
export function group(centre: Vec, reach: number | Vec, shapes: Shape[]): Group {
  const [x, y, z] = typeof reach === "number" ? ([reach, reach, reach] as const) : reach;
  return {
    low: [centre[0] - x, centre[1] - y, centre[2] - z],
    high: [centre[0] + x, centre[1] + y, centre[2] + z],
    shapes,
    casts: shapes.some((shape) => shape.shadow),
  };
}

export function everywhere(...shapes: Shape[]): Group {
  return group([0, 0, 0], Infinity, shapes);
}

/** A flat parallelogram from `corner` along two edges at right angles, in metres. */
export function panel(corner: Vec, edgeU: Vec, edgeV: Vec, paint: Paint, shadow = true): Shape {
  const normal = unit(cross(edgeU, edgeV));
  const u = unit(edgeU);
  const v = unit(edgeV);
  const width = Math.hypot(...edgeU);
  const height = Math.hypot(...edgeV);
  const offset = dot(corner, normal);
  const u0 = dot(corner, u);
  const v0 = dot(corner, v);
  return {
    paint,
    shadow,
    meet(ray, from) {
      const slope = ray.dx * normal[0] + ray.dy * normal[1] + ray.dz * normal[2];
      if (slope === 0) return Infinity;
      const t = (offset - ray.ox * normal[0] - ray.oy * normal[1] - ray.oz * normal[2]) / slope;
      if (!(t > from)) return Infinity;
      const x = ray.ox + ray.dx * t;
      const y = ray.oy + ray.dy * t;
      const z = ray.oz + ray.dz * t;
      const a = x * u[0] + y * u[1] + z * u[2] - u0;
      if (a < 0 || a > width) return Infinity;
      const b = x * v[0] + y * v[1] + z * v[2] - v0;
      return b < 0 || b > height ? Infinity : t;
    },
    face(hit) {
      [hit.nx, hit.ny, hit.nz] = normal;
      hit.u = hit.x * u[0] + hit.y * u[1] + hit.z * u[2] - u0;
      hit.v = hit.x * v[0] + hit.y * v[1] + hit.z * v[2] - v0;
    },
  };
}

export function ball(centre: Vec, radius: number, paint: Paint): Shape {
  return {
    paint,
    shadow: true,
    meet(ray, from) {
      const x = ray.ox - centre[0];
      const y = ray.oy - centre[1];
      const z = ray.oz - centre[2];
      const b = x * ray.dx + y * ray.dy + z * ray.dz;
      const root = b * b - (x * x + y * y + z * z - radius * radius);
      if (root < 0) return Infinity;
      const reach = Math.sqrt(root);
      if (-b - reach > from) return -b - reach;
      return -b + reach > from ? -b + reach : Infinity;
    },
    face(hit) {
      hit.nx = (hit.x - centre[0]) / radius;
      hit.ny = (hit.y - centre[1]) / radius;
      hit.nz = (hit.z - centre[2]) / radius;
    },
  };
}

/** A round bar from `a` to `b`, tapering, with open ends. */
export function bar(a: Vec, b: Vec, radius: number, paint: Paint, shadow = true): Shape {
  const axis = unit(minus(b, a));
  const length = Math.hypot(...minus(b, a));
  function along(x: number, y: number, z: number): number {
    return (x - a[0]) * axis[0] + (y - a[1]) * axis[1] + (z - a[2]) * axis[2];
  }
  return {
    paint,
    shadow,
    meet(ray, from) {
      const start = along(ray.ox, ray.oy, ray.oz);
      const slope = ray.dx * axis[0] + ray.dy * axis[1] + ray.dz * axis[2];
      const px = ray.ox - a[0] - axis[0] * start;
      const py = ray.oy - a[1] - axis[1] * start;
      const pz = ray.oz - a[2] - axis[2] * start;
      const qx = ray.dx - axis[0] * slope;
      const qy = ray.dy - axis[1] * slope;
      const qz = ray.dz - axis[2] * slope;
      const square = qx * qx + qy * qy + qz * qz;
      const half = px * qx + py * qy + pz * qz;
      const root = half * half - square * (px * px + py * py + pz * pz - radius * radius);
      if (root < 0 || square === 0) return Infinity;
      const t = (-half - Math.sqrt(root)) / square;
      if (!(t > from)) return Infinity;
      const reached = start + slope * t;
      return reached < 0 || reached > length ? Infinity : t;
    },
    face(hit) {
      const reached = along(hit.x, hit.y, hit.z);
      hit.u = reached;
      hit.nx = (hit.x - a[0] - axis[0] * reached) / radius;
      hit.ny = (hit.y - a[1] - axis[1] * reached) / radius;
      hit.nz = (hit.z - a[2] - axis[2] * reached) / radius;
    },
  };
}

/** A box standing along the axes, between two opposite corners. */
export function block(low: Vec, high: Vec, paint: Paint): Shape {
  return {
    paint,
    shadow: true,
    meet(ray, from) {
      let near = -Infinity;
      let far = Infinity;
      for (const [o, d, lo, hi] of [
        [ray.ox, ray.dx, low[0], high[0]],
        [ray.oy, ray.dy, low[1], high[1]],
        [ray.oz, ray.dz, low[2], high[2]],
      ] as const) {
        const one = (lo - o) / d;
        const two = (hi - o) / d;
        near = Math.max(near, Math.min(one, two));
        far = Math.min(far, Math.max(one, two));
      }
      if (near > far) return Infinity;
      return near > from ? near : far > from ? far : Infinity;
    },
    face(hit) {
      const size: Vec = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
      const x = ((hit.x - low[0]) / size[0]) * 2 - 1;
      const y = ((hit.y - low[1]) / size[1]) * 2 - 1;
      const z = ((hit.z - low[2]) / size[2]) * 2 - 1;
      const wx = (1 - Math.abs(x)) * size[0];
      const wy = (1 - Math.abs(y)) * size[1];
      const wz = (1 - Math.abs(z)) * size[2];
      hit.nx = wx <= wy && wx <= wz ? Math.sign(x) : 0;
      hit.ny = hit.nx === 0 && wy <= wz ? Math.sign(y) : 0;
      hit.nz = hit.nx === 0 && hit.ny === 0 ? Math.sign(z) : 0;
      hit.u = hit.nx === 0 ? hit.x - low[0] : hit.y - low[1];
      hit.v = hit.nz === 0 ? hit.z - low[2] : hit.y - low[1];
    },
  };
}

/** The inside of an air dome: a half barrel along y, squashed to `height`, round at the ends. */
export function dome(width: number, length: number, height: number, paint: Paint): Shape {
  const a = 1 / (width / 2) ** 4;
  const b = 1 / (length / 2) ** 4;
  const c = 1 / height ** 2;
  const value = (x: number, y: number, z: number) => a * x ** 4 + b * y ** 4 + c * z * z - 1;
  return {
    paint,
    shadow: false,
    meet(ray, from) {
      // From the inside the value grows along the ray, so that halving the step finds the wall.
      let low = from;
      let high = width + length;
      const at = (t: number) =>
        value(ray.ox + ray.dx * t, ray.oy + ray.dy * t, ray.oz + ray.dz * t);
      if (at(low) > 0) return Infinity;
      for (let step = 0; step < 28; step += 1) {
        const middle = (low + high) / 2;
        if (at(middle) < 0) low = middle;
        else high = middle;
      }
      return (low + high) / 2;
    },
    face(hit) {
      const [x, y, z] = unit([-4 * a * hit.x ** 3, -4 * b * hit.y ** 3, -2 * c * hit.z]);
      hit.nx = x;
      hit.ny = y;
      hit.nz = z;
    },
  };
}
