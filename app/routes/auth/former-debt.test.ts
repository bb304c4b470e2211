import { expect, test } from "vitest";
import { useErasure } from "#test/erasure.ts";
import { singlePurchase, deliverEvents } from "#test/payments.ts";
import { visit } from "#test/visit.ts";
import { walletOf } from "#test/withdrawals.ts";
import { waitingJobs } from "#test/accounts.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { action as enter } from "./auth.tsx";
import { action as confirm } from "./confirm.tsx";

const scenario = useErasure();

// spec: 9.41
test("who signs up again with the address of a deleted account owes what that one did", async () => {
  const who = await scenario.player({ credits: 0 });
  const { userId } = who;
  const purchase = singlePurchase(userId);
  await deliverEvents(scenario.app, purchase.completed);
  const correction = { userId, amountCents: -1_000, reason: "Gone", actor: "command", key: userId };
  await correctBalance(scenario.app.db, scenario.app.jobs, correction);
  await deliverEvents(scenario.app, purchase.refunded(999));
  await scenario.remove(who);
  const body = {
    ...{ intent: "sign-up", email: who.email, password: "Kickabout1", firstName: "Ada" },
    ...{ lastName: "Again", dateOfBirth: "2000-01-31", schoolYear: "Master", major: "Physics" },
  };
  expect((await visit(scenario.app, enter, { path: "/auth", body })).status).toBe(200);
  const [mail] = await waitingJobs(scenario.database.pool, "confirm-address");
  const link = { token: mail!.token, password: body.password };
  const confirmed = await visit(scenario.app, confirm, { path: "/auth/confirm", body: link });
  expect(confirmed.status).toBe(302);
  const account = scenario.app.db.selectFrom("users").select("id").where("email", "=", who.email);
  const { id } = await account.executeTakeFirstOrThrow();
  expect(await walletOf(scenario.app, id)).toEqual({ balanceCents: 0, debtCents: 1_000 });
});
