import { parseArgs } from "node:util";
import { reconcile } from "#app/features/wallet/reconcile.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { isLiveKey } from "#app/platform/stripe.server.ts";
import { QUIET, say } from "./command.ts";
import { stripeCommand } from "./stripe-command.ts";

await stripeCommand(async ({ db, stripe, env }) => {
  const { days, isQuiet } = readFlags();
  const isLive = isLiveKey(env.stripeSecretKey);
  const found = await reconcile({ stripe, db, days, isLive, now: new Date() });
  for (const line of found.differences) say(line);
  if (isQuiet && found.differences.length === 0) return;
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
function readFlags(): { days: number; isQuiet: boolean } {
  try {
    const options = { days: { type: "string", default: "7" }, ...QUIET } as const;
    const { days, quiet } = parseArgs({ options }).values;
    const isGood = /^\d{1,2}$/.test(days) && Number(days) >= 1 && Number(days) <= 30;
    if (isGood) return { days: Number(days), isQuiet: quiet };
  } catch {
    // The usage says what is allowed.
  }
  throw new Error("Usage: npm run stripe:reconcile -- [--days N] [--quiet]   (N from 1 to 30)");
}
