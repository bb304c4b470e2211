import { describe, expect, test } from "vitest";
import { useErasure } from "#test/erasure.ts";
import { monthlyPurchase, deliverEvents } from "#test/payments.ts";
import { everything } from "#test/fixtures.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";

const scenario = useErasure();

describe("a deletion fails and changes nothing:", () => {
  test("with a wrong password, and guesses are slowed", async () => {
    const who = await scenario.player();
    const before = await everything(scenario.app.db);
    for (let n = 0; n < 5; n += 1) {
      expect(await scenario.remove(who, { password: "Wrong1234" })).toMatchObject({
        reason: "wrong-password",
      });
    }
    expect(await scenario.remove(who)).toMatchObject({ reason: "too-many" });
    expect(await everything(scenario.app.db)).toEqual(before);
  });

  test("with another's password", async () => {
    const [who, other] = [await scenario.player(), await scenario.player()];
    await scenario.app.db
      .updateTable("accounts")
      .set({ password: await scenario.app.accounts.hashPassword("Other1Word") })
      .where("user_id", "=", other.userId)
      .execute();
    expect(await scenario.remove(who, { password: "Other1Word" })).toMatchObject({ ok: false });
  });

  async function subscriber() {
    const who = await scenario.player({ credits: 0 });
    const plan = monthlyPurchase(who.userId);
    await deliverEvents(scenario.app, [plan.completed, plan.created, plan.paid(0)]);
    return { who, plan };
  }

  test("while a subscription goes on", async () => {
    const { who } = await subscriber();
    const before = await everything(scenario.app.db);
    expect(await scenario.remove(who)).toEqual({ ok: false, reason: "subscription" });
    expect(await everything(scenario.app.db)).toEqual(before);
  });

  test("but not once the subscription is ending or has ended", async () => {
    const [ending, ended] = [await subscriber(), await subscriber()];
    await deliverEvents(scenario.app, ending.plan.updated(0, { cancel_at_period_end: true }));
    await deliverEvents(scenario.app, ended.plan.deleted(1));
    for (const { who } of [ending, ended]) expect(await scenario.remove(who)).toEqual({ ok: true });
    expect((await checkBooks(scenario.app.db)).differences).toEqual([]);
  });

  test("of the last admin; of two concurrent ones one stays", async () => {
    const [one, two] = [
      await scenario.player({ credits: 0 }),
      await scenario.player({ credits: 0 }),
    ];
    await makeAdmin(scenario.app.db, one.email, "command");
    expect(await scenario.remove(one)).toEqual({ ok: false, reason: "last-admin" });
    await makeAdmin(scenario.app.db, two.email, "command");
    const other = Promise.withResolvers<unknown>();
    // The first stays in its transaction until the second waits for it, or has gone past it.
    const deleteTickets = async () => {
      scenario.remove(two).then(other.resolve, other.reject);
      await Promise.race([other.promise, scenario.untilSomebodyWaits()]);
    };
    expect(await scenario.remove(one, { deleteTickets })).toEqual({ ok: true });
    expect(await other.promise).toEqual({ ok: false, reason: "last-admin" });
  });
});
