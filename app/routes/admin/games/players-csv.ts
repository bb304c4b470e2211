import { listSheet } from "../../../features/bookings/sheet.server.ts";
import { findGame } from "../../../features/games/games.server.ts";
import { POSITIONS } from "../../../features/players/rules.ts";
import { appContext } from "../../context.server.ts";
import { requireAdmin } from "../../guards.server.ts";
import { csvRow, csvText } from "../../wallet/csv.ts";
import type { Route } from "./+types/players-csv";

const COLUMNS = ["name", "position", "phone", "status"];
// Without it spreadsheets take the text for the code page of their machine.
const BYTE_ORDER_MARK = "\uFEFF";

/** Who is in a game, as a file. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  await requireAdmin(context, request);
  const { db } = context.get(appContext);
  const game = await findGame(db, params.gameId);
  if (!game) return new Response(null, { status: 404 });
  const players = await listSheet(db, game.id);
  const lines = players.map(({ firstName, lastName, position, phone, paymentStatus }) =>
    csvRow([
      csvText(`${firstName} ${lastName}`),
      position ? POSITIONS[position] : "",
      csvText(phone ?? ""),
      paymentStatus,
    ]),
  );
  return new Response(BYTE_ORDER_MARK + csvRow(COLUMNS) + lines.join(""), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="players-${game.date}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}

export const action = loader;
