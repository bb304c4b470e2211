import type { Db } from "#app/platform/db.server.ts";
import { pageHeaders } from "#app/routes/page-headers.ts";
import { metaOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/checkout";
import { MONTHLY_EVENTS, SINGLE_EVENTS } from "./purchase-events.ts";
import { SandboxScreen } from "./sandbox-screen.tsx";
import { monthFrom, seconds, seededEvents, stripeId } from "./stripe-objects.ts";
import { useState } from "react";
import { data, redirect, redirectDocument } from "react-router";
import { listPacks, type Pack, packFact } from "#app/features/wallet/packs.server.ts";
import { ANY_AMOUNT, readReference } from "#app/features/wallet/rules.ts";
import { helsinkiDate, monthDay } from "#app/platform/clock.ts";
import { amount } from "#app/platform/fields.ts";
import { listRunningPlans } from "#app/features/wallet/stripe/subscriptions.server.ts";
import { isKnownEvent } from "#app/features/wallet/stripe/apply-stripe-event.server.ts";
import { formAction, type Posted } from "#app/forms/form-action.server.ts";
import { changedFacts, readShown, writeShown } from "#app/platform/as-shown.ts";
import { formRows, rejected } from "#app/forms/form-rows.server.ts";
import { centsFromNumeric, creditsCount, euros, numericFromCents } from "#app/platform/money.ts";
import { GameLine } from "#app/routes/credits/game-line.tsx";
import { methodTexts } from "#app/routes/credits/plans.server.ts";
import { useRereading } from "#app/live/rereading.ts";
import { useLiveGames } from "#app/live/use-live-games.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { BankForm, NoPlayer, PayForm } from "./pay-form.tsx";
import { findPurpose, tooLittle } from "./purpose.server.ts";
import {
  isEmail,
  linkTo,
  readLink,
  readSession,
  requireSandbox,
  sendEvents,
} from "./sandbox.server.ts";

export const headers = pageHeaders;

/** Replaces Stripe's payment page in the demo; takes no money. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const app = requireSandbox(context);
  const pack = await requirePack(app.db, params.packKey);
  const { sessionId, isDeclined, ...link } = readLink(request);
  const { reference, email } = link;
  const openedAt = app.now();
  const opened = { ...readLink(request), openedAt };
  const { game, facts, missing, takes } = await findPurpose(app, request, opened, pack);
  const amountCents = link.amountCents ?? missing?.payCents ?? null;
  const bank = isDeclined ? ("declined" as const) : ("awaited" as const);
  return {
    pack: toPackView(pack),
    today: pack.isMonthly ? todayText(pack, openedAt) : null,
    methods: `Secure payment ${methodTexts(app.env.paymentMethods)[pack.isMonthly ? "monthly" : "single"]}`,
    /** To choose; as it was prefilled. */
    amount: pack.isAnyAmount ? (amountCents === null ? "" : numericFromCents(amountCents)) : null,
    missing: missing?.text ?? null,
    takes,
    isJoin: facts.spot !== "none",
    shown: writeShown({ ...packFact(pack), ...facts }),
    game,
    email,
    hasPlayer: reference !== null,
    bank: sessionId && !pack.isMonthly ? bank : null,
    // Made with the page, so that a resubmitted form is one payment.
    sessionId: sessionId ?? stripeId("cs_test"),
    opened: seconds(openedAt),
    again: linkTo(params.packKey, { ...link, sessionId: null, isDeclined: false }),
  };
}

const ONE_PLAN =
  "A subscription is already running. Change or cancel it under Manage subscription in your wallet. " +
  "Nothing was paid.";

const { leastCents, mostCents } = ANY_AMOUNT;
const range = { least: leastCents, most: mostCents };
const AMOUNT_RANGE = `Please enter an amount from ${euros(leastCents)} to ${euros(mostCents)}.`;

type Posting = Route.ActionArgs & Posted;

async function purchaseOf({ params, context }: Posting) {
  const app = requireSandbox(context);
  return { ...app, pack: await requirePack(app.db, params.packKey) };
}

const purchaseRow = formRows<Posting, Awaited<ReturnType<typeof purchaseOf>>>(purchaseOf);

export const action = formAction(
  purchaseRow({
    ...{ failed: "Payment failed", keep: ["email", "amount"] },
    run: async ({ request, context, pack, fields, ...app }) => {
      const { db, now } = app;
      const { reference, ...link } = readLink(request);
      const { intent = "", email = link.email } = fields;
      const eventsOf = (pack.isMonthly ? MONTHLY_EVENTS : SINGLE_EVENTS).get(intent);
      const isBanks = intent.startsWith("bank-");
      const sessionId = readSession(fields.sessionId) ?? (isBanks ? null : stripeId("cs_test"));
      if ((!eventsOf && intent !== "decline") || !sessionId) return rejected("not-possible");
      if (!isBanks && !isEmail(email)) return rejected("no-email");
      const typed = amount(AMOUNT_RANGE, range).safeParse(fields.amount);
      const chosenCents = isBanks ? link.amountCents : (typed.data ?? null);
      const amountCents = pack.isAnyAmount ? chosenCents : pack.priceCents;
      if (amountCents === null) return rejected("no-amount");
      const at = now();
      const openedAt = readOpened(fields.opened, at);
      const purchase = { sessionId, pack, amountCents, reference, email, openedAt, at };
      const parts = eventsOf?.(purchase) ?? [];
      const events = seededEvents(sessionId, at, parts);
      const opened = { ...link, reference, sessionId, openedAt };
      const { game, facts, missing } = await findPurpose(app, request, opened, pack);
      const shown = readShown(fields.shown);
      const changed = changedFacts(shown, { ...packFact(pack), ...facts });
      // A payment that is sent again has been made, whatever the pack costs by now.
      const isNew = !(await isKnownEvent(db, events[0]?.id));
      if (isNew && changed.includes("spot")) return { ...rejected("spot"), note: game?.note };
      if (isNew && changed.length > 0) return rejected("changed");
      if (isNew && !isBanks && missing && amountCents < missing.cents)
        return { ...rejected("too-little"), ...missing };
      if (!eventsOf) return rejected("declined");
      if (pack.isMonthly && (await hasOtherPlan(db, readReference(reference), sessionId)))
        return rejected("has-plan");
      await sendEvents(context, events);
      const isDeclined = intent === "bank-declines";
      const next = { reference, email, amountCents: chosenCents, sessionId };
      const isPaid = !isDeclined && intent !== "pay-later";
      return { isPaid, link: { ...next, isDeclined } };
    },
    errors: {
      "not-possible": ["incomplete", "This cannot be done here."],
      "no-email": ["invalid", { fieldErrors: { email: "Please enter a valid email address." } }],
      "no-amount": ["invalid", { fieldErrors: { amount: AMOUNT_RANGE } }],
      changed: (_, { pack }) =>
        `It is now ${packFact(pack)[pack.id]}. Nothing was paid: look again.`,
      spot: ({ note = "This game can't be joined any more." }) =>
        `${note} Nothing was paid: look again.`,
      "too-little": (missing) => ["invalid", { fieldErrors: { amount: tooLittle(missing) } }],
      declined: ["payment", "Your card was declined. Nothing was paid."],
      "has-plan": { title: "Already subscribed", formError: ONE_PLAN },
    },
    done: ({ isPaid, link }, { params }) =>
      isPaid
        ? redirectDocument(`/wallet/paid?session_id=${link.sessionId}`, 303)
        : redirect(linkTo(params.packKey, link), 303),
  }),
);

/** When the page was made, as Stripe says of a session; it is open for a day. */
function readOpened(text: unknown, now: Date): Date {
  const opened = typeof text === "string" && /^\d{10}$/.test(text) ? Number(text) * 1_000 : 0;
  const isPossible = opened <= now.getTime() && opened > now.getTime() - 86_400_000;
  return isPossible ? new Date(opened) : now;
}

/** Same as at Stripe, whose links can be limited to one subscription per customer. */
async function hasOtherPlan(db: Db, userId: string | null, sessionId: string): Promise<boolean> {
  const running = userId ? await listRunningPlans(db, userId) : [];
  return running.some(({ id }) => id !== stripeId("sub", sessionId));
}

/** Only packs on sale, since Stripe deactivates the other links. */
async function requirePack(db: Db, packKey: string) {
  const pack = (await listPacks(db)).find(({ key, isActive }) => key === packKey && isActive);
  if (!pack) throw data("Not found", { status: 404 });
  return pack;
}

function toPackView({ name, isMonthly, isAnyAmount, priceCents, creditsCents }: Pack) {
  if (isAnyAmount) return ANY_AMOUNT_VIEW;
  const price = euros(priceCents);
  const credits = creditsCount(creditsCents);
  return {
    ...{ name, isMonthly, price, creditsCents },
    terms: isMonthly ? "a month, incl. VAT" : "incl. VAT",
    credits: isMonthly ? `${credits} a month` : credits,
    renewal: isMonthly
      ? `Renews every month at ${price}, incl. VAT, until you cancel. Credits reset monthly.`
      : "You pay once. Nothing renews.",
  };
}

function todayText({ priceCents }: Pack, now: Date): string {
  const renewsOn = new Date(monthFrom(seconds(now)).end * 1_000);
  return `Charged today: ${euros(priceCents)}. Renews on ${monthDay(helsinkiDate(renewsOn))}.`;
}

const ANY_AMOUNT_VIEW = {
  creditsCents: 0,
  ...{ name: "Credits", isMonthly: false, price: "You choose the amount", terms: "incl. VAT" },
  credits: "as many credits as euros",
  renewal: "You pay once. Nothing renews.",
};

/** The name that the plans give it. */
const MISSING = "Just what is missing";

export const meta = metaOf({ title: "Sandbox checkout", noindex: true });

export default function SandboxCheckout({ loaderData, actionData }: Route.ComponentProps) {
  const { pack, game, bank, today } = loaderData;
  const sent = actionData?.values?.["amount"];
  const [typed, setTyped] = useState(sent ?? loaderData.amount);
  const chosen = chosenCents(typed);
  const { price, credits } =
    chosen === null ? pack : { price: euros(chosen), credits: creditsCount(chosen) };
  const taken = takenText(loaderData.takes, chosen ?? pack.creditsCents);
  // The spot may be given back in another tab, or lapse.
  const games = game ? [{ id: game.id, revision: game.revision }] : [];
  useLiveGames({ of: loaderData, games, startRereading: useRereading() });
  const back = game ? { to: game.path, label: "Back to game" } : undefined;
  const isPriced = loaderData.amount === null || chosen !== null;
  const title = `Buy ${credits}${loaderData.isJoin ? " and join" : ""}`;
  return (
    <SandboxScreen title={title} name="Sandbox checkout" back={back}>
      <div className="grid items-start gap-4 md:grid-cols-2 md:gap-6">
        {!bank && !loaderData.hasPlayer && <NoPlayer />}
        <section
          aria-label="What you pay for"
          className="grid gap-4 rounded-card bg-surface p-4 shadow-card md:p-6"
        >
          <div className="grid gap-1">
            <p className="font-semibold">{loaderData.missing ? MISSING : pack.name}</p>
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className={`font-extrabold tabular-nums ${isPriced ? "text-2xl" : "text-xl"}`}>
                {price}
              </span>{" "}
              <span className="text-muted">{pack.terms}</span>
            </p>
            {today && <p className="font-semibold tabular-nums">{today}</p>}
            {game && <p className="text-muted">{pack.renewal}</p>}
          </div>
          <div className="border-t border-line pt-4">
            {game ? (
              <GameLine game={game} need={taken} />
            ) : (
              <p className="text-muted">{pack.renewal}</p>
            )}
          </div>
        </section>
        {!bank && (
          <PayForm page={loaderData} result={actionData} price={price} onAmount={setTyped} />
        )}
        {bank === "awaited" && <BankForm page={loaderData} result={actionData} />}
        {bank === "declined" && (
          <section className="grid gap-4 rounded-card bg-surface p-4 shadow-card md:p-6">
            <Notice tone="danger" title="The bank declined">
              Nothing was paid, and no credits were given.
            </Notice>
            <ButtonLink to={loaderData.again}>Try again</ButtonLink>
          </section>
        )}
      </div>
    </SandboxScreen>
  );
}

type Takes = { priceCents: number; balanceCents: number } | null;

/** What the game leaves of the credits that are bought here; null where it is not joined by them. */
function takenText(takes: Takes, boughtCents: number): string | null {
  const leftCents = takes && takes.balanceCents + boughtCents - takes.priceCents;
  if (leftCents === null || leftCents < 0) return null;
  return `This game takes ${creditsCount(takes!.priceCents)}. Balance after: ${creditsCount(leftCents)}.`;
}

/** What of an amount can be shown as a price while it is typed. */
function chosenCents(typed: string | null): number | null {
  const euro = typed?.trim().replace(",", ".") ?? "";
  return /^\d{1,3}(\.\d{1,2})?$/.test(euro) ? centsFromNumeric(euro) : null;
}
