import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, balanceCents, ben, bookingsOf, everything } from "#test/fixtures.ts";
import { hoursLater, NOW } from "#test/fixtures.ts";
import { readPage } from "#test/html-checker.ts";
import { fillIn, formsOf } from "#test/page-forms.ts";
import { somePacks } from "#test/payments.ts";
import { textOf } from "#test/screen.tsx";
import { signIn } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { sendReminders } from "#app/features/bookings/reminders.server.ts";
import { findGameCalendar } from "#app/features/bookings/calendar.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { planOf } from "#app/features/games/plan.ts";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { cancellationWarning } from "#app/routes/admin/legal/actions.server.ts";
import { openPlans } from "#app/routes/credits/plans.server.ts";
import { storeDefaults } from "../../../db/defaults.ts";

// The rule as it could be tomorrow: nothing but this constant changes.
vi.mock("#app/features/seats/sale-terms.ts", () => ({
  SALE_TERMS: [
    { until: 48, feeCents: 0 },
    { until: 24, feeCents: 300 },
    { until: 6, feeCents: 500 },
  ],
}));

const POLICY = [
  "A paid game cancelled at least 48 hours before kick-off is refunded in full.",
  "At least 24 hours before kick-off it is refunded minus a €3.00 fee.",
  "At least 6 hours before kick-off it is refunded minus a €5.00 fee.",
  "Under 6 hours before kick-off it is non-refundable.",
  "Cancelling a free game is irreversible.",
  "If somebody takes a spot that was given back late, its price minus the last fee comes back by itself.",
];
/** Kick-off is Wednesday 16:00, so the steps end Monday 16:00, Tuesday 16:00 and Wednesday 10:00. */
const STARTS_IN = 100;
const FIRST =
  "You'll get 10 credits back until Mon 16:00, 7 until Tue 16:00, 5 until Wed 10:00, then nothing.";
const SECOND = "You'll get 7 credits back until Tue 16:00, 5 until Wed 10:00, then nothing.";
const THIRD = "You'll get 5 credits back until Wed 10:00, then nothing.";
const NOTHING =
  "Nothing comes back now. 5 credits come back if somebody takes your spot before kick-off.";
const OLD_TERMS = '[{"until":24,"feeCents":99}]';
const SECOND_MS = 1 / 3_600;

const database = useDatabase();
let now = NOW;
let app: App;
beforeAll(async () => {
  app = testApp(database, () => now);
  await somePacks(app.db);
});
afterEach(() => {
  now = NOW;
});

type Player = { id: string; cookie: string };
async function signedIn(playerId: Promise<string>): Promise<Player> {
  const id = await playerId;
  return { id, cookie: await signIn(app, id) };
}

async function openPage(path: string, { cookie }: Player) {
  const ask = await openSite(app);
  return (await ask(path, { cookie })).text();
}

async function send(html: string, path: string, player: Player, intent: string) {
  const form = formsOf(readPage(html), path).find(({ fields }) =>
    fields.some(({ name, value }) => name === "intent" && value === intent),
  );
  if (!form) throw new Error(`no form ${intent} in ${textOf(html)}`);
  const ask = await openSite(app);
  const body = new URLSearchParams(fillIn(form, {}));
  const response = await ask(path, { cookie: player.cookie, body });
  return { status: response.status, html: await response.text() };
}

/** Ada joins from the game's page. */
async function booked() {
  const gameId = await aGame(app.db, { startsIn: STARTS_IN });
  const player = await signedIn(ada(app.db));
  const path = `/events/${gameId}`;
  const joined = await send(await openPage(path, player), path, player, "join");
  expect(joined.status).toBe(302);
  const [booking] = await bookingsOf(app.db, gameId);
  return { gameId, player, bookingId: booking!.id };
}

async function takeSpot(gameId: string) {
  const join = { gameId, playerId: await ada(app.db), now };
  expect(await joinGame(app.db, app.jobs, join)).toMatchObject({ ok: true });
}

type Kind = "booking-confirmed" | "booking-cancelled" | "day-before";
async function mailOf(kind: Kind, bookingId: string, { version = "" } = {}) {
  const sent: Mail[] = [];
  const mailer = async (mail: Mail) => void sent.push(mail);
  await mailJobs({ ...app, mailer })[kind]({ bookingId, version });
  return sent[0]!.text;
}

describe("a booking that is sold under three steps", () => {
  test.each([
    ["long before", 0, FIRST, 1_000],
    ["exactly 48 hours before", STARTS_IN - 48, FIRST, 1_000],
    ["a second later", STARTS_IN - 48 + SECOND_MS, SECOND, 700],
    ["exactly 24 hours before", STARTS_IN - 24, SECOND, 700],
    ["a second after that", STARTS_IN - 24 + SECOND_MS, THIRD, 500],
    ["exactly 6 hours before", STARTS_IN - 6, THIRD, 500],
    ["a second after the last step", STARTS_IN - 6 + SECOND_MS, NOTHING, 0],
  ])("gives back %s what its dialog says", async (_, hours, words, cents) => {
    const { gameId, player, bookingId } = await booked();
    now = hoursLater(hours);
    const html = await openPage("/bookings", player);
    expect(textOf(html)).toContain(words);
    expect((await send(html, "/bookings", player, "cancel")).status).toBe(302);
    expect(await balanceCents(app.db, player.id)).toBe(9_000 + cents);
    const [booking] = await bookingsOf(app.db, gameId);
    expect(booking?.payment_status).toBe(cents > 0 ? "Refunded" : "Cancelled");
    expect(booking?.late_refund_eur).toBe(cents > 0 ? null : "5.00");
    const refund = cents > 0 ? `${cents / 100} credits are back` : NOTHING;
    expect(await mailOf("booking-cancelled", bookingId)).toContain(refund);
    expect((await checkBooks(app.db)).differences).toEqual([]);
  });

  test.each([
    ["first", 48, SECOND],
    ["second", 24, THIRD],
    ["third", 6, NOTHING],
  ])("is asked about again when the %s step ends under an open page", async (_, until, words) => {
    const { player } = await booked();
    now = hoursLater(STARTS_IN - until);
    const html = await openPage("/bookings", player);
    now = hoursLater(STARTS_IN - until + SECOND_MS);
    const before = await everything(app.db);
    const rejected = await send(html, "/bookings", player, "cancel");
    expect(rejected.status).toBe(409);
    expect(textOf(rejected.html)).toContain(words);
    expect(await everything(app.db)).toEqual(before);
    expect((await send(rejected.html, "/bookings", player, "cancel")).status).toBe(302);
  });

  test("keeps its steps, and the version before finds the last of them", async () => {
    const { gameId } = await booked();
    expect((await bookingsOf(app.db, gameId))[0]).toMatchObject({
      terms: [
        { until: 48, feeCents: 0 },
        { until: 24, feeCents: 300 },
        { until: 6, feeCents: 500 },
      ],
      ...{ refund_hours: 6, refund_fee_eur: "5.00" },
    });
  });
});

describe("three steps give way to the full price", () => {
  async function cancelsLate({ player }: Awaited<ReturnType<typeof booked>>) {
    now = hoursLater(STARTS_IN - 1);
    const html = await openPage("/bookings", player);
    expect(textOf(html)).toContain("You'll get 10 credits back.");
    expect(textOf(html)).toMatch(/Free cancellation until (Wed 16:00|Wed Nov 25, 16:00)/);
    expect((await send(html, "/bookings", player, "cancel")).status).toBe(302);
    expect(await balanceCents(app.db, player.id)).toBe(10_000);
  }

  test("once the organiser has moved the game", async () => {
    const sold = await booked();
    const { gameId } = sold;
    const game = app.db.selectFrom("games").selectAll().where("id", "=", gameId);
    const { version, ...row } = await game.executeTakeFirstOrThrow();
    const plan = { ...planOf({ ...row, version }), endTime: "17:45" };
    const edit = { gameId, actorId: sold.player.id, version, plan, withFollowing: false };
    const moved = await editGame(app.db, app.jobs, { ...edit, confirmed: true, now });
    expect(moved).toMatchObject({ ok: true });
    await cancelsLate(sold);
  });

  test("once the version before, or plain SQL, has set the two numbers alone", async () => {
    const sold = await booked();
    const waived = { refund_hours: 0, refund_fee_eur: "0.00" };
    await app.db.updateTable("bookings").set(waived).where("id", "=", sold.bookingId).execute();
    await cancelsLate(sold);
  });
});

describe("the page of a game shows who is in the terms of their own booking", () => {
  const SOLD = { refund_hours: 24, refund_fee_eur: "0.99" };
  const OLDER = [
    "A paid game cancelled at least 24 hours before kick-off is refunded in full minus a €0.99 fee.",
    "Under 24 hours before kick-off it is non-refundable.",
  ];
  const [FREE_STEP, RISEN] = [[{ until: 24, feeCents: 0 }], [{ until: 30, feeCents: 150 }]];
  test.each([
    ["sold under older terms", SOLD, OLDER],
    [
      "sold under one free step",
      { terms: JSON.stringify(FREE_STEP) },
      [
        "A paid game cancelled at least 24 hours before kick-off is refunded in full.",
        "If somebody takes a spot that was given back late, its price comes back by itself.",
      ],
    ],
    [
      "sold under a higher fee",
      { terms: JSON.stringify(RISEN) },
      [
        "A paid game cancelled at least 30 hours before kick-off is refunded in full minus a €1.50 fee.",
      ],
    ],
    ["given by the organiser", { price_eur: "0" }, ["No credits were taken for this game."]],
    ["promoted late", { free_cancel_until: hoursLater(1) }, ["Free cancellation until Sat 13:00."]],
  ])("%s", async (_, columns, sentences) => {
    const { gameId, player, bookingId } = await booked();
    await app.db.updateTable("bookings").set(columns).where("id", "=", bookingId).execute();
    const page = textOf(await openPage(`/events/${gameId}`, player));
    for (const sentence of sentences) expect(page).toContain(sentence);
    expect(page).not.toContain(POLICY[0]);
    const other = textOf(await openPage(`/events/${gameId}`, await signedIn(ben(app.db))));
    expect(other).toContain(POLICY[0]);
  });
});

test.each(["join", "wait"])(
  "a %s from a page of before the terms changed is rejected, with the new ones",
  async (intent) => {
    const gameId = await aGame(app.db, { startsIn: STARTS_IN, max_players: 1 });
    if (intent === "wait") await takeSpot(gameId);
    const player = await signedIn(ada(app.db));
    const path = `/events/${gameId}`;
    const html = await openPage(path, player);
    const older = html.replace(/(?<=cancellation=)[^&"]+/g, encodeURIComponent(OLD_TERMS));
    const before = await everything(app.db);
    const rejected = await send(older, path, player, intent);
    expect(rejected.status).toBe(409);
    const [first, second, third, last] = POLICY;
    expect(textOf(rejected.html)).toContain(
      `The cancellation policy is now: ${first} ${second} ${third} ${last} Nothing was`,
    );
    expect(await everything(app.db)).toEqual(before);
    expect((await send(rejected.html, path, player, intent)).status).toBe(302);
  },
);

test("every text that names the terms names the three steps", async () => {
  const { gameId, player, bookingId } = await booked();
  const terms =
    "Cancel by Mon 16:00 to get 10 credits back, by Tue 16:00 to get 7, by Wed 10:00 to get 5";
  expect(await mailOf("booking-confirmed", bookingId)).toContain(`${terms}.`);
  const reminded = async (hoursBefore: number) => {
    now = hoursLater(STARTS_IN - hoursBefore);
    await sendReminders(app.db, app.jobs, now);
    const sent = app.db.selectFrom("notifications_sent").select("kind");
    return (await sent.where("user_id", "=", player.id).execute()).map(({ kind }) => kind);
  };
  // Two hours ahead of the end of the first step, since what follows costs more.
  expect([await reminded(50.1), await reminded(50)]).toEqual([[], ["day-before"]]);
  const version = String(hoursLater(STARTS_IN).getTime() / 1_000);
  expect(await mailOf("day-before", bookingId, { version })).toContain(`${terms}.`);
  now = NOW;
  expect(textOf(await openPage("/bookings", player))).toContain(terms);
  const file = await findGameCalendar(app.db, app.env, { gameId, playerId: player.id, now });
  expect(file!.replaceAll(/\r\n[ \t]/g, "").replaceAll("\\,", ",")).toContain(terms);
  const newcomer = await signedIn(ben(app.db));
  const page = textOf(await openPage(`/events/${gameId}`, newcomer));
  const landing = textOf(await openPage("/", { ...newcomer, cookie: "" }));
  const onboarding = textOf(await openPage("/settings/onboarding", newcomer));
  await storeDefaults(app.db, app.env);
  const legal = textOf(await openPage("/terms", newcomer));
  for (const sentence of POLICY) {
    for (const text of [page, landing, onboarding, legal]) expect(text).toContain(sentence);
  }
  const buyer = { userId: newcomer.id, balanceCents: 0, debtCents: 0 };
  const plans = await openPlans(app, buyer, { returnTo: `/events/${gameId}` });
  const inShort =
    "Cancel at least 48 hours before kick-off and your credits come back; " +
    "at least 24 hours before, minus 3; at least 6 hours before, minus 5.";
  expect(plans).toMatchObject({ policy: { inShort, rules: POLICY } });
});

test("a legal text that lacks one of the steps is warned about", () => {
  expect(cancellationWarning("terms", POLICY.join("\n"))).toBeNull();
  expect(cancellationWarning("terms", "24 hours, 48 hours, €5.00")).toBe(
    "This text does not mention 3.00\u00a0€ and 6 hours. Players are refunded " +
      "until 48 hours before kick-off, in full; " +
      "until 24 hours before kick-off, minus a €3.00 fee; " +
      "until 6 hours before kick-off, minus a €5.00 fee.",
  );
});
