import { randomUUID } from "node:crypto";
import { data } from "react-router";
import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { CANCELLATION_POLICY } from "#app/features/bookings/rules.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { listActivePacks, type Pack } from "#app/features/wallet/packs.server.ts";
import { hasMonthlyPlan } from "#app/features/wallet/subscriptions.server.ts";
import { log } from "#app/platform/log.server.ts";
import { creditsCount, creditsText, euros, numericFromCents } from "#app/platform/money.ts";
import { type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";
import type { App } from "#app/routes/context.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { PACKS_FAILED } from "#app/forms/messages.ts";
import { safeRedirectTo } from "#app/routes/safe-redirect.ts";

/** What the plan dialog offers. */
export interface PlanOffer {
  /** Another one for each time that it is opened. */
  id: string;
  packs: PackView[];
  /** The pack that is chosen at first; null where none is on sale. */
  chosenId: string | null;
  need: string | null;
  debt: string | null;
  hasMonthlyPlan: boolean;
  policy: readonly string[];
  returnTo: string;
}
export type Plans = PlanOffer | { failure: FormResult };

interface Opening {
  /** Where the player goes on after paying, a path of our own. */
  returnTo: string;
  /** What the player wants to pay for with credits. */
  priceCents?: number | undefined;
}

type Buyer = Pick<Viewer, "userId" | "balanceCents" | "debtCents">;

/** What an action returns to open the plan dialog. */
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
      packs: packViews(packs),
      chosenId: firstChoice(packs, missingCents, hasPlan)?.id ?? null,
      need: needText(priceCents, balanceCents),
      debt: debtText(debtCents),
      hasMonthlyPlan: hasPlan,
      policy: CANCELLATION_POLICY,
      returnTo,
    };
  } catch (error) {
    log.error({ err: error }, "loading credit packs");
    return { failure: PACKS_FAILED };
  }
}

/** The result of `intent=buy-credits`, which a page posts to itself. */
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

export type PackView = ReturnType<typeof packViews>[number];

/** The packs in their order, the middle one of three or more monthly ones marked. */
export function packViews(packs: Pack[]) {
  const monthly = packs.filter((pack) => pack.isMonthly);
  const popular = monthly.length < 3 ? null : monthly[Math.floor(monthly.length / 2)];
  return packs.map((pack) => ({
    id: pack.id,
    name: pack.name,
    isMonthly: pack.isMonthly,
    isPopular: pack === popular,
    ...(pack.isMonthly ? toMonthlyView(pack) : toSingleView(pack)),
  }));
}

// Each price per game is written as in the specification: "9,99 € per game", "8.50€ per game".
function toSingleView({ priceCents, creditsCents }: Pack) {
  const perGame = euros(perGameCents(priceCents, creditsCents)).replace(".", ",");
  return {
    perGame: `${perGame} per game`,
    credits: creditsCount(creditsCents),
    total: `${euros(priceCents)}, incl. VAT`,
    renewal: "You pay once. Nothing renews, and these credits never expire.",
  };
}

function toMonthlyView({ priceCents, creditsCents }: Pack) {
  const total = `${euros(priceCents)}, incl. VAT`;
  return {
    perGame: `${numericFromCents(perGameCents(priceCents, creditsCents))}€ per game`,
    credits: `${creditsCount(creditsCents)} a month`,
    total,
    renewal: `Renews every month at ${total}, until you cancel.`,
  };
}

/** To the nearest cent. */
function perGameCents(priceCents: number, creditsCents: number): number {
  return Math.round((priceCents * GAME_PRICE_CENTS) / creditsCents);
}

/** "You need 10 credits and have 4. You need 6 more." Null where nothing is missing. */
export function needText(priceCents: number, balanceCents: number): string | null {
  const missingCents = priceCents - balanceCents;
  if (missingCents <= 0) return null;
  return (
    `You need ${creditsCount(priceCents)} and have ${creditsText(balanceCents)}. ` +
    `You need ${creditsText(missingCents)} more.`
  );
}

/** What is owed before credits count again; null where nothing is. */
export function debtText(debtCents: number): string | null {
  if (debtCents <= 0) return null;
  return `${oweText(debtCents)} Your next purchase pays that first.`;
}

/** "You owe 10 credits from a refunded payment." */
export function oweText(debtCents: number): string {
  return `You owe ${creditsCount(debtCents)} from a refunded payment.`;
}

/** The Set-Cookie value that remembers for an hour where a purchase began, a path of our own. */
export function returnCookie(env: CookieEnv, path: string): Promise<string> {
  return memory(env).write(path, { maxAge: 3_600 });
}

/** Where the purchase began, or null; it stays until `clearReturn`'s cookie is set. */
export async function readReturn(env: CookieEnv, request: Request): Promise<string | null> {
  return safeRedirectTo(await memory(env).read(request));
}

/** The Set-Cookie value that removes it. */
export function clearReturn(env: CookieEnv): Promise<string> {
  return memory(env).clear();
}

const memory = (env: CookieEnv) => signedCookie(env, "return");
