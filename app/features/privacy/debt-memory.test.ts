import { expect, test } from "vitest";
import { useErasure } from "../../../test/erasure.ts";
import { singlePurchase, tell } from "../../../test/payments.ts";
import { aGame, balanceCents, NOW } from "../../../test/world.ts";
import { checkBooks } from "../bookings/check-books.server.ts";
import { joinGame } from "../bookings/join-game.server.ts";
import { registerPlayer } from "../players/register-player.server.ts";
import { recallDebt } from "../wallet/recall-debt.server.ts";

const world = useErasure();

const join = async (playerId: string, game = {}) =>
  joinGame(world.app.db, world.app.jobs, {
    gameId: await aGame(world.app.db, game),
    playerId,
    now: NOW,
  });
const joinFree = (playerId: string) => join(playerId, { is_first_session_free: true });

/** A player who has bought 10 credits and played them. */
async function aPayer() {
  const who = await world.player({ credits: 0 });
  const purchase = singlePurchase(who.userId);
  await tell(world.app.db, purchase.completed);
  const booking = await join(who.userId, { startsIn: 2 });
  if (!booking.ok) throw new Error(booking.reason);
  return { ...who, purchase };
}

/** Signs up with an address and answers the new player's id. */
async function signUp(email: string, now = NOW): Promise<string> {
  const person = { firstName: "Ada", lastName: "Again", dateOfBirth: "2000-01-31", phone: null };
  const studies = { schoolYear: "Master" as const, major: "Physics", password: "Kickabout1" };
  const input = { ...person, ...studies, email, address: crypto.randomUUID() };
  await registerPlayer({ ...world.app, recallDebt }, input, now);
  const user = world.app.db.selectFrom("users").select("id").where("email", "=", email);
  return (await user.executeTakeFirstOrThrow()).id;
}

async function wallet(userId: string) {
  const { wallet_debt_eur: debt } = await world.app.db
    .selectFrom("profiles")
    .select("wallet_debt_eur")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  expect((await checkBooks(world.app.db)).differences).toEqual([]);
  return { balanceCents: await balanceCents(world.app.db, userId), debt };
}

test("deleted and signed up again, an address still owes: no game, a free one neither", async () => {
  const who = await aPayer();
  await tell(world.app.db, who.purchase.refunded(999));
  expect(await world.remove(who)).toEqual({ ok: true });
  const again = await signUp(who.email);
  expect(await wallet(again)).toEqual({ balanceCents: 0, debt: "10.00" });
  expect(await joinFree(again)).toMatchObject({ reason: "not-enough-credits" });
  await tell(world.app.db, singlePurchase(again).completed);
  expect(await wallet(again)).toEqual({ balanceCents: 0, debt: "0.00" });
  expect(await joinFree(again)).toMatchObject({ ok: true });
});

test.each(["before", "after"])(
  "a chargeback after the deletion and %s the next sign-up is no way round",
  async (when) => {
    const who = await aPayer();
    expect(await world.remove(who)).toEqual({ ok: true });
    const charge = () => tell(world.app.db, who.purchase.disputed("needs_response"));
    if (when === "before") await charge();
    const again = await signUp(who.email);
    if (when === "after") await charge();
    expect(await wallet(again)).toEqual({ balanceCents: 0, debt: "10.00" });
    expect(await joinFree(again)).toMatchObject({ reason: "not-enough-credits" });
  },
);
