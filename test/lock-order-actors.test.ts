import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { markPaid, undoPayment } from "#app/features/roster/cash-payments.server.ts";
import { notifyDue } from "#app/features/notifications/notify.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { messagePlayers } from "#app/features/organise/message-players.server.ts";
import { excuseNoShow } from "#app/features/roster/no-shows.server.ts";
import { editProfile } from "#app/features/players/profiles.server.ts";
import { answerTicket } from "#app/features/support/tickets.server.ts";
import { markPaidBack, rejectWithdrawal } from "#app/features/support/withdraw-purchase.server.ts";
import { withdrawPurchase } from "#app/features/support/withdraw-purchase.server.ts";
import { listPurchases } from "#app/features/support/withdrawals.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { withKeyLocks } from "./disable-locks.ts";
import { useErasure } from "./erasure.ts";
import { account, expectLockOrder, game, readAsStored, ticket, wallet } from "./lock-order.ts";
import { ada, aGame, aPlayer, ben, hoursLater, NOW } from "./fixtures.ts";
import { singlePurchase, deliverEvents } from "./payments.ts";

/*
 * A row that names who wrote it locks that account by its foreign key. A deletion of the account locks
 * it first and then its games and tickets, and waits for such rows at its end: anybody who held one of
 * those and wanted the account, or the other way round, would wait in a circle.
 */
const scenario = useErasure();
readAsStored(scenario.database);
const db = () => scenario.app.db;
const jobs = () => scenario.app.jobs;
const CASH = { amountCents: 800, method: "Cash" } as const;

/** A player in a game, not paid for, and an organiser. */
async function aSeat() {
  const [gameId, playerId, actorId] = [await aGame(db()), await aPlayer(db()), await ben(db())];
  const seat = { gameId, playerId, actorId, now: NOW };
  const added = await addPlayer(db(), jobs(), seat);
  if (!added.ok) throw new Error(added.reason);
  return { ...seat, bookingId: added.bookingId, cashPaymentId: crypto.randomUUID() };
}
type Seat = Awaited<ReturnType<typeof aSeat>>;

describe("an organiser's account is locked before the game, where a row will name it:", () => {
  const message = { subject: "Gate", message: "It is gate 2." };
  test.each<[string, (seat: Seat) => Promise<() => Promise<unknown>>]>([
    ["noting cash", async (seat) => () => markPaid(db(), { ...seat, ...CASH })],
    [
      "undoing it",
      async (seat) => {
        await markPaid(db(), { ...seat, ...CASH });
        return () => undoPayment(db(), { ...seat, kind: "Mistake" });
      },
    ],
    [
      "adding a player who pays by hand",
      async ({ gameId, actorId, now }) => {
        const [playerId, payment] = [await ada(db()), { by: "cash", ...CASH } as const];
        return () => addPlayer(db(), jobs(), { gameId, playerId, actorId, payment, now });
      },
    ],
    [
      "excusing a no-show",
      async (seat) => {
        const bookings = db().updateTable("bookings").set({ attendance: "NoShow" });
        await bookings.where("id", "=", seat.bookingId).execute();
        return () => excuseNoShow(db(), { ...seat, note: "Ill" });
      },
    ],
    [
      "writing to the players",
      async (seat) => () =>
        messagePlayers(db(), jobs(), { ...seat, ...message, messageId: crypto.randomUUID() }),
    ],
    [
      "cancelling with a message",
      async ({ actorId, ...seat }) =>
        () =>
          cancelGame(db(), jobs(), { ...seat, actor: actorId, message: "Flooded." }),
    ],
  ])("%s", (_, prepare) =>
    expectLockOrder(db(), async () => {
      const seat = await aSeat();
      const act = await prepare(seat);
      const run = async () => expect(await act()).toMatchObject({ ok: true });
      return { locks: [account(seat.actorId), game(seat.gameId)], run };
    }),
  );
});

test("cancelling with a message locks its author's wallet with those of the players, by their ids", () =>
  expectLockOrder(db(), async () => {
    const { gameId, actorId, playerId } = await aSeat();
    const both = [actorId, playerId].toSorted();
    const run = async () => {
      const form = { gameId, actor: actorId, message: "Flooded.", now: NOW };
      expect(await cancelGame(db(), jobs(), form)).toMatchObject({ ok: true });
    };
    return { locks: [game(gameId), ...both.map(wallet)], run };
  }));

describe("and before the ticket:", () => {
  async function aWithdrawal() {
    const { userId } = await scenario.player();
    await deliverEvents(scenario.app, singlePurchase(userId).completed);
    const [purchase] = await listPurchases(db(), { userId, now: NOW });
    const { paymentId } = purchase!;
    await withdrawPurchase(db(), jobs(), { userId, paymentId, now: NOW });
    const tickets = db().selectFrom("support_messages").select("id").where("user_id", "=", userId);
    const { id: ticketId } = await tickets.executeTakeFirstOrThrow();
    return { ticketId, actor: await ben(db()), now: hoursLater(1) };
  }
  type Ticket = Awaited<ReturnType<typeof aWithdrawal>>;

  test.each<[string, (form: Ticket) => Promise<unknown>]>([
    [
      "answering",
      (form) =>
        answerTicket(db(), jobs(), {
          ...{ ...form, answerId: crypto.randomUUID(), answer: "Done.", seen: 0 },
        }),
    ],
    ["marking as paid back", (form) => markPaidBack(db(), form)],
    ["rejecting", (form) => rejectWithdrawal(db(), jobs(), { ...form, reason: "Too late" })],
  ])("%s", (_, act) =>
    expectLockOrder(db(), async () => {
      const form = await aWithdrawal();
      const run = async () => expect(await act(form)).toEqual({ ok: true });
      return { locks: [account(form.actor), ticket(form.ticketId)], run };
    }),
  );
});

test("who is notified of something is locked by their ids, before what is kept of it", () =>
  expectLockOrder(db(), async () => {
    const players = [await aPlayer(db()), await aPlayer(db())].toSorted();
    const notice = { subjectId: crypto.randomUUID(), version: "1" };
    const due = players.toReversed().map((userId) => ({ ...notice, userId }));
    const run = () => notifyDue(db(), jobs(), { kind: "soon", now: NOW, listDue: async () => due });
    return { locks: players.map(account), run };
  }));

test("editing a profile locks the account before it", () =>
  expectLockOrder(db(), async () => {
    const userId = await aPlayer(db());
    const name = { firstName: "Ada", lastName: "Byron", dateOfBirth: "2001-02-28" };
    const rest = { position: null, nationality: null, isDownToPlay: true, sportsInterests: [] };
    const run = () => editProfile(db(), userId, { ...name, ...rest });
    return { locks: [account(userId), wallet(userId)], run };
  }));

describe("a first join, which the chat welcomes, changes the profile twice", () => {
  /** The account is being deleted meanwhile: it is locked, and waits for the wallet. */
  async function joinDuringDeletion(deletion: Db) {
    const [who, gameId] = [await scenario.player(), await aGame(db())];
    const ends: Promise<string>[] = [];
    const toEnqueueEmail: Jobs["toEnqueueEmail"] = async (...email) => {
      const removed = scenario.remove(who, { db: deletion });
      ends.push(removed.then(() => "deleted", messageOf));
      await scenario.untilSomebodyWaits();
      return jobs().toEnqueueEmail(...email);
    };
    const join = { gameId, playerId: who.userId, now: NOW };
    const joined = joinGame(db(), { ...jobs(), toEnqueueEmail }, join);
    ends.unshift(joined.then(({ ok }) => (ok ? "joined" : "not joined"), messageOf));
    await ends[0];
    const written = db().selectFrom("chat_messages").select("kind");
    return {
      ends: await Promise.all(ends),
      welcomes: (await written.where("user_id", "=", who.userId).execute()).length,
    };
  }
  const messageOf = (error: Error) => error.message;

  test("and waits for no account", async () => {
    expect(await joinDuringDeletion(db())).toEqual({
      ends: ["joined", "a game was joined meanwhile"],
      welcomes: 1,
    });
  });

  test("and waits in a circle where a deletion locks the account for foreign keys too", async () => {
    const { ends } = await joinDuringDeletion(db().withPlugin(withKeyLocks));
    expect(ends).toContain("deadlock detected");
  });
});

// A new one is locked first by what writes it under later locks, or names the profile.
test("these columns name an account, and no others", async () => {
  const { rows } = await sql<{ column: string }>`
    select conrelid::regclass || '.' || attname as column
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = 'users'::regclass order by 1`.execute(db());
  const ofActors = ["bookings.no_show_excused_by", "cash_payments.noted_by"];
  ofActors.push("announcements.created_by", "bulk_cancellations.cancelled_by");
  ofActors.push("cash_payments.undone_by", "game_messages.sent_by", "letter_answers.answered_by");
  ofActors.push("withdrawals.paid_back_by", "withdrawals.refused_by");
  const ofItself = ["accounts", "notification_settings", "notifications_sent", "profiles"];
  ofItself.push("push_subscriptions", "second_factors", "sessions", "user_roles");
  // A deletion waits for no legal text, nor what is announced for anything that a deletion holds.
  const others = [
    "announcement_recipients.user_id",
    "coming_legal_pages.saved_by",
    "legal_page_versions.saved_by",
    "legal_pages.saved_by",
  ];
  const own = ofItself.map((table) => `${table}.user_id`);
  expect(rows.map(({ column }) => column)).toEqual([...ofActors, ...own, ...others].toSorted());
});
