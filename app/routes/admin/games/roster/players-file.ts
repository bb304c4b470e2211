import { recordDownload } from "#app/features/audit/entries.server.ts";
import type { Cash } from "#app/features/bookings/cash-texts.ts";
import { listLiveCash } from "#app/features/roster/cash-payments.server.ts";
import { listFormerPlayers } from "#app/features/roster/former-players.server.ts";
import { isSeatPaymentOpen } from "#app/features/roster/unpaid-rules.ts";
import { listRoster } from "#app/features/roster/roster.server.ts";
import { findGame } from "#app/features/games/games.server.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { POSITIONS } from "#app/features/players/rules.ts";
import type { Attendance } from "#app/platform/schema.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import {
  type Column,
  hundredths,
  integer,
  phone,
  spreadsheetResponse,
  text,
} from "#app/routes/responses/spreadsheets.server.ts";
import type { Route } from "./+types/players-file";

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const game = await findGame(db, params.gameId, now());
  if (!game) return new Response(null, { status: 404 });
  const [players, former, cash] = await Promise.all([
    listRoster(db, { gameId: game.id, now: now() }),
    listFormerPlayers(db, game.id),
    listLiveCash(db, game.id),
  ]);
  const calledOff = former.filter((one) => one.endReason === "GameCancelled" && !one.deletedAt);
  const lines = [...players.map((one) => ({ ...one, creditsBackCents: null })), ...calledOff].map(
    (player) => ({ ...player, cash: cash.get(player.bookingId) }),
  );
  await recordDownload(db, { actor, action: "game.download", subject: game.id });
  return spreadsheetResponse(request, `players-${game.date}`, { columns: COLUMNS, rows: [lines] });
}

type Player =
  | (Awaited<ReturnType<typeof listRoster>>[number] & { creditsBackCents: null })
  | Awaited<ReturnType<typeof listFormerPlayers>>[number];
type Line = Player & { cash: Cash | undefined };

const COLUMNS: Column<Line>[] = [
  text("name", ({ firstName, lastName }) => `${firstName} ${lastName}`),
  text("position", ({ position }) => position && POSITIONS[position]),
  phone("phone", (line) => line.phone),
  text("email", ({ email }) => email),
  text("status", ({ paymentStatus }) => paymentStatus),
  text("attendance", attendanceText),
  integer("goals", ({ goals }) => goals),
  hundredths("price", ({ priceCents }) => priceCents),
  hundredths("unpaid amount", (line) =>
    "isCollected" in line && isSeatPaymentOpen(line) ? GAME_PRICE_CENTS : null,
  ),
  hundredths("paid by hand", ({ cash }) => cash?.amountCents ?? null),
  text("method", ({ cash }) => cash?.method ?? null),
  hundredths("given back", ({ creditsBackCents }) => creditsBackCents),
];

function attendanceText(player: Player): string | null {
  if (!player.attendance) return null;
  const isExcused = "isExcused" in player && player.isExcused;
  return isExcused ? "Excused" : ATTENDANCE[player.attendance];
}

const ATTENDANCE: Record<Attendance, string> = { CheckedIn: "Checked in", NoShow: "No-show" };
