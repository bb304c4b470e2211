import { randomUUID } from "node:crypto";
import { gameIdAt } from "#app/features/accounts/rules.ts";
import { whyDeclined } from "#app/features/bookings/credits-stay.tsx";
import { findPaidOutcome, type PaidOutcome } from "#app/features/bookings/paid-outcome.server.ts";
import { holdTokenAt } from "#app/features/friends/rules.ts";
import { findActivePack } from "#app/features/wallet/packs.server.ts";
import { findFailedPurchase } from "#app/features/wallet/pending-payments.server.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { findIntention } from "#app/features/wallet/intentions.server.ts";
import {
  type Arrival,
  type ArrivalState,
  findArrival,
} from "#app/features/wallet/payments.server.ts";
import { creditsCount, creditsText, wholeCreditsCount } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";
import { toBegun } from "#app/routes/credits/begun-payment.server.ts";
import { readReturn } from "#app/routes/credits/plans.server.ts";
import { findPurchaseGame, purchasePath } from "#app/routes/credits/purchase-game.server.ts";
import { loadPaidGame, type PaidGame } from "./paid-game.server.ts";
import { isFinal } from "./use-arrival.ts";

const LOST: PaidGame["state"][] = ["full", "started", "closed"];
const LONG_SECONDS = 60;
const STOPS_AFTER_SECONDS = 600;
const HOUR_SECONDS = 3_600;

/** What has come of a payment. The wallet is read after it, so that no number is older. */
export async function findPayment(
  { db, now }: App,
  session: { userId: string; sessionId: string },
) {
  const arrival = await findArrival(db, session);
  const outcome = await findPaidOutcome(db, session);
  const intention = await findIntention(db, { ...session, now: now() });
  return { ...session, arrival, outcome, intention: intention?.isBound ? intention : null };
}

export async function loadPaidPage(
  app: App,
  request: Request,
  payment: Awaited<ReturnType<typeof findPayment>> & { balanceCents: number; debtCents: number },
) {
  const { env, now } = app;
  const { userId, sessionId, outcome, intention, balanceCents, debtCents } = payment;
  const arrival = { ...payment.arrival, balanceCents };
  const hasArrived = arrival.state === "arrived";
  const state = stateOfPayment(arrival, outcome);
  const since = readSince(request, now());
  const waited = Math.floor(now().getTime() / 1_000) - since;
  // Another device has no cookie that says where it began, or that of a later purchase.
  const returnTo = purchasePath(intention, await readReturn(env, request));
  const gameId = gameIdAt(returnTo);
  const paidGame =
    hasArrived && gameId && state !== "booking"
      ? await loadPaidGame(app, gameId, {
          ...{ userId, debtCents, holdToken: holdTokenAt(returnTo) },
          ...arrival,
        })
      : null;
  const game = hasArrived
    ? null
    : await findPurchaseGame(app, returnTo, userId, intention ?? UNKNOWN);
  const missing = paidGame?.state === "short" ? paidGame.short?.text : null;
  const isLost = outcome === null && paidGame !== null && LOST.includes(paidGame.state);
  return {
    sessionId,
    state,
    mark: isLost ? ("declined" as const) : state,
    message: messageOf(arrival, outcome, { isLost, missing }),
    isLong: arrival.state === "waiting" && waited >= LONG_SECONDS,
    again: `/wallet/paid?session_id=${sessionId}&since=${since}`,
    refreshes: !isFinal(state) && waited < STOPS_AFTER_SECONDS,
    /** Set while its player waits for the credits; then it can be joined. */
    game,
    /** The failed payment, to be made again. */
    retry: state === "failed" ? await findRetry(app, payment, game) : null,
    formKey: paidGame || game?.facts ? randomUUID() : null,
    paidGame,
    onward: hasArrived && returnTo && !gameId ? toOnward(returnTo) : null,
    contactEmail: env.contactEmail,
    isForGame: gameId !== null,
    receipt: arrival.state === "arrived" ? `/wallet/receipts/${arrival.paymentId}` : null,
    hasOutcome: outcome !== null,
  };
}

type Payer = { userId: string; sessionId: string; balanceCents: number };
type Game = Awaited<ReturnType<typeof findPurchaseGame>>;

/** Null where the game is full, or where the credits suffice by now. */
async function findRetry(app: App, { balanceCents, ...session }: Payer, game: Game) {
  if (game && (!game.facts || balanceCents >= GAME_PRICE_CENTS)) return null;
  const failed = await findFailedPurchase(app.db, session);
  const pack = failed && (await findActivePack(app.db, failed.packId));
  if (!pack) return null;
  const amountCents = pack.isAnyAmount ? failed.amountCents : null;
  return toBegun({
    ...{ pack, amountCents },
    returnTo: game?.path ?? "/wallet",
    facts: game?.facts ?? {},
  });
}

/** No event has come yet that says what the payment is for. */
const UNKNOWN = { isOpen: true, isBooked: false };

export type PaidState = ArrivalState | "booking" | "declined";

/** The payment's state, and once the credits are there that of the game that they are for. */
export function stateOfPayment({ state }: Arrival, outcome: PaidOutcome | null): PaidState {
  if (state !== "arrived" || !outcome) return state;
  return outcome.state === "booking" || outcome.state === "declined" ? outcome.state : state;
}

export type PaidPage = Awaited<ReturnType<typeof loadPaidPage>>;

/** The checkout session in the URL, or null if it is no Stripe id. */
export function readSessionId(request: Request): string | null {
  const id = new URL(request.url).searchParams.get("session_id") ?? "";
  return /^cs_[A-Za-z0-9_]{1,200}$/.test(id) ? id : null;
}

// In seconds. Without JavaScript each look is a new page, whose address carries the time. Anything
// but a time within the last hour counts as now.
export function readSince(request: Request, now: Date): number {
  const nowSeconds = Math.floor(now.getTime() / 1_000);
  const text = new URL(request.url).searchParams.get("since") ?? "";
  const since = /^\d{10}$/.test(text) ? Number(text) : nowSeconds;
  return since > nowSeconds || since < nowSeconds - HOUR_SECONDS ? nowSeconds : since;
}

type Message = { title: string; text: string };
type Arrived = Omit<Extract<Arrival, { state: "arrived" }>, "paymentId">;
type Outcome = Exclude<Arrival, { state: "arrived" }> | Arrived;

export function messageOf(
  arrival: Outcome,
  outcome: PaidOutcome | null,
  {
    isLost = false,
    missing = null,
  }: { isLost?: boolean; missing?: string | null | undefined } = {},
): Message {
  if (arrival.state !== "arrived") return MESSAGES[arrival.state];
  const added = `${creditsCount(arrival.creditsCents)} added`;
  const balance = `New balance: ${wholeCreditsCount(arrival.balanceCents)}.`;
  switch (outcome?.state) {
    case "booking":
      return { title: "Booking your spot…", text: `${added}. This takes a few seconds.` };
    case "booked":
      return {
        title: "You're in",
        text: `${outcome.isLate ? LATE : ""}${added}${spent(outcome)}. ${balance}`,
      };
    case "declined":
      return {
        title: NOT_IN,
        text: `${missing ?? whyDeclined(outcome.declinedReason)} ${balance}`,
      };
    default:
      // The game's card says why.
      if (isLost) return { title: NOT_IN, text: `${added}. ${balance}` };
      return { title: added, text: balance };
  }
}

/** Not where the player had come in by other ways. */
const spent = ({ spentCents }: PaidOutcome) =>
  spentCents === null ? "" : `, ${creditsText(spentCents)} spent on this game`;

const NOT_IN = "You are not in, and your credits stay";
const LATE = "Your spot was held no more, but another one was free. ";

const MESSAGES = {
  waiting: {
    title: "Waiting for your credits",
    text: "Your payment is on its way to us. This usually takes a few seconds.",
  },
  unconfirmed: {
    title: "Waiting for your bank",
    text: "This can take a few days. Your credits will arrive automatically.",
  },
  failed: {
    title: "Payment failed",
    text: "Your bank did not confirm it. Nothing was charged.",
  },
  unmatched: {
    title: "We have your payment",
    text: "We are matching it by hand. You don't have to do anything.",
  },
  settled: {
    title: "Settled by hand",
    text: "An organiser has looked at this payment. Your wallet shows what you have.",
  },
};

const toOnward = (path: string) => ({ to: path, label: onwardLabel(path) });

export function onwardLabel(path: string): string {
  if (path.startsWith("/bookings")) return "Go to My Games";
  return path.startsWith("/wallet") ? "See your wallet" : "Continue";
}
