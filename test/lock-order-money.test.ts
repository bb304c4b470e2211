import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  changeRole,
  makeAdmin,
  suspendAccount,
} from "#app/features/accounts/account-status.server.ts";
import { markTicket } from "#app/features/support/tickets.server.ts";
import { markPaidBack } from "#app/features/support/withdraw-purchase.server.ts";
import { recallDebt } from "#app/features/wallet/debts.server.ts";
import { resolveUnmatchedEvent } from "#app/features/wallet/stripe/unmatched-events.server.ts";
import { useErasure } from "./erasure.ts";
import * as lock from "./lock-order.ts";
import { expectLockOrder, readAsStored } from "./lock-order.ts";
import { singlePurchase, deliverEvents } from "./payments.ts";
import { aBuyer, reject, takeBack, withdraw } from "./withdrawals.ts";
import { markDeleted, NOW } from "./fixtures.ts";

const scenario = useErasure();
readAsStored(scenario.database);
const db = () => scenario.app.db;

describe("Stripe events are locked before any wallet:", () => {
  test("a purchase", () =>
    expectLockOrder(db(), async () => {
      const { userId } = await scenario.player({ credits: 0 });
      const run = async () =>
        expect(await deliverEvents(scenario.app, singlePurchase(userId).completed)).toEqual([
          "applied",
        ]);
      return { locks: [lock.stripeEvents, lock.wallet(userId)], run };
    }));

  test.each(["refunded", "disputed"] as const)("one that is %s: before its payment's row", (what) =>
    expectLockOrder(db(), async () => {
      const { userId, paymentId, pack } = await aBuyer(scenario.app);
      const event = what === "refunded" ? pack.refunded(999) : pack.disputed("lost");
      const locks = [lock.stripeEvents, lock.wallet(userId), lock.payment(paymentId)];
      return { locks, run: () => deliverEvents(scenario.app, event) };
    }),
  );

  test("an event that an organiser assigns to a player", () =>
    expectLockOrder(db(), async () => {
      const { userId, email } = await scenario.player({ credits: 0 });
      const { completed } = singlePurchase(null);
      expect(await deliverEvents(scenario.app, completed)).toEqual(["unmatched"]);
      const packs = db().selectFrom("credit_packs").select("id");
      const pack = await packs.where("pack_key", "=", "pay_per_game").executeTakeFirstOrThrow();
      const { jobs } = scenario.app;
      const resolution = { kind: "assign", email, packId: pack.id } as const;
      const command = { eventId: completed.id, actor: userId, jobs, isLive: false, now: NOW };
      const run = async () =>
        expect(await resolveUnmatchedEvent(db(), { ...command, resolution })).toMatchObject({
          ok: true,
        });
      return { locks: [lock.stripeEvents, lock.wallet(userId)], run };
    }));
});

describe("several wallets are locked by their users' ids:", () => {
  /** A deleted account that has paid, and the account that owes for it now. */
  async function twoAccounts(first: string) {
    const [low, high] = [
      (await scenario.player({ credits: 0 })).userId,
      (await scenario.player({ credits: 0 })).userId,
    ].toSorted();
    const [payer, debtor] = first === "lower" ? [low!, high!] : [high!, low!];
    const { pack } = await aBuyer(scenario.app, payer);
    const addressHash = randomBytes(32).toString("hex");
    return { payer, debtor, wallets: [low!, high!].map(lock.wallet), pack, addressHash };
  }
  async function goes(former_id: string, address_hash: string, user_id: string | null = null) {
    await markDeleted(db(), former_id);
    await db().insertInto("former_payers").values({ former_id, user_id, address_hash }).execute();
  }

  test.each(["lower", "higher"])("a refund to the deleted account of the %s id", (first) =>
    expectLockOrder(db(), async () => {
      const { payer, debtor, wallets, pack, addressHash } = await twoAccounts(first);
      await goes(payer, addressHash, debtor);
      return {
        locks: [lock.stripeEvents, ...wallets],
        run: () => deliverEvents(scenario.app, pack.refunded(999)),
      };
    }),
  );

  test.each(["lower", "higher"])("a sign-up that takes over debts, first the %s id", (first) =>
    expectLockOrder(db(), async () => {
      const { payer, debtor, wallets, addressHash } = await twoAccounts(first);
      for (const id of [payer, debtor]) await goes(id, addressHash);
      const { userId } = await scenario.player({ credits: 0 });
      const taking = { userId, addressHash };
      const run = () =>
        db()
          .transaction()
          .execute((tx) => recallDebt(tx, taking, NOW));
      return { locks: wallets, run };
    }),
  );
});

describe("a withdrawal:", () => {
  const aStated = async () => {
    const buyer = await aBuyer(scenario.app);
    const stated = await withdraw(scenario.app, buyer);
    const locks = [lock.ticket(stated!.ticketId), lock.withdrawal(stated!.withdrawalId)];
    return { ...buyer, stated: stated!, locks };
  };

  test("stating it locks the wallet, then its payment's row", () =>
    expectLockOrder(db(), async () => {
      const buyer = await aBuyer(scenario.app);
      const locks = [lock.wallet(buyer.userId), lock.payment(buyer.paymentId)];
      return { locks, run: () => withdraw(scenario.app, buyer) };
    }));

  test.each([
    ["taking it back", takeBack],
    ["rejecting it", reject],
  ])("%s locks the wallet, the ticket, the withdrawal", (_, end) =>
    expectLockOrder(db(), async () => {
      const { userId, stated, locks } = await aStated();
      const run = async () => expect(await end(scenario.app, stated)).toEqual({ ok: true });
      return { locks: [lock.wallet(userId), ...locks], run };
    }),
  );

  test("marking it as paid back, and no longer so, locks the ticket, then the withdrawal", async () => {
    const { userId: actor } = await scenario.player({ credits: 0 });
    const pay = (ticketId: string) => markPaidBack(db(), { ticketId, actor, now: NOW });
    await expectLockOrder(db(), async () => {
      const { stated, locks } = await aStated();
      return { locks, run: () => pay(stated.ticketId) };
    });
    await expectLockOrder(db(), async () => {
      const { stated, locks } = await aStated();
      await pay(stated.ticketId);
      const mark = { ticketId: stated.ticketId, status: "open" as const, actor };
      return { locks, run: () => markTicket(db(), mark) };
    });
  });
});

describe("an account is locked before the admins, who are locked by their ids:", () => {
  const threeAdmins = async () => {
    await db().deleteFrom("user_roles").execute();
    const poor = () => scenario.player({ credits: 0 });
    const admins = [await poor(), await poor(), await poor()];
    const [low, middle, high] = admins.toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
    for (const { email } of [middle!, high!, low!]) await makeAdmin(db(), email, "command");
    const userId = high!.userId;
    const roles = [low!, middle!, high!].map((admin) => lock.adminRole(admin.userId));
    return { userId, actor: low!.userId, locks: [lock.account(userId), ...roles] };
  };

  test("taking the role away", () =>
    expectLockOrder(db(), async () => {
      const { locks, ...change } = await threeAdmins();
      const run = async () =>
        expect(await changeRole(db(), { ...change, isAdmin: false })).toEqual({ ok: true });
      return { locks, run };
    }));

  test("suspending", () =>
    expectLockOrder(db(), async () => {
      const { locks, ...suspension } = await threeAdmins();
      const run = () =>
        suspendAccount(db(), scenario.database.jobs, { ...suspension, reason: "Rude" }, NOW);
      return { locks, run };
    }));
});
