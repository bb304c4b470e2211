import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { onKept } from "#app/ui/kept.ts";
import { Notice } from "#app/ui/notice.tsx";
import { listUnsaved, sendWaiting, type Unsaved } from "./tap-queue.ts";

/** Sends taps made without a connection from any page; the game's own roster reports itself. */
export function WaitingTaps({ userId }: { userId: string }) {
  const { pathname } = useLocation();
  const [unsaved, setUnsaved] = useState<Unsaved[]>([]);
  useEffect(() => {
    const update = () => setUnsaved(listUnsaved(userId));
    sendWaiting(userId);
    update();
    return onKept(update);
  }, [userId]);
  return unsaved
    .filter(({ gameId }) => pathname !== `/admin/games/${gameId}`)
    .map(({ gameId, waiting, failed }) => (
      <Notice key={gameId} tone="warn">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p>
            {waiting > 0 && `${taps(waiting, "waits", "wait")} on this phone to be sent. `}
            {failed > 0 && `${taps(failed, "was", "were")} not saved.`}
          </p>
          <ButtonLink to={`/admin/games/${gameId}`}>Open the player list</ButtonLink>
        </div>
      </Notice>
    ));
}

const taps = (count: number, one: string, many: string) =>
  count === 1 ? `1 tap ${one}` : `${count} taps ${many}`;
