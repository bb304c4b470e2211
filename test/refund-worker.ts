import type pg from "pg";
import { refundCancelled } from "#app/features/organise/bulk-cancellations.server.ts";
import { openJobs } from "#app/jobs.server.ts";
import { openDatabase } from "#app/platform/db.server.ts";
import { TEST_SECRET } from "./db.ts";

// A process of its own that refunds the games of a cancellation, so that it can be killed:
// node test/refund-worker.ts CONNECTION CANCELLATION NOW.
const [, , connection = "", cancellationId = "", now = ""] = process.argv;
const { db, pool, close } = openDatabase(JSON.parse(connection) as pg.ClientConfig);
const jobs = await openJobs(pool, TEST_SECRET);
await refundCancelled(db, jobs, { cancellationId, now: new Date(now) });
await jobs.stop();
await close();
