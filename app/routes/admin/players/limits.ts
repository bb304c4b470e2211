/** Letters of a reason that the player reads. */
export const REASON_MAX = 200;
/** Letters of a reason that organisers read. */
export const SUSPENSION_MAX = 500;
