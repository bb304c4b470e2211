import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, everything, hoursLater, NOW, ada } from "#test/fixtures.ts";
import { readPage } from "#test/html-checker.ts";
import { isLong } from "#test/long.ts";
import { fillIn, formsOf, shownFacts, withOtherFacts } from "#test/page-forms.ts";
import { SHOWN_IN_SCENES } from "#test/post-forms.ts";
import { somePacks } from "#test/payments.ts";
import { textOf } from "#test/screen.tsx";
import { waitlistPages } from "#test/waitlist-pages.ts";
import { openSite } from "#test/whole-site.ts";
import { holdSpot } from "#app/features/friends/holds.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let now = NOW;
let app: App;
let pages: ReturnType<typeof waitlistPages>;
beforeAll(async () => {
  app = testApp(database, () => now);
  pages = waitlistPages(app);
  await somePacks(app.db);
});
afterEach(() => {
  now = NOW;
});

type Opened = Record<"gameId" | "path" | "cookie", string>;

/** Each opens a page with the form; its player can send it. */
const FORMS: Record<string, () => Promise<Opened>> = {
  async join() {
    const gameId = await aGame(app.db, { min_players: 2 });
    const { cookie } = await pages.signedIn(ada(app.db));
    return { gameId, cookie, path: `/events/${gameId}` };
  },
  async "take-offer"() {
    const { gameId, asked } = await pages.anOffer();
    return { gameId, cookie: asked.cookie, path: `/events/${gameId}` };
  },
  async hold() {
    const gameId = await aGame(app.db);
    return { gameId, cookie: (await playerIn(gameId)).cookie, path: `/events/${gameId}` };
  },
  async wait() {
    const { gameId } = await pages.aFullGame();
    const { cookie } = await pages.signedIn(ada(app.db));
    return { gameId, cookie, path: `/events/${gameId}` };
  },
  async "change-wait"() {
    const { gameId } = await pages.aFullGame();
    const { id, cookie } = await pages.signedIn(ada(app.db));
    await pages.wait(gameId, id);
    return { gameId, cookie, path: `/events/${gameId}` };
  },
  async cancel() {
    const gameId = await aGame(app.db);
    return { gameId, cookie: (await playerIn(gameId)).cookie, path: "/bookings" };
  },
};

async function playerIn(gameId: string) {
  const player = await pages.signedIn(ada(app.db));
  const joined = await joinGame(app.db, app.jobs, { gameId, playerId: player.id, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  return { ...player, bookingId: joined.bookingId };
}

type GameEdit = (gameId: string) => Promise<unknown>;
const update = (columns: object) => (gameId: string) =>
  app.db.updateTable("games").set(columns).where("id", "=", gameId).execute();
const updateVenue = (columns: object) => async (gameId: string) => {
  const game = app.db.selectFrom("games").select("venue_id").where("id", "=", gameId);
  await app.db.updateTable("venues").set(columns).where("id", "in", game).execute();
};

const EVERYWHERE: [change: string, by: GameEdit, answer: RegExp][] = [
  ["a later kick-off", update({ start_time: "12:15" }), /has moved: now Mon, Nov 23, 12:15/],
  ["a longer game", update({ end_time: "14:00" }), /has moved: .* 12:00 – 14:00 at/],
  ["another day", update({ date: "2026-11-25" }), /has moved: now Wed, Nov 25, 12:00 – 13:30/],
  [
    "another venue of the same name",
    async (gameId) => update({ venue_id: await aVenue(app.db) })(gameId),
    /has moved: .* at Campus Hall, Otakaari 1\./,
  ],
  [
    "another address",
    updateVenue({ address: "Tie 2" }),
    /The address of Campus Hall is now Tie 2, Espoo\. Nothing was/,
  ],
  [
    "another city",
    updateVenue({ city: "Vantaa", address: null }),
    /The address of Campus Hall is now Vantaa\. Nothing was/,
  ],
];
const FREE: (typeof EVERYWHERE)[number] = [
  "another price",
  update({ is_first_session_free: true }),
  /The price is now 0: this one is free\./,
];
const MINIMUM: (typeof EVERYWHERE)[number] = [
  "another minimum",
  update({ min_players: 3 }),
  /now takes place from 3 players, decided Mon 09:00\./,
];

const PRICED = ["join", "wait", "change-wait", "take-offer"];
const ROWS = Object.keys(FORMS).flatMap((form) => {
  const others = [...(PRICED.includes(form) ? [FREE] : []), ...(form === "join" ? [MINIMUM] : [])];
  const moves = isLong || form === "join" ? EVERYWHERE : EVERYWHERE.slice(0, 1);
  return [...moves, ...others].map(([change, by, answer]) => ({ form, change, by, answer }));
});

const intentOf = (form: string) => form.split(" ")[0]!;

function formIn(html: string, { path }: Opened, form: string): [string, string][] {
  const found = formsOf(readPage(html), path).find(({ fields }) =>
    fields.some(({ name, value }) => name === "intent" && value === intentOf(form)),
  );
  if (!found) throw new Error(`no form ${form} in ${textOf(html)}`);
  return fillIn(found, { mode: "auto", until: "3" });
}

async function send(opened: Opened, form: string, fields: [string, string][]) {
  const ask = await openSite(app);
  const { gameId, cookie } = opened;
  const path = form === "cancel" ? "/bookings" : `/events/${gameId}`;
  const response = await ask(path, { cookie, body: new URLSearchParams(fields) });
  return { status: response.status, html: await response.text() };
}

const openPage = async ({ path, cookie }: Opened) => {
  const ask = await openSite(app);
  return (await ask(path, { cookie })).text();
};

describe("a form does only what its page has shown", () => {
  test.each(ROWS)("$form is rejected after $change, and asked again", async (row) => {
    const opened = await FORMS[row.form]!();
    const fields = formIn(await openPage(opened), opened, row.form);
    await row.by(opened.gameId);
    const before = await everything(app.db);
    const rejected = await send(opened, row.form, fields);
    expect(rejected.status).toBe(409);
    expect(textOf(rejected.html)).toMatch(row.answer);
    expect(await everything(app.db)).toEqual(before);
    const again = formIn(rejected.html, { ...opened, path: "/" }, intentOf(row.form));
    expect((await send(opened, row.form, again)).status).toBe(302);
  });

  test.each(["take-offer"])("%s compares each fact", async (form) => {
    const opened = await FORMS[form]!();
    const fields = formIn(await openPage(opened), opened, form);
    expect(shownFacts(fields)).toEqual(SHOWN_IN_SCENES[form]);
    for (const other of withOtherFacts(fields)) {
      expect((await send(opened, form, other)).status).toBe(409);
    }
  });

  test.each(Object.keys(FORMS))("%s is done where nothing has changed", async (form) => {
    const opened = await FORMS[form]!();
    const fields = formIn(await openPage(opened), opened, form);
    expect((await send(opened, form, fields)).status).toBe(302);
  });

  test.each(Object.keys(FORMS))(
    "%s is done where only the venue's name has changed",
    async (form) => {
      const opened = await FORMS[form]!();
      const fields = formIn(await openPage(opened), opened, form);
      await updateVenue({ name: "Töölö" })(opened.gameId);
      expect((await send(opened, form, fields)).status).toBe(302);
    },
  );

  test.each(Object.keys(FORMS))("%s without the field acts on what is true now", async (form) => {
    const opened = await FORMS[form]!();
    const fields = formIn(await openPage(opened), opened, form);
    await update({ start_time: "12:15" })(opened.gameId);
    const bare = fields.filter(([name]) => name !== "shown");
    expect((await send(opened, form, bare)).status).toBe(302);
  });
});

describe("a cancellation gives back what its dialog has promised", () => {
  const at = async (hours: number) => {
    const opened = await FORMS["cancel"]!();
    now = hoursLater(hours);
    return { opened, fields: formIn(await openPage(opened), opened, "cancel") };
  };

  test("it is asked again once the last minute of a refund is over", async () => {
    const { opened, fields } = await at(24 - 2 / 60);
    now = hoursLater(24 + 1 / 60);
    const before = await everything(app.db);
    const rejected = await send(opened, "cancel", fields);
    expect(rejected.status).toBe(409);
    const text = textOf(rejected.html);
    expect(text).toContain(
      "What comes back has changed: Nothing comes back now. 9.01 credits come",
    );
    expect(text).toContain("Nothing was cancelled");
    expect(await everything(app.db)).toEqual(before);
    const again = formIn(rejected.html, opened, "cancel");
    expect((await send(opened, "cancel", again)).status).toBe(302);
  });

  test("minutes that change nothing about it are not asked about", async () => {
    const { opened, fields } = await at(20);
    now = hoursLater(23);
    expect((await send(opened, "cancel", fields)).status).toBe(302);
  });
});

describe("what is given back is what was shown", () => {
  test("a place on the waitlist stays where a spot is held for its player by now", async () => {
    const { gameId, holder, bookingId } = await pages.aFullGame();
    const { id, cookie } = await pages.signedIn(ada(app.db));
    await pages.wait(gameId, id, "ask");
    const opened = { gameId, cookie, path: `/events/${gameId}` };
    const fields = formIn(await openPage(opened), opened, "leave-waitlist");
    const { cancelBooking } = await import("#app/features/bookings/cancel-booking.server.ts");
    const { promoteWaiting } = await import("#app/features/waitlist/promote-waiting.server.ts");
    await cancelBooking(app.db, app.jobs, { bookingId, playerId: holder.id, now });
    expect(await promoteWaiting(app.db, app.jobs, { gameId, now })).toBe(1);
    const rejected = await send(opened, "leave-waitlist", fields);
    expect(rejected.status).toBe(409);
    expect(textOf(rejected.html)).toContain("A spot is held for you now. You are still on the");
    const again = formIn(rejected.html, opened, "leave-waitlist");
    expect((await send(opened, "leave-waitlist", again)).status).toBe(302);
  });

  test("a spot that is held since is not given back by the form of an earlier one", async () => {
    const gameId = await aGame(app.db);
    const { id: playerId, cookie } = await playerIn(gameId);
    const hold = () =>
      holdSpot(app.db, app.jobs, { gameId, playerId, formKey: crypto.randomUUID(), now });
    expect(await hold()).toEqual({ ok: true });
    const opened = { gameId, cookie, path: `/events/${gameId}` };
    const fields = formIn(await openPage(opened), opened, "give-back");
    expect(shownFacts(fields)).toEqual(SHOWN_IN_SCENES["give-back"]);
    now = hoursLater(1);
    expect(await hold()).toEqual({ ok: true });
    expect((await send(opened, "give-back", fields)).status).toBe(409);
    const again = formIn(await openPage(opened), opened, "give-back");
    expect((await send(opened, "give-back", again)).status).toBe(302);
  });
});

describe("the agreement that is stored with a place is the text that was shown", () => {
  // A kick-off in six days is named by its weekday alone, one in seven with its date.
  const EVENING = new Date("2026-11-20T21:59:00Z");
  const NIGHT = new Date("2026-11-20T22:01:00Z");
  const shownOn = async (at: Date, form: string) => {
    const opened = await FORMS[form]!();
    await update({ date: "2026-11-27" })(opened.gameId);
    now = at;
    return { opened, fields: formIn(await openPage(opened), opened, form) };
  };

  test.each(["wait", "change-wait"])(
    "also two minutes later, on the next day: %s",
    async (form) => {
      const { opened, fields } = await shownOn(EVENING, form);
      now = NIGHT;
      expect((await send(opened, form, fields)).status).toBe(302);
      const [entry] = await pages.entriesOf(opened.gameId);
      expect(entry?.agreed_text).toContain("3 hours before, Fri Nov 27, 09:00.");
      const later = await shownOn(NIGHT, form);
      expect((await send(later.opened, form, later.fields)).status).toBe(302);
      const [other] = await pages.entriesOf(later.opened.gameId);
      expect(other?.agreed_text).toContain("3 hours before, Fri 09:00.");
    },
  );

  test("an agreement whose words have changed is rejected, with the new ones", async () => {
    const { opened, fields } = await shownOn(EVENING, "wait");
    const old = fields.map(([name, value]): [string, string] => [
      name,
      name === "shown" ? value.replace(/terms=[^&]*/, "terms=of-before") : value,
    ]);
    const rejected = await send(opened, "wait", old);
    expect(rejected.status).toBe(409);
    expect(textOf(rejected.html)).toContain("What you agree to reads differently now.");
    const again = formIn(rejected.html, opened, "wait");
    expect((await send(opened, "wait", again)).status).toBe(302);
  });
});
