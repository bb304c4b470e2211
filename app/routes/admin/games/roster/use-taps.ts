import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Attendance } from "#app/platform/schema.ts";
import type { Roster, RosterPlayer } from "#app/routes/admin/games/game-view.server.ts";
import {
  addTap,
  clearFailures,
  noTaps,
  onTaps,
  readTaps,
  type RowStatus,
  sendTaps,
  tapKey,
} from "./tap-queue.ts";

/** Longer than the pause within a double tap. */
const DOUBLE_TAP_MS = 500;

export type Taps = ReturnType<typeof useTaps>;

// Shows taps at once, independent of the page's own loading, so no connection can undo them. Taps
// that could not be sent are kept, and sent when the connection is back.
export function useTaps(loaded: Roster, viewerId: string) {
  const key = tapKey(loaded.gameId, viewerId);
  const { taps, statuses } = useSyncExternalStore(onTaps, () => readTaps(key), noTaps);
  useEffect(() => {
    void sendTaps(key);
    return () => clearFailures(key);
  }, [key]);
  const before = useStatusesBefore(loaded, statuses);
  const tappedAt = useRef({ bookingId: "", at: -Infinity });
  const players = loaded.players.map((player) => {
    const { bookingId } = player;
    const last = taps.findLast((tap) => tap.bookingId === bookingId);
    if (last) return { ...player, attendance: last.to || null, markVersion: undefined };
    // Data loaded later knows better, unless it was read before the tap was saved.
    const isOver =
      statuses[bookingId] === before[bookingId] && !isNewer(statuses[bookingId], player);
    const now = isOver ? undefined : statuses[bookingId];
    if (now?.attendance === undefined) return player;
    return { ...player, attendance: now.attendance, markVersion: now.version };
  });
  return {
    roster: { ...loaded, players },
    statuses,
    tap(
      { bookingId, attendance, markVersion: version }: RosterPlayer,
      to: Attendance | "",
      at: number,
    ) {
      // "Undo" replaces "Check in", and a double tap must not undo.
      const isDouble = tappedAt.current.bookingId === bookingId;
      if (isDouble && at - tappedAt.current.at < DOUBLE_TAP_MS) return;
      tappedAt.current = { bookingId, at };
      addTap(key, { id: crypto.randomUUID(), bookingId, from: attendance ?? "", to, version });
    },
  };
}

const isNewer = (status: RowStatus | undefined, { markVersion = 0 }: RosterPlayer) =>
  (status?.version ?? 0) > markVersion;

/** As it was when this roster was loaded. */
function useStatusesBefore(loaded: Roster, statuses: Record<string, RowStatus>) {
  const [before, setBefore] = useState({ loaded, statuses });
  if (before.loaded === loaded) return before.statuses;
  setBefore({ loaded, statuses });
  return statuses;
}
