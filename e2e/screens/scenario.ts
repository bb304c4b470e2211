import { randomUUID } from "node:crypto";
import { issueConfirmation, issueLink } from "#app/features/accounts/mail-links.server.ts";
import { addGame } from "../../db/insert.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { SILENT } from "../players.ts";
import { wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { NewGame } from "#app/platform/schema.ts";
import { findGames, type GameIds } from "../games.ts";
import { type FriendIds, stageFriends } from "./friends.ts";
import { findTitled, stageWaitlists, type WaitlistIds } from "./waitlist.ts";
import { stageWaitlistStates, type WaitlistStateIds } from "./waitlist-states.ts";
import { type ChatIds, stageChats } from "./stage-chat.ts";
import { stageTeams, type TeamIds } from "./teams.ts";
import { type Cancellations, stageCancellations } from "./cancellations.ts";
import { type PlannedGames, stagePlanning } from "./planning.ts";
import { stageTickets } from "./tickets.ts";
import { type MatchDayGames, stageMatchDay } from "./match-day.ts";
import { type MinimumGames, stageMinimums } from "./minimum.ts";
import { type MoneyGames, stageMoney } from "./money.ts";
import { stageAnnouncement, stageComingTerms } from "./stage-announcements.ts";
import { stageNoShows } from "./no-shows.ts";
import { type Receipts, stagePayments } from "./payments.ts";
import type { ScreenOf } from "./screen.ts";
import { insertPlayer } from "#app/features/players/profiles.server.ts";
import { openAccount } from "#app/features/players/sign-up.server.ts";
import { storeSignUp } from "#app/features/accounts/sign-ups.server.ts";
import { editLegalPage, findStoredPage } from "#app/features/legal/legal-pages.server.ts";
import { suspendAccount } from "#app/features/accounts/account-status.server.ts";
import { recallDebt } from "#app/features/wallet/debts.server.ts";
import { switchEmail, unsubscribeToken } from "#app/features/notifications/settings.server.ts";
import { addPack } from "#app/features/wallet/packs.server.ts";

/** What the screens are of. */
export interface Scenario
  extends
    GameIds,
    MinimumGames,
    MatchDayGames,
    WaitlistIds,
    WaitlistStateIds,
    ChatIds,
    FriendIds,
    TeamIds,
    PlannedGames,
    Cancellations,
    MoneyGames,
    Receipts {
  /** Kicks off in a few hours: too late for a refund. */
  soon: string;
  /** Kicks off within two hours, with notes and a message of the organiser's. */
  late: string;
  /** Has many spots: newcomers join it. */
  spare: string;
  past: string;
  calledOff: string;
  draft: string;
  venue: string;
  /** A player whom others look at. */
  otherId: string;
  partner: string;
  /** The local part of an email that is not confirmed. */
  unconfirmed: string;
  /** A player who is suspended. */
  suspended: string;
  /** On sale at the demo's checkout. */
  pack: string;
  /** Off sale, with a payment link at Stripe. */
  retiredPack: string;
  /** Not on sale until its payment link is made. */
  waitingPack: string;
  /** Author of the tickets. */
  writer: string;
  /** Tickets of the inbox: one that waits, one with a reply, and one to be paid back. */
  tickets: Record<"message" | "answered" | "withdrawal" | "replied", string>;
  /** The tokens of mailed links: one stays open, one is used up by a screen. */
  openToken: string;
  usedToken: string;
  confirmToken: string;
  resetToken: string;
  /** Links in emails that can be switched off: on still, and off already. */
  unsubscribe: string;
  unsubscribed: string;
}

export type Screen = ScreenOf<Scenario>;

/** An email whose password has been guessed too often. */
export const GUESSED = "guessed@uni.example";

const HOUR_MS = 3_600_000;

/** The demo data with what it lacks: payments, a shared card, links of mails, a game tonight. */
export async function stageScenario(db: Db, secret: string): Promise<Scenario> {
  const receipts = await stagePayments(db);
  await stageCard(db);
  await stageGuesses(db);
  const { id: venue } = await db
    .selectFrom("venues")
    .select("id")
    .where("name", "=", "Otaniemi Sports Hall")
    .executeTakeFirstOrThrow();
  const { id: partner } = await db
    .selectFrom("partners")
    .select("id")
    .where("name", "=", "Northline Bikes")
    .executeTakeFirstOrThrow();
  await stageFormerTerms(db, await idOf(db, "admin"));
  const soon = await stageGameIn(db, 4, { venue_id: venue });
  const late = await stageAnnouncedGame(db, venue);
  const stageGame = (hours: number, game: Partial<NewGame>) =>
    stageGameIn(db, hours, { venue_id: venue, ...game });
  const minimums = await stageMinimums(db, stageGame);
  const matchDays = await stageMatchDay(db, stageGame);
  const chats = await stageChats(db, stageGame);
  const teams = await stageTeams(db, stageGame);
  const { key: unconfirmed } = await stageSignUp(db);
  const { token: openToken } = await stageSignUp(db);
  const { token: confirmToken } = await stageSignUp(db);
  const { token: usedToken, signUp: used } = await stageSignUp(db);
  await db
    .transaction()
    .execute((tx) => openAccount(tx, used, { addressHash: "", recallDebt }, new Date()));
  const resetToken = await stageReset(db);
  const otherId = await idOf(db, "aino.virtanen");
  await stageNoShows(db, otherId, await idOf(db, "admin"));
  const unsubscribe = unsubscribeToken(secret, { userId: otherId, kind: "soon" });
  const off = { userId: otherId, kind: "game-changed" } as const;
  await switchEmail(db, off, false);
  const unsubscribed = unsubscribeToken(secret, off);
  const accountsAndPacks = await stageAccountsAndPacks(db, (await addNewcomer(db)).id);
  const writer = await addNewcomer(db);
  const tickets = await stageTickets(db, { writer: writer.id, game: soon });
  await stageAnnouncement(db, await idOf(db, "admin"));
  await stageComingTerms(db, await idOf(db, "admin"));
  return {
    ...accountsAndPacks,
    ...minimums,
    ...matchDays,
    ...chats,
    ...teams,
    writer: writer.id,
    tickets,
    ...(await findGames(db)),
    ...(await findOtherGames(db)),
    ...receipts,
    ...(await stageMoney(db, stageGame)),
    ...(await stageWaitlists(db, venue)),
    ...(await stageWaitlistStates(db, venue, (await addNewcomer(db)).id)),
    ...(await stageFriends(db, venue)),
    ...(await stagePlanning(db, stageGame)),
    ...(await stageCancellations(db, stageGame)),
    soon,
    late,
    venue,
    otherId,
    partner,
    unconfirmed,
    openToken,
    confirmToken,
    usedToken,
    resetToken,
    unsubscribe,
    unsubscribed,
  };
}

/** A new player with 30 credits; `key` is the local part of the email. */
export async function addNewcomer(db: Db) {
  const person = await aPerson(db);
  const id = await db.transaction().execute((tx) => insertPlayer(tx, person));
  const grant = { amountCents: 3_000, reason: "Welcome", actor: "command", key: randomUUID() };
  await correctBalance(db, SILENT, { ...grant, userId: id! });
  return { key: person.email.split("@")[0]!, id: id! };
}

/** The link of a waiting sign-up, and the local part of its email. */
async function stageSignUp(db: Db) {
  const person = await aPerson(db);
  const signUp = { ...person, personEmail: person.email, browserHash: null, redirectTo: null };
  const { id } = await db.transaction().execute((tx) => storeSignUp(tx, signUp, new Date()));
  const link = { signUpId: id!, mailbox: person.email };
  const issued = await db.transaction().execute((tx) => issueConfirmation(tx, link, new Date()));
  return { key: person.email.split("@")[0]!, token: issued!.token, signUp };
}

async function aPerson(db: Db) {
  const player = await idOf(db, "player");
  const account = db.selectFrom("accounts").select("password").where("user_id", "=", player);
  const { password } = await account.executeTakeFirstOrThrow();
  return {
    email: `newcomer-${randomUUID().slice(0, 8)}@uni.example`,
    firstName: "Tove",
    lastName: "Ranta",
    passwordHash: password!,
    dateOfBirth: "2002-05-14",
    schoolYear: "Master",
    major: "Physics",
    phone: null,
  };
}

/** The last guess is in the future, so that the wait is the same for every picture. */
async function stageGuesses(db: Db) {
  const last_failed_at = new Date(Date.now() + HOUR_MS);
  const guesses = { email: GUESSED, device: "", failures: 20, last_failed_at };
  await db.insertInto("sign_in_failures").values(guesses).execute();
}

async function idOf(db: Db, key: string): Promise<string> {
  const user = db.selectFrom("users").select("id").where("email", "=", `${key}@uni.example`);
  return (await user.executeTakeFirstOrThrow()).id;
}

async function stageReset(db: Db): Promise<string> {
  const { id } = await addNewcomer(db);
  const token = await db.transaction().execute((tx) => issueLink(tx, "reset", id, new Date()));
  return token!;
}

function stageGameIn(db: Db, hours: number, game: Partial<NewGame> & { venue_id: string }) {
  const { date, time } = wallClock(new Date(Date.now() + hours * HOUR_MS));
  const hour = time.slice(0, 2);
  const times = { date, start_time: `${hour}:00`, end_time: `${hour}:59` };
  const columns = { title: "Indoor futsal", max_players: 10, status: "Published" as const };
  return addGame(db, { ...columns, ...times, ...game });
}

async function stageAnnouncedGame(db: Db, venue_id: string): Promise<string> {
  const player_notes = "Bring a light and a dark shirt.\nI'm the tall one with the ball bag. Pekka";
  const game = { venue_id, title: ANNOUNCED_GAME, level: "Competitive" as const, player_notes };
  const game_id = await stageGameIn(db, 1.5, game);
  const sent = { id: randomUUID(), game_id, sent_by: await idOf(db, "admin"), sent_at: new Date() };
  const text = { subject: "We play on pitch 2", message: "Pitch 1 is flooded. See you there!" };
  await db
    .insertInto("game_messages")
    .values({ ...sent, ...text })
    .execute();
  return game_id;
}

const ANNOUNCED_GAME = "Lunch futsal";

/** Puts a newcomer into that game. */
export async function joinAnnouncedGame(db: Db, user_id: string): Promise<void> {
  const { id: game_id } = await findTitled(db, ANNOUNCED_GAME);
  const booking = { user_id, game_id, payment_status: "Paid" as const, price_eur: "0" };
  await db.insertInto("bookings").values(booking).execute();
}

async function findOtherGames(db: Db) {
  const player = await idOf(db, "player");
  const games = () => db.selectFrom("games").select("games.id");
  const past = await games()
    .innerJoin("bookings", "game_id", "games.id")
    .where("user_id", "=", player)
    .where("starts_at", "<", new Date())
    .orderBy("starts_at", "desc")
    .executeTakeFirstOrThrow();
  const spare = await games()
    .where("status", "=", "Published")
    .where("seats_taken", "in", [2, 3])
    .where("is_first_session_free", "=", false)
    .orderBy("starts_at", "desc")
    .executeTakeFirstOrThrow();
  const calledOff = await games().where("status", "=", "Cancelled").executeTakeFirstOrThrow();
  const draft = await games().where("status", "=", "Draft").executeTakeFirstOrThrow();
  return { past: past.id, spare: spare.id, calledOff: calledOff.id, draft: draft.id };
}

export const CARD_PATH = "/card/shared-for-the-screens";

/** Shares the player's card under an address that is known, for pictures of what a visitor sees. */
async function stageCard(db: Db): Promise<void> {
  const user_id = await idOf(db, "player");
  const token = CARD_PATH.split("/").at(-1)!;
  await db.insertInto("shared_cards").values({ user_id, token }).execute();
}

/** Terms that were changed and changed back: there are former texts, and the stored one is as it was. */
async function stageFormerTerms(db: Db, actor: string): Promise<void> {
  const { title, content } = (await findStoredPage(db, "terms"))!;
  const longer = `${content}\n\n14. Lost property\nWhat you leave at a venue is kept for a month.`;
  for (const text of [longer, content]) {
    const { version } = (await findStoredPage(db, "terms"))!;
    const edit = { version, input: { title, content: text }, actor, now: new Date() };
    await editLegalPage(db, { type: "terms", ...edit });
  }
}

/** A suspended player, a pack of the demo's, and a retired one that Stripe sold. */
async function stageAccountsAndPacks(db: Db, suspended: string) {
  const actor = await idOf(db, "admin");
  const reason = "Two red cards in two weeks. Talk first, then lift it.";
  await suspendAccount(db, SILENT, { userId: suspended, reason, actor }, new Date());
  const retired = randomUUID();
  await addPack(db, {
    ...{ id: retired, pack_key: "monthly_retired", pack_name: "Spring term" },
    ...{ price_eur: "120.00", total_credit_eur: "160", is_active: false },
    stripe_checkout_link: "https://buy.stripe.com/28o5kE0Xw1",
    stripe_payment_link_id: "plink_1SpringTerm",
    stripe_price_id: "price_1SpringTerm",
  });
  const waiting = randomUUID();
  await addPack(db, {
    ...{ id: waiting, pack_key: `monthly_${waiting}`, pack_name: "Autumn term" },
    ...{ price_eur: "110.00", total_credit_eur: "150", is_active: false, awaits_link: true },
  });
  const row = db.selectFrom("credit_packs").select("id").where("pack_key", "=", "monthly_4");
  const { id: pack } = await row.executeTakeFirstOrThrow();
  return { suspended, pack, retiredPack: retired, waitingPack: waiting };
}
