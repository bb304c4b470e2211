/** A seeded random source: the same seed draws the same picture. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    return scramble(state);
  };
}

/** A fixed random number from 0 to 1 for a whole-numbered place. */
export function speck(x: number, y: number): number {
  return scramble(Math.imul(x, 374761393) + Math.imul(y, 668265263));
}

/** Smooth value noise from 0 to 1, about one feature per unit. */
export function noise(x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const a = ease(x - left);
  const b = ease(y - top);
  const upper = speck(left, top) * (1 - a) + speck(left + 1, top) * a;
  const lower = speck(left, top + 1) * (1 - a) + speck(left + 1, top + 1) * a;
  return upper * (1 - b) + lower * b;
}

/** Layered noise around 0; layers finer than `footprint` fade out instead of flickering. */
export function layers(x: number, y: number, size: number, count: number, footprint: number) {
  let sum = 0;
  let weight = 1;
  let scale = size;
  for (let layer = 0; layer < count; layer += 1) {
    const kept = Math.min(1, Math.max(0, scale / (footprint * 2) - 0.5));
    if (kept <= 0) break;
    sum += (noise(x / scale + layer * 17.3, y / scale - layer * 9.1) - 0.5) * weight * kept;
    weight *= 0.62;
    scale *= 0.46;
  }
  return sum;
}

export function smooth(from: number, to: number, value: number): number {
  return ease(Math.min(1, Math.max(0, (value - from) / (to - from))));
}

function ease(t: number): number {
  return t * t * (3 - 2 * t);
}

function scramble(value: number): number {
  let n = value | 0;
  n = Math.imul(n ^ (n >>> 15), 2246822519);
  n = Math.imul(n ^ (n >>> 13), 3266489917);
  return ((n ^ (n >>> 16)) >>> 0) / 4294967296;
}
