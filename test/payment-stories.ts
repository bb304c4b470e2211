import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import type { TestDatabase } from "./db.ts";
import { ben } from "./fixtures.ts";
import { payingOf } from "./payment-holds.ts";
import { deliverEvents, singlePurchase } from "./payments.ts";
import { type Clock, nowOf } from "./soak-clock.ts";
import { waitlistOf } from "./waitlist.ts";

const KINDS = [
  ...["card", "card", "card", "bank", "bank", "success-first", "bank-fails", "fails-then-card"],
  ...["leaves", "two-games", "gives-back", "credits-alone", "waits", "waits", "cancels", "cancels"],
] as const;

export interface Story {
  kind: (typeof KINDS)[number];
  /** Indexes of games, counted round. */
  games: [number, number];
  /** Until the money comes. */
  minutes: number;
  /** How often its events come, several at once. */
  copies: number;
  /** Its money comes when all others have come. */
  isLast: boolean;
  /** What an organiser does to the game meanwhile. */
  organiser: "moves" | "calls-off" | null;
}

const rarely = <T>(share: number, what: T) =>
  fc.nat(share - 1).map((turn) => (turn === 0 ? what : null));

export const storyOf: fc.Arbitrary<Story> = fc.record({
  kind: fc.constantFrom(...KINDS),
  games: fc.tuple(fc.nat(999), fc.nat(999)),
  minutes: fc.constantFrom(0, 0, 5, 14, 15, 15, 16, 40),
  copies: fc.constantFrom(1, 1, 2, 3),
  isLast: fc.nat(9).map((tenth) => tenth === 0),
  organiser: fc.oneof(rarely(30, "moves" as const), rarely(80, "calls-off" as const)),
});

/** What a story has come to: who paid how often, and what else was given. */
export interface Outcome {
  playerId: string;
  paid: string[];
  givenCents: number;
  cancels: boolean;
}

interface Scene {
  database: TestDatabase;
  clock: Clock;
  gameIds: string[];
  actor: string;
  /** Events that come when all others have come. */
  last: SentEvent[];
}

/** Plays one; each has a player of its own. */
export async function playStory(scene: Scene, story: Story): Promise<Outcome> {
  const playerId = await ben(scene.database.db);
  const outcome: Outcome = { playerId, paid: [], givenCents: 0, cancels: story.kind === "cancels" };
  const play = playsOf(scene, story, actionsOf(scene, story, outcome));
  await Promise.all([play[story.kind](), organise(scene, story)]);
  return outcome;
}

const gameOf = ({ gameIds }: Scene, { games }: Story, which: 0 | 1 = 0) =>
  gameIds[games[which] % gameIds.length]!;

function actionsOf({ database, clock, last }: Scene, story: Story, outcome: Outcome) {
  const { playerId } = outcome;
  const paying = payingOf(database);
  const now = () => nowOf(clock);
  /** Several times at once. */
  const deliver = async (event: SentEvent) => {
    const copies = Array.from({ length: story.copies }, () => event);
    await Promise.all(copies.map((copy) => deliverEvents(database, copy, now())));
  };
  return {
    playerId,
    now,
    deliver,
    passTime: () => delay((story.minutes * 60_000) / clock.speed),
    async hold(gameId: string) {
      const held = await paying.tryHold(gameId, playerId, { now: now() });
      // The button is pressed again, and buys credits alone.
      if (!held.ok) await paying.payForNoGame(playerId, now());
    },
    stop: (gameId: string) => paying.stop(gameId, playerId, now()),
    payForNoGame: () => paying.payForNoGame(playerId, now()),
    join: (gameId: string) =>
      joinGame(database.db, database.jobs, { gameId, playerId, now: now() }),
    purchase: () => singlePurchase(playerId),
    async pay(purchase: Purchase, by: "completed" | "succeeded" = "completed") {
      outcome.paid.push(purchase.id);
      if (story.isLast) last.push(purchase[by]);
      else await deliver(purchase[by]);
    },
    async give() {
      outcome.givenCents += 1_000;
      await topUp(database.db, { userId: playerId, amountCents: 1_000, key: playerId });
    },
  };
}

type Actions = ReturnType<typeof actionsOf>;

function playsOf(scene: Scene, story: Story, player: Actions) {
  const gameId = gameOf(scene, story);
  const list = waitlistOf(scene.database);
  const purchase = player.purchase();
  const payLater = async (by?: "succeeded") => {
    await player.passTime();
    await player.pay(purchase, by);
  };
  const failAtBank = async () => {
    await player.hold(gameId);
    await player.deliver(purchase.unpaid);
    await player.passTime();
    await player.deliver(purchase.failed);
  };
  const plays: Record<Story["kind"], () => Promise<unknown>> = {
    card: async () => {
      await player.hold(gameId);
      await payLater();
    },
    bank: async () => {
      await player.hold(gameId);
      await player.deliver(purchase.unpaid);
      await payLater("succeeded");
    },
    "success-first": async () => {
      await player.hold(gameId);
      await player.pay(purchase, "succeeded");
      await player.passTime();
      await player.deliver(purchase.unpaid);
    },
    "bank-fails": failAtBank,
    "fails-then-card": async () => {
      await failAtBank();
      await player.pay(player.purchase());
    },
    leaves: () => player.hold(gameId),
    "two-games": async () => {
      await Promise.all([player.hold(gameId), player.hold(gameOf(scene, story, 1))]);
      await payLater();
    },
    "gives-back": async () => {
      await player.hold(gameId);
      await Promise.all([player.stop(gameId), player.pay(purchase)]);
    },
    "credits-alone": async () => {
      await player.payForNoGame();
      await player.pay(purchase);
      await player.join(gameId);
    },
    waits: async () => {
      await player.give();
      const joined = await player.join(gameId);
      if (!joined.ok) await list.tryWait(gameId, player.playerId, { now: player.now() });
    },
    cancels: async () => {
      await player.give();
      const joined = await player.join(gameId);
      await player.passTime();
      if (joined.ok) await list.cancel({ ...joined, playerId: player.playerId }, player.now());
    },
  };
  return plays;
}

async function organise(scene: Scene, story: Story): Promise<void> {
  const { database, clock, actor } = scene;
  const gameId = gameOf(scene, story);
  if (story.organiser === "moves") {
    await database.pool.query("update games set date = date + 1 where id = $1", [gameId]);
  }
  if (story.organiser === "calls-off") {
    await cancelGame(database.db, database.jobs, { gameId, actor, now: nowOf(clock) });
  }
}

type Purchase = ReturnType<typeof singlePurchase>;
