import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { paidJoinJobs, sweepPaidHolds } from "#app/features/bookings/join-paid.server.ts";
import {
  promotionJobs,
  sweepHolds,
  sweepWaitlists,
} from "#app/features/waitlist/promote-waiting.server.ts";
import { openJobs } from "#app/jobs.server.ts";
import { openDatabase } from "#app/platform/db.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import { TEST_SECRET } from "./db.ts";
import { type Clock, nowOf } from "./soak-clock.ts";

// A process of its own that books what is paid and passes spots on, so that it can be killed:
// node test/payment-worker.ts CONNECTION CLOCK.
const [, , connection = "", clock = ""] = process.argv;
const SWEEP_MS = 100;
const { db, pool } = openDatabase(JSON.parse(connection) as pg.ClientConfig);
const jobs = await openJobs(pool, TEST_SECRET);
const now = () => nowOf(JSON.parse(clock) as Clock);
const tools = { db, jobs, now };
await jobs.work({ ...paidJoinJobs(tools), ...promotionJobs(tools) } as JobHandlers);
for (;;) {
  await sweepPaidHolds(db, jobs, now());
  await sweepHolds(db, jobs, now());
  await sweepWaitlists(db, jobs, now());
  process.stdout.write("swept\n");
  await delay(SWEEP_MS);
}
