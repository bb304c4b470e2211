import fc from "fast-check";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { expectedEnd, expectRefund } from "./booking-model.ts";
import type { TestDatabase } from "./db.ts";
import { hoursLater } from "./fixtures.ts";
import { type Model, type ModelWithdrawal, receive } from "./model-state.ts";
import { agree, nth, player, type stepsOf } from "./model-steps.ts";
import { payForNoGame } from "./paying-model.ts";
import { payingOf } from "./payment-holds.ts";
import { deliverEvents } from "./payments.ts";
import { aBuyer, reject, takeBack, withdraw } from "./withdrawals.ts";

/** Credits that come and go beside the games. */
export function walletSteps(database: TestDatabase, step: ReturnType<typeof stepsOf>) {
  const grants = fc.tuple(player, fc.integer({ min: -1_500, max: 3_500 })).map(([p, cents]) =>
    step(`player ${p} is granted ${cents}`, async (model, real) => {
      if (cents === 0) return;
      const wallet = model.players[p]!;
      const suffices = wallet.cents + cents >= 0;
      if (cents > 0) receive(model, p, cents);
      else if (suffices) wallet.cents += cents;
      const grant = { userId: real.players[p]!, amountCents: cents, reason: "", actor: "command" };
      const { ok } = await correctBalance(database.db, database.jobs, {
        ...grant,
        key: crypto.randomUUID(),
      });
      agree(ok, suffices);
    }),
  );
  const withdraws = player.map((p) =>
    step(`player ${p} buys and withdraws`, async (model, real) => {
      if (model.players[p]!.debtCents > 0) return;
      // Credits alone, for no game.
      payForNoGame(model, p);
      await payingOf(database).payForNoGame(real.players[p]!, hoursLater(model.hour));
      const bought = await aBuyer(database, real.players[p]);
      const stated = await withdraw(database, bought);
      agree(stated !== null, true);
      const withdrawal: ModelWithdrawal = { player: p, state: "waiting", isRefunded: false };
      model.withdrawals.push(withdrawal);
      real.withdrawals.set(withdrawal, { ...stated!, refunded: bought.pack.refunded(999) });
    }),
  );
  const oneOf = (model: Model, n: number) => model.withdrawals[n % model.withdrawals.length];
  const ends = fc.tuple(nth, fc.constantFrom("refused", "taken_back")).map(([n, how]) =>
    step(`withdrawal ${n} is ${how}`, async (model, real) => {
      const withdrawal = oneOf(model, n);
      if (!withdrawal) return;
      const expected = expectedEnd(model, withdrawal, how);
      const end = how === "refused" ? reject : takeBack;
      const result = await end(database, real.withdrawals.get(withdrawal)!);
      agree(result.ok, expected !== "too-late");
    }),
  );
  const refunds = nth.map((n) =>
    step(`withdrawal ${n} is refunded`, async (model, real) => {
      const withdrawal = oneOf(model, n);
      if (!withdrawal) return;
      const outcome = withdrawal.isRefunded ? "repeated" : "applied";
      expectRefund(model, withdrawal);
      agree(await deliverEvents(database, real.withdrawals.get(withdrawal)!.refunded), [outcome]);
    }),
  );
  return { grants, withdraws, ends, refunds };
}
