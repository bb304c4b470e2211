import { randomUUID } from "node:crypto";
import type { Db } from "#app/platform/db.server.ts";
import type { NewGame, SkippedGame } from "#app/platform/schema.ts";
import type { ScreenOf } from "./screen.ts";

/** Cancellations of several games: one whose refunds are not done, and one that left some games. */
export interface Cancellations {
  underWay: string;
  withSkipped: string;
}

type StageGame = (hours: number, game: Partial<NewGame>) => Promise<string>;

export async function stageCancellations(db: Db, stageGame: StageGame): Promise<Cancellations> {
  const admins = db.selectFrom("user_roles").select("user_id").where("role", "=", "admin");
  const { user_id: cancelled_by } = await admins.limit(1).executeTakeFirstOrThrow();
  const stage = async (games: (Refunded | SkippedGame | "open")[]) => {
    const id = randomUUID();
    await db
      .insertInto("bulk_cancellations")
      .values({ id, cancelled_by, created_at: new Date() })
      .execute();
    for (const [n, state] of games.entries()) {
      const status = typeof state === "string" && state !== "open" ? "Published" : "Cancelled";
      const game_id = await stageGame(24 * (60 + 7 * n), { title: "Monday futsal", status });
      if (state === "open") await block(db, game_id);
      const row = {
        cancellation_id: id,
        game_id,
        finished_at: state === "open" ? null : new Date(),
      };
      const more = typeof state === "object" ? state : { skipped: state === "open" ? null : state };
      await db
        .insertInto("bulk_cancellation_games")
        .values({ ...row, ...more })
        .execute();
    }
    return id;
  };
  const full = { players: 10, refunded_eur: "100.00" };
  return {
    underWay: await stage([full, full, { players: 0, refunded_eur: "0.00" }, "open"]),
    withSkipped: await stage([full, "changed", full, "played", "closed"]),
  };
}

interface Refunded {
  players: number;
  refunded_eur: string;
}

/** The worker cannot finish it: there is a refund of its booking. */
async function block(db: Db, game_id: string): Promise<void> {
  const players = db.selectFrom("users").select("id").where("email", "like", "%.%@uni.example");
  const { id: user_id } = await players.orderBy("email").limit(1).executeTakeFirstOrThrow();
  const booking = { id: randomUUID(), user_id, game_id, payment_status: "Paid" as const };
  await db.insertInto("bookings").values(booking).execute();
  const entry = {
    user_id,
    type: "refund" as const,
    amount_eur: "10.00",
    status: "pending" as const,
  };
  await db
    .insertInto("wallet_transactions")
    .values({ ...entry, business_key: `refund:${booking.id}` })
    .execute();
}

const of = (id: string) => `/admin/games/cancellations/${id}`;

export const CANCELLATION_SCREENS: ScreenOf<Cancellations>[] = [
  { name: "admin-games-cancelling", as: "admin", path: ({ underWay }) => of(underWay) },
  { name: "admin-games-cancelled", as: "admin", path: ({ withSkipped }) => of(withSkipped) },
];
