import {
  listPaymentsUnderWay,
  type PaymentUnderWay,
} from "#app/features/wallet/pending-payments.server.ts";
import { dayAndTime, helsinkiDate, monthDay, timeText } from "#app/platform/clock.ts";
import type { Env } from "#app/platform/env.server.ts";
import { gamePath } from "#app/features/friends/rules.ts";
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
  const { sessionId: id, state, amountCents, since, game: itsGame } = payment;
  const game = itsGame && !isAtGame ? toGameLink(itsGame, now) : null;
  const day = monthDay(helsinkiDate(since));
  const isToday = helsinkiDate(since) === helsinkiDate(now);
  const isLong = now.getTime() - since.getTime() > LONG_DAYS * 86_400_000;
  const texts = {
    pending: {
      title: `Waiting for your bank · ${euros(amountCents)}${isToday ? "" : `, since ${day}`}`,
      text: isLong
        ? `This takes longer than usual. If the money has left your account, write to ${env.contactEmail} with the reference ${id}.`
        : itsGame
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
  return { id, tone, title, game, text };
}

type PaidFor = NonNullable<PaymentUnderWay["game"]>;

const toGameLink = ({ id, friendToken, venueName, startsAt }: PaidFor, now: Date) => ({
  path: gamePath(id, friendToken),
  name: `${venueName}, ${dayAndTime(new Date(startsAt), now)}`,
});

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
  const until = heldUntil && timeText(heldUntil, now);
  return heldUntil && heldUntil > now
    ? `Not in yet. If the money comes by ${until}, you are in.\n${IF_LATER}`
    : `Not in yet${until ? `: your spot was held until ${until}` : ""}.\n${IF_FREE_THEN}`;
}

const IF_LATER = "If it comes later and no spot is free, you keep the credits.";
const IF_FREE_THEN =
  "If a spot is free when the money comes, you are in. If not, you keep the credits.";

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
