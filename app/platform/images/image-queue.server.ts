import { BusyError, createTurns, type Turn } from "#app/platform/turns.server.ts";

const turns = createTurns({ atOnce: 1, maxWaitMs: 15_000, maxWaiting: 16 });

/** One at a time in this process: a large picture takes some hundred MB and both processors. */
export async function workOnPicture<T>(turn: Turn, work: () => Promise<T>): Promise<T | "busy"> {
  try {
    return await turns.run(turn, work);
  } catch (error) {
    if (error instanceof BusyError) return "busy";
    throw error;
  }
}
