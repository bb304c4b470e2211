import { createPaymentLinks } from "#app/features/wallet/stripe/payment-links.server.ts";
import { upgradeDatabase } from "#app/platform/upgrade/upgrade.server.ts";
import { storeDefaultPacks } from "../db/defaults.ts";
import { readOptions } from "./arguments.ts";
import { say } from "./command.ts";
import { stripeCommand } from "./stripe-command.ts";

readOptions("npm run stripe:links", {});

await stripeCommand(
  async ({ db, pool, stripe, env }) => {
    // Before the first start there are neither tables nor packs.
    const { applied } = await upgradeDatabase(pool);
    if (applied.length > 0) say(`Applied ${applied.join(", ")}`);
    await storeDefaultPacks(db, env);
    let isGood = true;
    for await (const { packKey, outcome, link } of createPaymentLinks({ db, stripe, ...env })) {
      say(`${packKey}: ${outcome} ${link}`);
      if (outcome !== "rejected") continue;
      isGood = false;
      say(`  that is not below ${env.paymentLinkPrefix}; set PAYMENT_LINK_PREFIX and run it again`);
    }
    return isGood;
  },
  { mayCreate: true },
);
