import { sql } from "kysely";
import { aDevice } from "./push-service.ts";
import { stripes } from "./pictures.ts";
import { monthlyPurchase, singlePurchase, deliverEvents } from "./payments.ts";
import { signIn } from "./visit.ts";
import { aGame, aPlayer, balanceCents, hoursLater, NOW } from "./fixtures.ts";
import { addAccount } from "./accounts.ts";
import { openFiles } from "#app/platform/files.server.ts";
import { turnOnFeed } from "#app/features/bookings/calendar-feeds.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinWaitlist } from "#app/features/waitlist/join-waitlist.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { changePicture } from "#app/features/players/pictures.server.ts";
import { PUBLIC_COLUMNS } from "#app/features/players/profiles.server.ts";
import { shareCard } from "#app/features/players/cards.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { leaveReview, sendMessage } from "#app/features/support/tickets.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import type { Seen } from "./crawler.ts";

/** What no other user may ever see, in texts that occur nowhere else. */
export const PRIVATE = {
  email: "quetzalcoatl.7137@uni.example",
  phone: "+358 40 713 7713",
  dateOfBirth: "1993-08-29",
  major: "Ornithomancy",
  subject: "About my zugzwang",
  message: "My landlord & I quarrel <often>; my knee is 'zwischenzug'.",
  comment: "Between us: I only came for the syzygy",
  reason: 'My chiropodist said: "xylophone"',
  agent: "Syrinx/7.13",
  venueNotes: "The gate code is 'abracadabra'",
  gameNotes: "Ask at the bar for the shibboleth",
  toPlayers: "Hocus pocus: we play on the roof",
} as const;
export const NAMES = ["Quillonia", "Zephyrinus", "Marigolda", "Threnodius"] as const;
const BALANCE_CENTS = 713_731;

export type MarkedPlayer = Awaited<ReturnType<typeof aMarkedPlayer>>;

/** A player with unmistakable texts who has used every feature, beside another one. */
export async function aMarkedPlayer(app: App) {
  const { userId } = await addAccount(app);
  await describe(app.db, userId);
  const other = await aPlayer(app.db, { name: NAMES[2], credits: 50 });
  await app.db
    .updateTable("profiles")
    .set({ last_name: NAMES[3] })
    .where("user_id", "=", other)
    .execute();
  await pay(app, userId);
  const games = await play(app, [userId, other]);
  const bytes = await stripes().jpeg().toBuffer();
  await changePicture({ db: app.db, files: openFiles(app.env) }, { userId, bytes, crop: null });
  const { subject, message, comment, agent } = PRIVATE;
  await sendMessage(app.db, app.jobs, { userId, subject, message }, NOW);
  await leaveReview(app.db, app.jobs, { userId, rating: 2, comment }, NOW);
  const token = await shareCard(app.db, userId);
  await turnOnFeed(app.db, userId);
  const cookie = await signIn(app, userId);
  const device = { user_agent: agent, ip_address: "203.0.113.77" };
  await app.db.updateTable("sessions").set(device).where("user_id", "=", userId).execute();
  await aDevice(app.db, userId, "https://push.example/quokka-7137-wallaby");
  await fillWallet(app.db, userId);
  const addresses = { ...games, userId, other, token, picture: await pictureOf(app.db, userId) };
  return { userId, other, cookie, games, token, addresses };
}

/** All that the database holds of a player but what other players may see; no dates, no numbers. */
export async function heldOf(db: Db, userId: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const found = new Set<string>();
  // What is in the address of a shared card is no secret.
  for (const { name } of tables.filter(({ name }) => name !== "shared_cards")) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`select to_jsonb(t) as row
      from ${sql.table(name)} t where strpos(t::text, ${userId}) > 0`.execute(db);
    for (const { row } of rows) for (const text of privateTexts(row)) found.add(text);
  }
  return [...found];
}

/** Gives a player another private life, and leaves alone what others may see. */
export async function changeLife(db: Db, userId: string): Promise<void> {
  const [email, phone] = ["somebody.else@uni.example", "+46 8 123 4567"];
  await db.updateTable("users").set({ email }).where("id", "=", userId).execute();
  await db
    .updateTable("profiles")
    .set({ email, phone, date_of_birth: "2004-02-11", school_year: "Bachelor" })
    .where("user_id", "=", userId)
    .execute();
  await topUp(db, { userId, amountCents: 4_321, key: `change:${userId}` });
  const words = { message: "Nothing", subject: "No", user_id: userId };
  await db.insertInto("support_messages").values(words).execute();
  await db.insertInto("reviews").values({ user_id: userId, rating: 5, comment: "Yes" }).execute();
  await db.updateTable("bookings").set({ cancel_reason: "Rain" }).execute();
  await db.updateTable("accounts").set({ password: "x" }).where("user_id", "=", userId).execute();
  await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

/** The same things as somebody might spell them: dates, the age, the balance, the number. */
export const SPELLED = [
  ...Object.entries(PRIVATE).flatMap(([field, words]) => (field === "major" ? [] : [words])),
  ...["1993-08-29", "1993/08/29", "29.08.1993", "29.8.1993", "29/08/1993", "08/29/1993"],
  ...["Aug 29", "August 29", "29 Aug", "29th of August", "19930829", "746582400"],
  ...["33 years", "age 33", '"age",33', "Age</dt><dd>33", "33-year", "33 y"],
  ...["7137.31", "7,137.31", "7137,31", "7 137,31", "7.137,31", "713731", "€7137", "7137 credits"],
  ...["7,137", "7\u00a0137", "713 games", "+358407137713", "0407137713", "040 713 7713", "7137713"],
];

async function describe(db: Db, userId: string) {
  const { email, phone, dateOfBirth, major } = PRIVATE;
  const [first_name, last_name] = NAMES;
  const name = `${first_name} ${last_name}`;
  await db.updateTable("users").set({ email, name }).where("id", "=", userId).execute();
  await db
    .updateTable("profiles")
    .set({ email, phone, major, first_name, last_name, date_of_birth: dateOfBirth })
    .set({ position: "GK", nationality: "Finland", nationality_code: "FI" })
    .where("user_id", "=", userId)
    .execute();
}

/** Bought once and by the month, so that the ids of Stripe's stand here too. */
async function pay(app: App, userId: string) {
  const monthly = monthlyPurchase(userId);
  await deliverEvents(app, [singlePurchase(userId).completed, monthly.completed, monthly.paid(0)]);
  await deliverEvents(app, monthly.created);
}

/** Games to come, over, called off, and one that was left again. */
async function play({ db, jobs }: App, players: string[]) {
  const games = {
    next: await aGame(db, { startsIn: 60 }),
    left: await aGame(db, { startsIn: 72 }),
    past: await aGame(db, { startsIn: -72 }),
    off: await aGame(db, { startsIn: 84 }),
  };
  for (const playerId of players) {
    for (const gameId of Object.values(games)) {
      const result = await joinGame(db, jobs, { gameId, playerId, now: hoursLater(-80) });
      if (!result.ok) throw new Error(`cannot join: ${result.reason}`);
      if (gameId !== games.left || playerId !== players[0]) continue;
      const { reason } = PRIVATE;
      await cancelBooking(db, jobs, { bookingId: result.bookingId, playerId, reason, now: NOW });
    }
  }
  const full = await waitForGame({ db, jobs }, players);
  await makePublishedTeams(db, games.next);
  await messagePlayers(db, players[1]!);
  await cancelGame(db, jobs, { gameId: games.off, now: NOW });
  return { ...games, full };
}

/** Two, of a player each: fewer than an organiser can make. */
async function makePublishedTeams(db: Db, game_id: string) {
  await db.insertInto("game_lineups").values({ game_id, seed: 1, published_at: NOW }).execute();
  await sql`
    insert into game_teams (game_id, number, bib)
    values (${game_id}, 1, 'Yellow'), (${game_id}, 2, 'None')`.execute(db);
  await sql`
    update bookings set team = seat.number
    from (select id, row_number() over (order by id) as number from bookings
      where game_id = ${game_id}) seat
    where bookings.id = seat.id`.execute(db);
}

/** A full game: the second player is in, the first one waits. */
async function waitForGame({ db, jobs }: Pick<App, "db" | "jobs">, players: string[]) {
  const gameId = await aGame(db, { startsIn: 96, spots: 1 });
  const joined = await joinGame(db, jobs, { gameId, playerId: players[1]!, now: NOW });
  const wait = { mode: "ask" as const, untilHours: 6 as const, formKey: crypto.randomUUID() };
  const waits = await joinWaitlist(db, jobs, { gameId, playerId: players[0]!, ...wait, now: NOW });
  if (!joined.ok || !waits.ok) throw new Error("cannot wait");
  return gameId;
}

/** What the organiser writes to the players of every game, and nobody else. */
async function messagePlayers(db: Db, sent_by: string) {
  const { venueNotes, gameNotes, toPlayers: text } = PRIVATE;
  await db.updateTable("venues").set({ player_notes: venueNotes }).execute();
  await db.updateTable("games").set({ player_notes: gameNotes }).execute();
  for (const { id: game_id } of await db.selectFrom("games").select("id").execute()) {
    const sent = { id: crypto.randomUUID(), game_id, sent_by, sent_at: NOW };
    const message = { ...sent, subject: text, message: text };
    await db.insertInto("game_messages").values(message).execute();
  }
}

async function fillWallet(db: Db, userId: string) {
  const amountCents = BALANCE_CENTS - (await balanceCents(db, userId));
  await topUp(db, { userId, amountCents, key: `marked:${userId}` });
}

async function pictureOf(db: Db, userId: string): Promise<string> {
  const profile = db.selectFrom("profiles").select("profile_picture_url as url");
  const { url } = await profile.where("user_id", "=", userId).executeTakeFirstOrThrow();
  return url!.replace("/files/", "");
}

// What a public profile shows, what a game and a card show, and ids that belong to no player.
const PUBLIC = new Set(PUBLIC_COLUMNS.map((column) => column.split(" ")[0]));
const OPEN = /^(account_id|user_id|game_id|game_venue_id|pack_id|.*name|notes)$/;
const DATE = /^\d{4}-\d\d-\d\d(T|$)/;

function privateTexts(row: Record<string, unknown>): string[] {
  return Object.entries(row).flatMap(([column, value]) => {
    if (PUBLIC.has(column) || OPEN.test(column) || (column === "id" && "email_verified" in row))
      return [];
    const texts = [value].flat().filter((text) => typeof text === "string");
    return texts.filter((text) => text.length >= 8 && !DATE.test(text) && !WORDS.has(text));
  });
}

const WORDS = new Set(["completed", "subscription", "deduction", "adjustment", "Refunded"]);
for (const word of ["credential", "Cancelled", "reversal", "message"]) WORDS.add(word);

/** Each of these texts that occurs in one of these responses, however it is encoded there. */
export function leaksIn(seen: Seen[], texts: string[]): string[] {
  const needles = texts.map((text) => ({ text, plain: plain(text), coded: base64Cores(text) }));
  const pathOf = new Map<string, string>();
  // Many responses are the same, such as redirects; each is read once.
  for (const { path, head, body } of seen) {
    const bytes = `${head}\n${body.toString("utf8")}`;
    if (!pathOf.has(bytes)) pathOf.set(bytes, path);
  }
  return [...pathOf].flatMap(([bytes, path]) => {
    const clear = plain(bytes);
    // What looks like base64 is a small part of a page, and each text has three ways to be written there.
    const maybeCoded = (bytes.match(BASE64) ?? []).join(" ");
    const isLeaked = ({ plain: words, coded }: (typeof needles)[number]) =>
      clear.includes(words) || coded.some((code) => maybeCoded.includes(code));
    return needles.filter(isLeaked).map(({ text }) => `${path}: ${text}`);
  });
}

/** Undoes escapes of HTML, JSON, JavaScript and addresses, in lower case. */
function plain(text: string): string {
  return text
    .replace(/\\?\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/&#x([0-9a-f]+);|&#(\d+);/gi, (_, hex?: string, ten?: string) =>
      String.fromCodePoint(hex ? parseInt(hex, 16) : Number(ten)),
    )
    .replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex") + "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/\\+(["'\\/])/g, "$1")
    .toLowerCase();
}

/** As long as what it makes of the shortest text that is looked for. */
const BASE64 = /[A-Za-z0-9+/]{8,}/g;

/** What base64 makes of a text inside a longer one, which may begin at any of three places. */
function base64Cores(text: string): string[] {
  const bytes = Buffer.from(text);
  if (bytes.length < 8) return [];
  return [0, 1, 2].map((skipped) => {
    const whole = bytes.subarray(skipped, bytes.length - ((bytes.length - skipped) % 3));
    return whole.toString("base64");
  });
}
