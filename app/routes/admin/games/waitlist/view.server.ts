import { listWaitlist, type WaitlistRow } from "#app/features/waitlist/organise-waitlist.server.ts";
import { waitingText } from "#app/features/seats/rules.ts";
import type { Obstacle } from "#app/features/waitlist/rules.ts";
import type { PlannedGame } from "#app/features/games/admin-games.server.ts";
import { dayAndTime } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";

export async function loadWaitlistView({ db, now }: App, game: PlannedGame) {
  const instant = now();
  const rows = await listWaitlist(db, { ...game, ...game.plan }, instant);
  if (rows.length === 0) return null;
  return {
    path: `/admin/games/${game.id}`,
    about: waitingText(rows.length),
    rows: rows.map((row) => toRowView(row, instant)),
  };
}

export type WaitlistReport = NonNullable<Awaited<ReturnType<typeof loadWaitlistView>>>;
export type WaitlistRowView = WaitlistReport["rows"][number];

function toRowView(row: WaitlistRow, now: Date) {
  const { entryId, playerId, pictureUrl, mode, obstacle, passedOver, offerExpiresAt } = row;
  const terms = `${mode === "ask" ? "Is asked first" : "Is booked at once"}, until ${dayAndTime(row.notAfter, now)}`;
  return {
    ...{ entryId, playerId, pictureUrl },
    name: `${row.firstName} ${row.lastName}`,
    isOffered: offerExpiresAt !== null,
    terms: offerExpiresAt ? `Has a spot held until ${dayAndTime(offerExpiresAt, now)}` : terms,
    obstacle: obstacle && OBSTACLES[obstacle],
    wasPassedOver: passedOver !== null,
    promoteReason: row.promoteReason,
  };
}

const OBSTACLES: Record<Obstacle, string> = {
  credits: "Too few credits",
  debt: "Owes credits",
  suspended: "Suspended",
  busy: "In another game at that hour",
  offer: "Holds another spot",
  consent: "Has not agreed again yet",
  unanswered: "Let two offers pass",
  night: "Not asked at night",
  decision: "Not asked before the decision",
};
