import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Attendance } from "#app/platform/schema.ts";
import type { Roster, RosterPlayer } from "#app/routes/admin/games/game-view.server.ts";
import { onKept } from "#app/ui/kept.ts";
import { noQueue } from "#app/ui/send-queue.ts";
import {
  addTap,
  clearFailures,
  noResults,
  readResults,
  readTaps,
  type RowStatus,
  rowStatuses,
  sendTaps,
} from "#app/routes/admin/tap-queue.ts";

/** Longer than the pause within a double tap. */
const DOUBLE_TAP_MS = 500;

export type Taps = ReturnType<typeof useTaps>;

// Shows taps at once, independent of the page's own loading, so no connection can undo them. Taps
// that could not be sent are kept, and sent when the connection is back.
export function useTaps(loaded: Roster, userId: string) {
  const { gameId } = loaded;
  const of = { gameId, userId };
  const taps = useSyncExternalStore(onKept, () => readTaps(of), noQueue);
  const results = useSyncExternalStore(onKept, () => readResults(of), noResults);
  useEffect(() => {
    sendTaps({ gameId, userId });
    return () => clearFailures({ gameId, userId });
  }, [gameId, userId]);
  const before = useResultsBefore(loaded, results);
  const tappedAt = useRef({ bookingId: "", at: -Infinity });
  const players = loaded.players.map((player) => {
    const { bookingId } = player;
    const last = taps.findLast((tap) => tap.bookingId === bookingId);
    if (last) return { ...player, attendance: last.to || null, markVersion: undefined };
    // Data loaded later knows better, unless it was read before the tap was saved.
    const now = results[bookingId];
    const isOver = now === before[bookingId] && !isNewer(now, player);
    if (isOver || now?.attendance === undefined) return player;
    return { ...player, attendance: now.attendance, markVersion: now.version };
  });
  return {
    roster: { ...loaded, players },
    statuses: rowStatuses(taps, results),
    tap(
      { bookingId, attendance, markVersion: version }: RosterPlayer,
      to: Attendance | "",
      at: number,
    ) {
      // "Undo" replaces "Check in", and a double tap must not undo.
      const isDouble = tappedAt.current.bookingId === bookingId;
      if (isDouble && at - tappedAt.current.at < DOUBLE_TAP_MS) return;
      tappedAt.current = { bookingId, at };
      addTap(of, { id: crypto.randomUUID(), bookingId, from: attendance ?? "", to, version });
    },
  };
}

const isNewer = (status: RowStatus | undefined, { markVersion = 0 }: RosterPlayer) =>
  (status?.version ?? 0) > markVersion;

/** Results when this roster was loaded. */
function useResultsBefore(loaded: Roster, results: Record<string, RowStatus>) {
  const [before, setBefore] = useState({ loaded, results });
  if (before.loaded === loaded) return before.results;
  setBefore({ loaded, results });
  return results;
}
