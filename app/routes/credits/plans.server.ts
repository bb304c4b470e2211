import { randomUUID } from "node:crypto";
import { data } from "react-router";
import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { CANCELLATION_POLICY } from "#app/features/bookings/rules.ts";
import { listActivePacks, type Pack } from "#app/features/wallet/packs.server.ts";
import { hasMonthlyPlan } from "#app/features/wallet/subscriptions.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { PACKS_FAILED } from "#app/forms/messages.ts";
import { debtWords, needWords, type PackWords, packWords } from "./plan-words.ts";

/** What the plan dialog offers. */
export interface PlanOffer {
  /** Another one for each time that it is opened. */
  id: string;
  packs: PackWords[];
  /** The pack that is chosen at first; null where none is on sale. */
  chosenId: string | null;
  need: string | null;
  debt: string | null;
  hasMonthlyPlan: boolean;
  policy: readonly string[];
  returnTo: string;
}

export type Plans = PlanOffer | { failure: { title: string; description: string } };

interface Opening {
  /** Where the player is led on to after paying, a path of our own. */
  returnTo: string;
  /** What the player wants to pay for with credits. */
  priceCents?: number | undefined;
}

type Buyer = Pick<Viewer, "userId" | "balanceCents" | "debtCents">;

/** What an action answers with to open the plan dialog; a failed load is an answer as well. */
export async function openPlans(
  { db }: Pick<App, "db">,
  { userId, balanceCents, debtCents }: Buyer,
  { returnTo, priceCents = 0 }: Opening,
): Promise<Plans> {
  try {
    const [packs, hasPlan] = await Promise.all([listActivePacks(db), hasMonthlyPlan(db, userId)]);
    const missingCents = Math.max(0, priceCents - balanceCents) + debtCents;
    return {
      id: randomUUID(),
      packs: packWords(packs),
      chosenId: firstChoice(packs, missingCents, hasPlan)?.id ?? null,
      need: needWords(priceCents, balanceCents),
      debt: debtWords(debtCents),
      hasMonthlyPlan: hasPlan,
      policy: CANCELLATION_POLICY,
      returnTo,
    };
  } catch (error) {
    log.error({ err: error }, "loading credit packs");
    return { failure: PACKS_FAILED };
  }
}

/** The answer to `intent=buy-credits`, which a page posts to itself. */
export async function answerBuyCredits(app: Pick<App, "db">, buyer: Buyer, returnTo: string) {
  const plans = await openPlans(app, buyer, { returnTo });
  return data({ plans }, "failure" in plans ? 500 : 200);
}

/** The cheapest that covers what is missing; no second month for somebody who pays for one. */
function firstChoice(packs: Pack[], missingCents: number, hasPlan: boolean): Pack | undefined {
  const single = packs.find((pack) => !pack.isMonthly);
  if (single && (hasPlan || single.creditsCents >= missingCents)) return single;
  return packs.find((pack) => pack.creditsCents >= missingCents) ?? packs.at(-1);
}
