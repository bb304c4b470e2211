import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Attendance } from "#app/platform/schema.ts";
import type { Roster, RosterPlayer } from "./game-view.server.ts";
import {
  addTap,
  forgetFailures,
  noTaps,
  onTaps,
  readTaps,
  type Said,
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
  const { taps, said } = useSyncExternalStore(onTaps, () => readTaps(key), noTaps);
  useEffect(() => {
    void sendTaps(key);
    return () => forgetFailures(key);
  }, [key]);
  const before = useSaidBefore(loaded, said);
  const tappedAt = useRef({ bookingId: "", at: -Infinity });
  const players = loaded.players.map((player) => {
    const { bookingId } = player;
    const last = taps.findLast((tap) => tap.bookingId === bookingId);
    if (last) return { ...player, attendance: last.to || null, markVersion: undefined };
    // Data loaded later knows better, unless it was read before the tap was saved.
    const isOver = said[bookingId] === before[bookingId] && !isNewer(said[bookingId], player);
    const now = isOver ? undefined : said[bookingId];
    if (now?.attendance === undefined) return player;
    return { ...player, attendance: now.attendance, markVersion: now.version };
  });
  return {
    roster: { ...loaded, players },
    said,
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

const isNewer = (said: Said | undefined, { markVersion = 0 }: RosterPlayer) =>
  (said?.version ?? 0) > markVersion;

/** As it was when this roster was loaded. */
function useSaidBefore(loaded: Roster, said: Record<string, Said>) {
  const [before, setBefore] = useState({ loaded, said });
  if (before.loaded === loaded) return before.said;
  setBefore({ loaded, said });
  return said;
}
