import type { RouterContextProvider } from "react-router";
import { findViewerGames } from "#app/features/bookings/bookings.server.ts";
import type { PriceViewer } from "#app/features/games/price.ts";
import { appContext } from "#app/routes/context.server.ts";
import { getViewer } from "#app/routes/guards.server.ts";

/** For whom prices are said: null is a visitor. */
export async function findPriceViewer(
  context: Readonly<RouterContextProvider>,
): Promise<PriceViewer | null> {
  const { db, now } = context.get(appContext);
  const viewer = await getViewer(context);
  if (!viewer) return null;
  const { userId: playerId, balanceCents } = viewer;
  return { balanceCents, ...(await findViewerGames(db, { playerId, now: now() })) };
}
