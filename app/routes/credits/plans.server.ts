import { randomUUID } from "node:crypto";
import { data } from "react-router";
import { gameIdAt } from "#app/features/accounts/rules.ts";
import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { CANCELLATION_IN_SHORT, CANCELLATION_POLICY } from "#app/features/seats/rules.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { listActivePacks, type Pack, packFact } from "#app/features/wallet/packs.server.ts";
import { listRunningPlans } from "#app/features/wallet/stripe/subscriptions.server.ts";
import { type Facts, writeShown } from "#app/platform/as-shown.ts";
import type { Env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { creditsCount, creditsText, euros, numericFromCents } from "#app/platform/money.ts";
import { type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";
import type { App } from "#app/routes/context.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { PACKS_FAILED } from "#app/forms/messages.ts";
import { safeRedirectTo } from "#app/routes/safe-redirect.ts";
import { type Difference, findDifference } from "./difference.server.ts";
import { findPurchaseGame, findSpotHeld, type PurchaseGame } from "./purchase-game.server.ts";
import { type SubscriptionView, toSubscriptionView } from "./subscription-view.server.ts";

export type PackOffer = ReturnType<typeof packOffer>;

export const packOffer = (packs: Pack[], game: Facts = {}) => ({
  packs: packViews(packs) as PackView[],
  shown: writeShown(Object.assign({}, ...packs.map(packFact), game)),
});

export interface PlanOffer extends PackOffer {
  id: string;
  /** What is missing, else the single pack, else null: a monthly plan is never preselected. */
  chosenId: string | null;
  game: PurchaseGame | null;
  /** Where a spot of the game can be held while it is paid for. */
  formKey: string | null;
  need: string | null;
  debt: string | null;
  /** While a plan is running no other is sold. */
  running: SubscriptionView[];
  policy: { inShort: string; rules: readonly string[] };
  methods: MethodTexts;
  returnTo: string;
}
export type Plans = PlanOffer | { failure: FormResult };

export interface FailedCheckout extends FormResult {
  subscriptionId?: string;
  offer?: PackOffer;
  /** No spot can be held: what is sent next is for no game. */
  buysCreditsAlone?: boolean;
  /** For browsers without JavaScript, which have left the dialog. */
  plans?: Plans;
  /** The keys of what the next press answers: a payment on its way, another game at that hour. */
  confirms?: string;
}

type Buyer = Pick<Viewer, "userId" | "balanceCents" | "debtCents">;

export type MethodTexts = ReturnType<typeof methodTexts>;

/** How a plan is paid for, as its button leads away; `either` where no plan is chosen yet. */
export function methodTexts({ single, monthly }: Env["paymentMethods"]) {
  const others = single.filter((method) => !monthly.includes(method));
  const by = `by ${OR.format(single)}.`;
  const isSame = single.length === monthly.length && others.length === 0;
  const only = others.length > 0 ? ` ${AND.format(others)}: for single payments only.` : "";
  return {
    single: by,
    monthly: `by ${OR.format(monthly)}.${only}`,
    either: isSame ? by : `${by} A monthly plan: by ${OR.format(monthly)}.`,
  };
}

const OR = new Intl.ListFormat("en", { type: "disjunction" });
const AND = new Intl.ListFormat("en", { type: "conjunction" });

/** Opens the plan dialog for a game of `priceCents`; after payment it leads to `returnTo`. */
export async function openPlans(
  app: Pick<App, "db" | "env" | "now">,
  { userId, balanceCents, debtCents }: Buyer,
  from: { returnTo: string; priceCents?: number | undefined },
): Promise<Plans> {
  const { db, env } = app;
  try {
    // Credits that are bought while a spot is held are for that game.
    const held = gameIdAt(from.returnTo) ? null : await findSpotHeld(db, userId, app.now());
    const returnTo = held?.path ?? from.returnTo;
    const priceCents = held ? GAME_PRICE_CENTS : (from.priceCents ?? 0);
    const [packs, running, found, difference] = await Promise.all([
      listActivePacks(db),
      listRunningPlans(db, userId),
      findPurchaseGame(app, returnTo, userId),
      findDifference(db, priceCents, { balanceCents, debtCents }),
    ]);
    const { facts = null, ...rest } = found ?? {};
    const game = found && (rest as PurchaseGame);
    const offer = packOffer(packs, facts ?? {});
    const single = packs.find(({ isMonthly }) => !isMonthly);
    const need = needText({ priceCents, balanceCents, debtCents });
    const forGame = offer.packs.map((pack, n) => ({
      ...pack,
      ...whetherEnough(packs[n]!.creditsCents >= priceCents + debtCents - balanceCents, difference),
    }));
    return {
      id: randomUUID(),
      ...offer,
      packs: difference ? [differenceView(difference, game), ...forGame] : forGame,
      formKey: facts ? randomUUID() : null,
      chosenId: difference?.packId ?? single?.id ?? null,
      game,
      need,
      debt: need ? null : debtText(debtCents),
      running: running.map(toSubscriptionView),
      policy: { inShort: CANCELLATION_IN_SHORT, rules: CANCELLATION_POLICY },
      methods: methodTexts(env.paymentMethods),
      returnTo,
    };
  } catch (error) {
    log.error({ err: error }, "loading credit packs");
    return { failure: PACKS_FAILED };
  }
}

export async function answerBuyCredits(
  app: Pick<App, "db" | "env" | "now">,
  buyer: Buyer,
  returnTo: string,
) {
  const plans = await openPlans(app, buyer, { returnTo });
  return data({ plans }, "failure" in plans ? 500 : 200);
}

/** Above the packs. */
function differenceView(difference: Difference, game: PurchaseGame | null): PackView {
  const { packId: id, amountCents, price, credits, note } = difference;
  const payLabel = game ? `Pay ${price} and join` : `Pay ${price}`;
  return {
    ...{ id, name: "Just what is missing", isMonthly: false, isPopular: false },
    ...{ perGame: price, price, total: `${price}, incl. VAT`, credits },
    ...{ renewal: PAID_ONCE, next: null },
    note: note ?? (game && WITH_LESS),
    difference: { amountCents, payLabel },
  };
}

/** A pack that does not pay for the game is no choice where one is sure to. */
const whetherEnough = (isEnough: boolean, difference: Difference | null) =>
  isEnough ? { note: null } : { note: TOO_LITTLE, isDisabled: difference !== null };

/** A debt is paid first. */
const TOO_LITTLE = "Not enough for this game.";

/** The amount can still be changed at the payment. */
const WITH_LESS = "With less you are not in.";

const PAID_ONCE = "You pay once. Nothing renews, and these credits never expire.";

export type PackView = ReturnType<typeof packViews>[number] & {
  /** Of what is missing alone, whose amount the player may still change at the payment. */
  difference?: { amountCents: number; payLabel: string };
  /** Of the game that is paid for. */
  note?: string | null;
  isDisabled?: boolean;
};

/** In order; marks the middle one of three or more monthly packs. */
export function packViews(packs: Pack[]) {
  const monthly = packs.filter((pack) => pack.isMonthly);
  const popular = monthly.length < 3 ? null : monthly[Math.floor(monthly.length / 2)];
  return packs.map((pack) => {
    const { id, name, isMonthly, priceCents, creditsCents } = pack;
    const price = euros(priceCents);
    const total = `${price}, incl. VAT`;
    const credits = creditsCount(creditsCents);
    const perGameCents = Math.round((priceCents * GAME_PRICE_CENTS) / creditsCents);
    const each = numericFromCents(perGameCents);
    // Each as the specification writes it.
    const perGame = isMonthly ? `${each}€ per game` : `${each.replace(".", ",")} € per game`;
    return {
      ...{ id, name, isMonthly, isPopular: pack === popular, price, total },
      perGame,
      credits: isMonthly ? `${credits} a month` : credits,
      renewal: isMonthly ? `Renews every month at ${total}, until you cancel.` : PAID_ONCE,
      /** Before how it is paid; null where the total says all. */
      next: isMonthly ? `Next: secure payment, ${price} a month until you cancel,` : null,
    };
  });
}

type Need = Pick<Buyer, "balanceCents" | "debtCents"> & { priceCents: number };

export function needText({ priceCents, balanceCents, debtCents }: Need): string | null {
  if (balanceCents >= priceCents) return null;
  const costs = `This game costs ${creditsCount(priceCents)}`;
  const has = `You have ${creditsText(balanceCents)}.`;
  if (debtCents <= 0) return `${costs}. ${has}`;
  const sum = `${costs} and you owe ${creditsText(debtCents)}: ${creditsCount(priceCents + debtCents)}.`;
  return balanceCents > 0 ? `${sum} ${has}` : sum;
}

export function debtText(debtCents: number): string | null {
  if (debtCents <= 0) return null;
  return `${debtSentence(debtCents)} Your next purchase pays that first.`;
}

export function debtSentence(debtCents: number): string {
  return `You owe ${creditsCount(debtCents)} from a refunded payment.`;
}

/** The cookie remembers for an hour where a purchase began. */
export function returnCookie(env: CookieEnv, path: string): Promise<string> {
  return memory(env).write(path, { maxAge: 3_600 });
}

export async function readReturn(env: CookieEnv, request: Request): Promise<string | null> {
  return safeRedirectTo(await memory(env).read(request));
}

export function clearReturn(env: CookieEnv): Promise<string> {
  return memory(env).clear();
}

const memory = (env: CookieEnv) => signedCookie(env, "return");
