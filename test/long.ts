/** Whether the long form of a test runs; LONG=0 is the short one, as no LONG. */
export const isLong = process.env.LONG === "1";
