/** A clock that several processes share, on which hours pass in seconds. */
export interface Clock {
  /** Milliseconds of both clocks when it began. */
  from: number;
  startedAt: number;
  speed: number;
}

export const nowOf = ({ from, startedAt, speed }: Clock) =>
  new Date(from + (Date.now() - startedAt) * speed);
