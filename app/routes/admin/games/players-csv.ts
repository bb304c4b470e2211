import { listRoster } from "#app/features/bookings/roster.server.ts";
import { findGame } from "#app/features/games/games.server.ts";
import { POSITIONS } from "#app/features/players/rules.ts";
import { appContext } from "#app/routes/context.server.ts";
import { csvRow, csvText, csvResponse } from "#app/routes/csv.server.ts";
import type { Route } from "./+types/players-csv";

const COLUMNS = ["name", "position", "phone", "status"];

/** Who is in a game, as a file. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const game = await findGame(db, params.gameId);
  if (!game) return new Response(null, { status: 404 });
  const players = await listRoster(db, game.id);
  const lines = players.map(({ firstName, lastName, position, phone, paymentStatus }) =>
    csvRow([
      csvText(`${firstName} ${lastName}`),
      position ? POSITIONS[position] : "",
      csvText(phone ?? ""),
      paymentStatus,
    ]),
  );
  return csvResponse(`players-${game.date}.csv`, csvRow(COLUMNS) + lines.join(""));
}
