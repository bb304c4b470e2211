/** Chance that a seed repeats. */
export interface Dice {
  /** A whole number, both ends included. */
  whole(from: number, to: number): number;
  chance(share: number): boolean;
  pick<T>(things: readonly T[]): T;
  shuffled<T>(things: readonly T[]): T[];
}

export function diceOf(seed: number): Dice {
  const random = seededRandom(seed);
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  return {
    whole,
    chance: (share) => random() < share,
    pick: (things) => things[whole(0, things.length - 1)]!,
    shuffled(things) {
      const left = [...things];
      return things.map(() => left.splice(whole(0, left.length - 1), 1)[0]!);
    },
  };
}

/** The same numbers from 0 to 1 for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
