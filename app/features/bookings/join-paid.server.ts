import { changeGame } from "#app/features/games/change-game.server.ts";
import {
  bookPaymentHolds,
  declinePaymentHold,
  listPaidHolds,
  type PaidHold,
} from "#app/features/wallet/payment-holds.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { JobHandlers, Jobs } from "#app/platform/jobs.server.ts";
import { runForEach } from "#app/platform/scheduler.server.ts";
import { joinGame, type JoinError } from "./join-game.server.ts";

interface PaidJoin {
  holdId: string;
  now: Date;
}

/** Books who has paid for a game, or says why the credits stay. A repeat does nothing more. */
export async function joinPaid(db: Db, jobs: Jobs, { holdId, now }: PaidJoin): Promise<void> {
  const [hold] = await listPaidHolds(db, holdId);
  if (!hold) return;
  const joined = await join(db, jobs, hold, now);
  if (!joined.ok) await decline(db, jobs, hold, { reason: joined.reason, now });
}

async function join(db: Db, jobs: Jobs, hold: PaidHold, now: Date) {
  const { gameId, userId, shown, friendToken } = hold;
  const paid = { gameId, playerId: userId, now, shown, formKey: hold.id };
  // The button has asked of other games at that hour, but that may be days ago.
  const late = { ...paid, asksOfOtherGame: hold.isLate };
  if (!friendToken) return joinGame(db, jobs, late);
  const taken = await joinGame(db, jobs, { ...late, holdToken: friendToken });
  const isSpotGone = !taken.ok && (taken.reason === "hold-taken" || taken.reason === "hold-over");
  return isSpotGone ? joinGame(db, jobs, late) : taken;
}

async function decline(
  db: Db,
  jobs: Jobs,
  { id, gameId, userId }: PaidHold,
  { reason, now }: { reason: JoinError; now: Date },
) {
  await changeGame<{ ok: true }>(db, { gameId, jobs }, async (tx) => {
    if (reason === "already-joined") {
      await bookPaymentHolds(tx, { gameId, userId, now });
      return { ok: true };
    }
    if (!(await declinePaymentHold(tx, { id, reason, now }))) return { ok: true };
    return { ok: true, promote: [gameId], notices: [["credits-stay", [{ holdId: id }]]] };
  });
}

/** What a crash has left unbooked. */
export async function sweepPaidHolds(db: Db, jobs: Jobs, now: Date): Promise<void> {
  const ids = (await listPaidHolds(db)).map(({ id }) => id);
  await runForEach({ ids, of: "holdId", failed: "booking what was paid for" }, (holdId) =>
    joinPaid(db, jobs, { holdId, now }),
  );
}

/** Not held back while no mail can be sent. */
export const paidJoinJobs = ({ db, jobs, now }: { db: Db; jobs: Jobs; now: () => Date }) =>
  ({
    async "payment.join"({ holdId }) {
      await joinPaid(db, jobs, { holdId, now: now() });
    },
  }) satisfies Partial<JobHandlers>;
