import { CANCELLATION_POLICY } from "#app/features/seats/rules.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { storeDefaultTexts } from "#app/features/legal/legal-pages.server.ts";
import { MINIMUM_AGE } from "#app/features/players/rules.ts";
import { WITHDRAWAL_DAYS } from "#app/features/support/rules.ts";
import { addPack, ANY_AMOUNT_PACK, DEFAULT_PACKS } from "#app/features/wallet/packs.server.ts";
import { linkPacksToSandbox } from "#app/features/wallet/stripe/sandbox.server.ts";
import { REVIVED_DAYS } from "#app/features/wallet/rules.ts";
import { creditsText, euros } from "#app/platform/money.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { SANDBOX_PATH, sandboxIds } from "#app/platform/sandbox.ts";

const legalValues = ({ brandName, companyName, contactEmail, universityName }: Env) => ({
  ...{ brandName, companyName, contactEmail, universityName },
  cancellationPolicy: CANCELLATION_POLICY.map((rule) => `- ${rule}`).join("\n"),
  minimumAge: String(MINIMUM_AGE),
  creditPrice: euros(100),
  creditsPerGame: creditsText(GAME_PRICE_CENTS),
  /** How long refunded credits of an ended plan month can still be used. */
  revivedDays: String(REVIVED_DAYS),
  withdrawalDays: String(WITHDRAWAL_DAYS),
});

/** What every deployment starts with: legal texts and packs. What exists already is left as it is. */
export async function storeDefaults(db: Db, env: Env): Promise<void> {
  await storeDefaultTexts(db, legalValues(env));
  await storeDefaultPacks(db, env);
}

export async function storeDefaultPacks(db: Db, env: Pick<Env, "demo" | "appUrl">): Promise<void> {
  for (const pack of DEFAULT_PACKS) {
    const sale = env.demo ? sandboxIds(pack.pack_key) : { is_active: false, awaits_link: true };
    await addPack(db, { ...pack, ...sale });
  }
  // It is sold by its link alone, which an organiser who stops that takes away for good.
  const { pack_key } = ANY_AMOUNT_PACK;
  const stripe_checkout_link = env.appUrl + SANDBOX_PATH + pack_key;
  const sale = env.demo && { ...sandboxIds(pack_key), stripe_checkout_link };
  await addPack(db, { ...ANY_AMOUNT_PACK, ...sale });
  if (env.demo) await linkPacksToSandbox(db, env.appUrl);
}
