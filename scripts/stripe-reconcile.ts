import { reconcile } from "#app/features/wallet/reconcile.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { isLiveKey } from "#app/platform/stripe.server.ts";
import { say } from "./command.ts";
import { stripeCommand } from "./stripe-command.ts";

await stripeCommand(async ({ db, stripe, env }) => {
  const days = readDays(process.argv.slice(2));
  const isLive = isLiveKey(env.stripeSecretKey);
  const found = await reconcile({ stripe, db, days, isLive, now: new Date() });
  for (const line of found.differences) say(line);
  const sides = (["stripe", "here"] as const).map(
    (side) => `${side} ${found[side].payments} of ${numericFromCents(found[side].cents)}`,
  );
  const replayed = Object.entries(found.replayed)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`);
  say(
    `Payments of ${days} days: ${sides.join(", ")}; events replayed: ${replayed.join(", ") || "none"}; ` +
      `unmatched: ${found.unmatched}; differences: ${found.differences.length}`,
  );
  return found.differences.length === 0;
});

/** Stripe keeps events for 30 days. */
function readDays([flag, days = "", ...rest]: string[]): number {
  if (flag === undefined) return 7;
  const isGood = /^\d{1,2}$/.test(days) && Number(days) >= 1 && Number(days) <= 30;
  if (flag !== "--days" || !isGood || rest.length > 0) {
    throw new Error("Usage: npm run stripe:reconcile -- [--days N]   (N from 1 to 30)");
  }
  return Number(days);
}
