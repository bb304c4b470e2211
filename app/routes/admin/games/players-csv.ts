import { listLiveCash } from "#app/features/bookings/cash-payments.server.ts";
import { listFormerPlayers } from "#app/features/bookings/former-players.server.ts";
import { isSeatOwed } from "#app/features/bookings/owed-rules.ts";
import { listRoster } from "#app/features/bookings/roster.server.ts";
import { findGame } from "#app/features/games/games.server.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { POSITIONS } from "#app/features/players/rules.ts";
import { numericFromCents } from "#app/platform/money.ts";
import type { Attendance } from "#app/platform/schema.ts";
import { appContext } from "#app/routes/context.server.ts";
import { csvRow, csvText, csvResponse } from "#app/routes/csv.server.ts";
import type { Route } from "./+types/players-csv";

const COLUMNS = [
  ...["name", "position", "phone", "email", "status", "attendance", "goals"],
  ...["price", "unpaid amount", "cash", "given back"],
];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const game = await findGame(db, params.gameId, now());
  if (!game) return new Response(null, { status: 404 });
  const [players, former, cash] = await Promise.all([
    listRoster(db, { gameId: game.id, now: now() }),
    listFormerPlayers(db, game.id),
    listLiveCash(db, game.id),
  ]);
  const calledOff = former.filter((one) => one.endReason === "GameCancelled" && !one.deletedAt);
  const lines = [...players.map((one) => ({ ...one, creditsBackCents: null })), ...calledOff].map(
    (player) => toRow(player, cash.get(player.bookingId)?.amountCents),
  );
  return csvResponse(`players-${game.date}.csv`, csvRow(COLUMNS) + lines.join(""));
}

type Player =
  | (Awaited<ReturnType<typeof listRoster>>[number] & { creditsBackCents: null })
  | Awaited<ReturnType<typeof listFormerPlayers>>[number];

function toRow(player: Player, cashCents: number | undefined): string {
  const { position, paymentStatus, priceCents, creditsBackCents } = player;
  return csvRow([
    csvText(`${player.firstName} ${player.lastName}`),
    position ? POSITIONS[position] : "",
    csvText(player.phone ?? ""),
    csvText(player.email),
    paymentStatus,
    attendanceText(player),
    player.goals === null ? "" : String(player.goals),
    numericFromCents(priceCents),
    "isCollected" in player && isSeatOwed(player) ? numericFromCents(GAME_PRICE_CENTS) : "",
    cashCents === undefined ? "" : numericFromCents(cashCents),
    creditsBackCents === null ? "" : numericFromCents(creditsBackCents),
  ]);
}

function attendanceText(player: Player): string {
  if (!player.attendance) return "";
  const isExcused = "isExcused" in player && player.isExcused;
  return isExcused ? "Excused" : ATTENDANCE[player.attendance];
}

const ATTENDANCE: Record<Attendance, string> = { CheckedIn: "Checked in", NoShow: "No-show" };
