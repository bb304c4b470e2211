import type { JobResult, JobWithMetadata, PgBoss } from "pg-boss";

export type Job = JobWithMetadata<object>;

/** Jobs that end together are stored together, most batches in one statement. */
const STORE_MS = 250;

// pg-boss stores a batch once all of it has ended. A process that dies, or stops, while one email
// waits for a slow server would send the others again, so those are stored meanwhile.
export async function workOnBatch(
  boss: PgBoss,
  batch: Job[],
  work: (job: Job) => Promise<JobResult>,
): Promise<JobResult[]> {
  const completed: Job[] = [];
  const store = setInterval(() => {
    const jobs = completed.splice(0);
    if (jobs.length === 0) return;
    // Jobs that fail to be stored are stored with the batch.
    boss.complete(jobs[0]!.name, jobs).catch((error: Error) => boss.emit("error", error));
  }, STORE_MS);
  const workOnOne = async (job: Job) => {
    const result = await work(job);
    if (result.status === "completed") completed.push(job);
    return result;
  };
  try {
    return await Promise.all(batch.map(workOnOne));
  } finally {
    clearInterval(store);
  }
}
