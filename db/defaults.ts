import { CANCELLATION_POLICY } from "#app/features/bookings/rules.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { storeDefaultTexts } from "#app/features/legal/default-texts.server.ts";
import { MINIMUM_AGE } from "#app/features/players/rules.ts";
import { WITHDRAWAL_DAYS } from "#app/features/support/rules.ts";
import { addPack, DEFAULT_PACKS } from "#app/features/wallet/packs.server.ts";
import { linkPacksToSandbox } from "#app/features/wallet/sandbox.server.ts";
import { REVIVED_DAYS } from "#app/features/wallet/rules.ts";
import { creditsText } from "#app/platform/money.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { sandboxIds } from "#app/platform/sandbox.ts";

const LEGAL_RULES = {
  cancellationPolicy: CANCELLATION_POLICY,
  minimumAge: MINIMUM_AGE,
  creditsPerGame: creditsText(GAME_PRICE_CENTS),
  revivedDays: REVIVED_DAYS,
  withdrawalDays: WITHDRAWAL_DAYS,
};

/** What every deployment starts with: legal texts and packs. What exists already is left as it is. */
export async function storeDefaults(db: Db, env: Env): Promise<void> {
  await storeDefaultTexts(db, env, LEGAL_RULES);
  for (const pack of DEFAULT_PACKS) {
    await addPack(db, env.demo ? { ...pack, ...sandboxIds(pack.pack_key) } : pack);
  }
  if (env.demo) await linkPacksToSandbox(db, env.appUrl);
}
