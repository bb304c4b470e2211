import {
  listPaymentsUnderWay,
  type PaymentUnderWay,
} from "#app/features/wallet/pending-payments.server.ts";
import { dayAndTime, helsinkiDate, monthDay, timeText } from "#app/platform/clock.ts";
import type { Env } from "#app/platform/env.server.ts";
import { euros } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";

/** After this, what a bank confirms late is more often lost than slow. */
const LONG_DAYS = 14;

type Site = Pick<Env, "contactEmail" | "paymentMethods">;

interface Where {
  env: Site;
  now: Date;
  isAtGame?: boolean;
}

/** What a payment without credits so far is waiting for, and what happens next. */
export function toUnderWayView(payment: PaymentUnderWay, { env, now, isAtGame = false }: Where) {
  const { sessionId: id, state, amountCents, since, game } = payment;
  const day = monthDay(helsinkiDate(since));
  const isToday = helsinkiDate(since) === helsinkiDate(now);
  const isLong = now.getTime() - since.getTime() > LONG_DAYS * 86_400_000;
  const texts = {
    pending: {
      title: `Waiting for your bank · ${euros(amountCents)}${isToday ? "" : `, since ${day}`}`,
      text: isLong
        ? `This takes longer than usual. If the money has left your account, write to ${env.contactEmail} with the reference ${id}.`
        : game
          ? atGameText(payment, now)
          : "This can take a few days. Your credits will arrive automatically.",
    },
    failed: {
      title: `Payment failed · ${euros(amountCents)}, ${day}`,
      text: `It was not confirmed, and nothing was charged. You can pay again by ${OR.format(env.paymentMethods.single)}.`,
    },
    unmatched: {
      title: `We have your payment · ${euros(amountCents)}, ${day}`,
      text: "We are matching it by hand. You don't have to do anything.",
    },
  };
  const { title, text } = texts[state];
  const tone = state === "failed" ? ("danger" as const) : ("info" as const);
  return { id, tone, title, text: isAtGame || !game ? text : `${forText(game, now)} ${text}` };
}

const forText = ({ venueName, startsAt }: NonNullable<PaymentUnderWay["game"]>, now: Date) =>
  `For ${venueName}, ${dayAndTime(new Date(startsAt), now)}.`;

export type UnderWayView = ReturnType<typeof toUnderWayView>;

/** What a player's payments for this game are waiting for; who has the credits joins by them. */
export async function listAtGame(
  { db, env }: Pick<App, "db" | "env">,
  payer: { userId: string; gameId: string; now: Date },
): Promise<UnderWayView[]> {
  const where = { env, now: payer.now, isAtGame: true };
  const payments = await listPaymentsUnderWay(db, payer);
  return payments.map((payment) => toUnderWayView(payment, where));
}

function atGameText({ canBook, heldUntil }: PaymentUnderWay, now: Date): string {
  if (!canBook) return "It does not book this game any more: its credits go to your wallet.";
  const books = "we book you if a spot is free, else the credits stay.";
  if (!heldUntil) return `When the money arrives ${books}`;
  const until = timeText(heldUntil, now);
  return heldUntil > now
    ? `Your spot is held until ${until}: if the money arrives by then, you are in. Later ${books}`
    : `Your spot was held until ${until}. When the money arrives ${books}`;
}

const OR = new Intl.ListFormat("en", { type: "disjunction" });
const AND = new Intl.ListFormat("en", { type: "conjunction" });

/** Before a second checkout leads away. */
export function secondPaymentTexts(payments: PaymentUnderWay[]) {
  const amounts = AND.format(payments.map(({ amountCents }) => euros(amountCents)));
  const days = [
    ...new Set(payments.map(({ since }) => monthDay(helsinkiDate(since))).toReversed()),
  ];
  const isOne = payments.length === 1;
  return {
    title: isOne
      ? `You have a payment of ${amounts} on its way`
      : `You have payments of ${amounts} on their way`,
    formError: `Since ${AND.format(days)}. ${isOne ? "Its" : "Their"} credits will arrive automatically. If you pay again now, you pay for more.`,
  };
}
