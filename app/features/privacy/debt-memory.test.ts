import { beforeAll, describe, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { useErasure, tracesOf } from "#test/erasure.ts";
import { singlePurchase, deliverEvents } from "#test/payments.ts";
import { aBuyer, reject, walletOf, withdraw } from "#test/withdrawals.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { aGame, hoursLater, NOW } from "#test/fixtures.ts";
import { waitingJobs } from "#test/accounts.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { insertPlayer } from "#app/features/players/profiles.server.ts";
import { CHARGEBACK_DAYS, DEBT_DAYS } from "#app/features/wallet/rules.ts";
import { purgeFormerPayers, recallDebt } from "#app/features/wallet/debts.server.ts";

const scenario = useErasure();

const join = async (playerId: string, game = {}) =>
  joinGame(scenario.app.db, scenario.app.jobs, {
    gameId: await aGame(scenario.app.db, game),
    playerId,
    now: NOW,
  });
const joinFree = (playerId: string) => join(playerId, { is_first_session_free: true });

/** A player who has bought 10 credits and played them. */
async function aPayer() {
  const who = await scenario.player({ credits: 0 });
  const purchase = singlePurchase(who.userId);
  await deliverEvents(scenario.app, purchase.completed);
  const booking = await join(who.userId, { startsIn: 2 });
  if (!booking.ok) throw new Error(booking.reason);
  return { ...who, purchase };
}

/** Signs up with an address and answers the new player's id. */
async function signUp(email: string, { now = NOW, db = scenario.app.db } = {}): Promise<string> {
  const addressHash = scenario.app.accounts.hashEmail(email);
  return db.transaction().execute(async (tx) => {
    const userId = await insertPlayer(tx, {
      ...{ email, firstName: "Ada", lastName: "Again", dateOfBirth: "2000-01-31", phone: null },
      ...{ schoolYear: "Master", major: "Physics", passwordHash: "hash" },
    });
    await recallDebt(tx, { userId: userId!, addressHash }, now);
    return userId!;
  });
}
// Each proof of a password takes a tenth of a second, and none is asked for here.
beforeAll(() => {
  const { accounts } = scenario.app;
  Object.assign(accounts, { hashPassword: async () => "hash", verifyPassword: async () => true });
});
const wallet = (userId: string) => walletOf(scenario.app, userId);
const INDEBTED = { balanceCents: 0, debtCents: 1_000 };
const EVEN = { balanceCents: 0, debtCents: 0 };

// spec: 9.41
test("an address that signs up again still owes and cannot join, not even for free", async () => {
  const who = await aPayer();
  await deliverEvents(scenario.app, who.purchase.refunded(999));
  expect(await scenario.remove(who)).toEqual({ ok: true });
  const again = await signUp(who.email);
  expect(await wallet(again)).toEqual(INDEBTED);
  expect(await joinFree(again)).toMatchObject({ reason: "not-enough-credits" });
  await deliverEvents(scenario.app, singlePurchase(again).completed);
  expect(await wallet(again)).toEqual(EVEN);
  expect(await joinFree(again)).toMatchObject({ ok: true });
});

test.each(["before", "after"])(
  "a chargeback after the deletion and %s the next sign-up is no way round",
  async (when) => {
    const who = await aPayer();
    expect(await scenario.remove(who)).toEqual({ ok: true });
    const charge = () => deliverEvents(scenario.app, who.purchase.disputed("needs_response"));
    if (when === "before") await charge();
    const again = await signUp(who.email);
    if (when === "after") await charge();
    expect(await wallet(again)).toEqual(INDEBTED);
    expect(await joinFree(again)).toMatchObject({ reason: "not-enough-credits" });
  },
);

test("a debt passes from account to account of the address, and a won dispute ends it", async () => {
  const who = await aPayer();
  await deliverEvents(scenario.app, who.purchase.disputed("needs_response"));
  await scenario.remove(who);
  const second = await signUp(who.email);
  expect(await scenario.remove({ ...who, userId: second })).toEqual({ ok: true });
  const third = await signUp(who.email);
  expect(await wallet(second)).toEqual(EVEN);
  expect(await wallet(third)).toEqual(INDEBTED);
  await deliverEvents(scenario.app, who.purchase.disputed("won"));
  expect(await wallet(third)).toEqual(EVEN);
});

test("the next account's credits pay the debt and come back when the dispute is won", async () => {
  const who = await aPayer();
  await scenario.remove(who);
  const again = await signUp(who.email);
  await deliverEvents(scenario.app, singlePurchase(again).completed);
  await deliverEvents(scenario.app, who.purchase.disputed("needs_response"));
  expect(await wallet(again)).toEqual(EVEN);
  await deliverEvents(scenario.app, who.purchase.disputed("won"));
  expect(await wallet(again)).toEqual({ balanceCents: 1_000, debtCents: 0 });
});

test("credits that lapsed with the account are not owed when their payment is refunded", async () => {
  const who = await scenario.player({ credits: 0 });
  const purchase = singlePurchase(who.userId);
  await deliverEvents(scenario.app, purchase.completed);
  await scenario.remove(who);
  await deliverEvents(scenario.app, purchase.refunded(999));
  expect(await wallet(await signUp(who.email))).toEqual(EVEN);
});

test("a withdrawal declined after the deletion goes to the next account", async () => {
  const who = await scenario.player({ credits: 0 });
  const stated = await withdraw(scenario.app, await aBuyer(scenario.app, who.userId));
  await scenario.remove(who);
  const again = await signUp(who.email);
  expect(await reject(scenario.app, stated!)).toEqual({ ok: true });
  expect(await wallet(again)).toEqual({ balanceCents: 1_000, debtCents: 0 });
});

test("a debt passes to no other address and from no active account", async () => {
  const who = await aPayer();
  await deliverEvents(scenario.app, who.purchase.refunded(999));
  await scenario.remove(who);
  expect(await wallet(await signUp("somebody@uni.example"))).toEqual(EVEN);
  const again = await signUp(who.email);
  const addressHash = scenario.app.accounts.hashEmail(who.email);
  const other = await scenario.player({ credits: 0 });
  const take = { userId: other.userId, addressHash };
  await scenario.app.db.transaction().execute((tx) => recallDebt(tx, take, NOW));
  expect([await wallet(other.userId), await wallet(again)]).toEqual([EVEN, INDEBTED]);
});

describe("the kept debt", () => {
  const DAY = 24;
  const hashes = async (userId: string) => {
    const rows = scenario.app.db.selectFrom("former_payers").select("address_hash");
    return (await rows.where("former_id", "=", userId).execute()).map((row) => row.address_hash);
  };

  test("holds a hash and no address, of accounts that have paid alone", async () => {
    const [payer, guest] = [await aPayer(), await scenario.player({ credits: 0 })];
    await scenario.remove(payer);
    await scenario.remove(guest);
    expect(await hashes(payer.userId)).toEqual([scenario.app.accounts.hashEmail(payer.email)]);
    expect(await hashes(guest.userId)).toEqual([]);
    expect(await tracesOf(scenario.app.db, payer.email)).toEqual([]);
  });

  test("goes when no bank takes a payment back any more", async () => {
    const { userId, ...who } = await aPayer();
    await scenario.remove({ ...who, userId });
    await purgeFormerPayers(scenario.app.db, hoursLater((CHARGEBACK_DAYS - 1) * DAY));
    expect(await hashes(userId)).toHaveLength(1);
    await purgeFormerPayers(scenario.app.db, hoursLater((CHARGEBACK_DAYS + 1) * DAY));
    expect(await hashes(userId)).toEqual([]);
  });

  test("of a failing wallet does not block the others", async () => {
    const gone = [await aPayer(), await aPayer(), await aPayer()];
    for (const who of gone) await scenario.remove(who);
    const { userId: broken } = gone.toSorted((a, b) => (a.userId < b.userId ? -1 : 1))[0]!;
    await scenario.database.pool.query(`
      create function broken() returns trigger language plpgsql as 'begin raise ''broken''; end';
      create trigger broken before delete on former_payers for each row
        when (old.former_id = '${broken}') execute function broken()`);
    const purged = purgeFormerPayers(scenario.app.db, hoursLater((CHARGEBACK_DAYS + 1) * DAY));
    await expect(purged).rejects.toThrow("former debt not deleted: 1");
    const left = await Promise.all(gone.map(async ({ userId }) => (await hashes(userId)).length));
    await scenario.database.pool.query("drop function broken cascade");
    expect(left.toSorted()).toEqual([0, 0, 1]);
  });

  test("of a debt lasts three years at most, but for an account that has it by then", async () => {
    const [gone, back] = [await aPayer(), await aPayer()];
    for (const who of [gone, back]) {
      await deliverEvents(scenario.app, who.purchase.refunded(999));
      await scenario.remove(who);
    }
    const late = hoursLater((DEBT_DAYS + 1) * DAY);
    const again = await signUp(back.email, { now: hoursLater((DEBT_DAYS - 1) * DAY) });
    await purgeFormerPayers(scenario.app.db, late);
    expect(await hashes(gone.userId)).toEqual([null]);
    expect(await hashes(back.userId)).toHaveLength(1);
    expect(await wallet(await signUp(gone.email, { now: late }))).toEqual(EVEN);
    expect(await wallet(again)).toEqual(INDEBTED);
  });
});

test("the mail that confirms a deletion says what is owed, and what bookings gave back", async () => {
  const mails: string[] = [];
  const mailer = async (mail: { text: string }) => void mails.push(mail.text.replace(/\s+/g, " "));
  const jobs = mailJobs({ ...scenario.app, mailer });
  const who = await aPayer();
  await deliverEvents(scenario.app, singlePurchase(who.userId).completed);
  expect(await join(who.userId, { startsIn: 48 })).toMatchObject({ ok: true });
  await deliverEvents(scenario.app, who.purchase.refunded(999));
  await scenario.remove(who);
  const jobOf = { userId: who.userId, email: who.email, firstName: "Ada", debtCents: 99 };
  expect((await waitingJobs(scenario.database.pool, "account-deleted")).at(-1)).toEqual({
    ...jobOf,
    givenBackCents: 901,
    cashDueCents: 0,
  });
  const send = (givenBackCents: number, debtCents = 99) =>
    jobs["account-deleted"]({ ...jobOf, debtCents, givenBackCents });
  await send(901);
  await jobs["account-deleted"](jobOf);
  await send(1_000, 0);
  await send(0, 0);
  expect(mails[0]).toContain("10 credits, less 9.01 given back: you still owe 0.99 credits. That");
  expect(mails[1]).toContain("You owe 0.99 credits. That stays with your email address");
  expect(mails[2]).toContain("You owed 10 credits. What your cancelled bookings gave back");
  expect(mails[3]).not.toContain("owe");
});

describe("a chargeback during the next sign-up", () => {
  /** Stripe's event comes while the sign-up has taken over what was owed and has not committed yet. */
  async function race(db = scenario.app.db) {
    const who = await aPayer();
    await scenario.remove(who);
    const addressHash = scenario.app.accounts.hashEmail(who.email);
    const next = await scenario.player({ credits: 0 });
    const owed = await scenario.app.db.transaction().execute(async (tx) => {
      await recallDebt(tx, { userId: next.userId, addressHash }, NOW);
      const delivery = deliverEvents(
        { db, jobs: scenario.app.jobs },
        who.purchase.disputed("lost"),
      ).catch(() => null);
      await Promise.race([delivery, scenario.untilSomebodyWaits()]);
      return { delivery };
    });
    await owed.delivery;
    return next.userId;
  }

  test("is owed by the new account", async () => {
    expect(await wallet(await race())).toEqual(INDEBTED);
  });

  test("is lost to the deleted one without the wallet's lock", async () => {
    const userId = await race(scenario.app.db.withPlugin(withoutLocks));
    const { differences } = await checkBooks(scenario.app.db);
    expect(differences).toContainEqual(`debt ${userId}: owed 0.00, by payments 10.00`);
  });
});
