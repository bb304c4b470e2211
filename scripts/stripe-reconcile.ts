import { openJobs } from "#app/jobs.server.ts";
import { reconcile } from "#app/features/wallet/stripe/reconcile.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { isLiveKey } from "#app/platform/stripe.server.ts";
import { misused, readOptions } from "./arguments.ts";
import { QUIET, say } from "./command.ts";
import { stripeCommand } from "./stripe-command.ts";

const USAGE = "npm run stripe:reconcile -- [--days N] [--quiet]   (N from 1 to 30)";
const OPTIONS = { days: { type: "string", default: "7" }, ...QUIET } as const;
const { quiet, days: typed } = readOptions(USAGE, { options: OPTIONS }).values;
const days = readDays(typed);

await stripeCommand(async ({ db, pool, stripe, env }) => {
  const isLive = isLiveKey(env.stripeSecretKey);
  const jobs = await openJobs(pool, "of no job with a token");
  const sides = { stripe, db, jobs, days, isLive, now: new Date() };
  const found = await reconcile(sides).finally(() => jobs.stop());
  for (const line of found.differences) say(line);
  if (quiet && found.differences.length === 0) return;
  const totals = (["stripe", "here"] as const).map(
    (side) => `${side} ${found[side].payments} of ${numericFromCents(found[side].cents)}`,
  );
  const replayed = Object.entries(found.replayed)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`);
  say(
    `Payments of ${days} days: ${totals.join(", ")}; events replayed: ${replayed.join(", ") || "none"}; ` +
      `unmatched: ${found.unmatched}; differences: ${found.differences.length}`,
  );
  return found.differences.length === 0;
});

/** Stripe keeps events for 30 days. */
function readDays(text: string): number {
  const isGood = /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 30;
  return isGood ? Number(text) : misused(USAGE);
}
