import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useBlocker, useLocation, useNavigation } from "react-router";
import { timeText } from "#app/platform/clock.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog, DialogClose } from "#app/ui/dialog.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { FormWatch, type Restored } from "./form-watch.ts";

const DIALOG = "unsaved-changes";

/** Asks before changed forms with text are left, and keeps their drafts in this browser. */
export function KeepDrafts({ accountId }: { accountId: string }) {
  const { watch, restored } = useFormWatch(accountId);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname + currentLocation.search !==
        nextLocation.pathname + nextLocation.search &&
      (watch.current?.asks() ?? false),
  );
  return (
    <>
      {restored.map((each) =>
        createPortal(
          <RestoredNotice restored={each} onDiscard={() => watch.current?.discard(each)} />,
          each.place,
        ),
      )}
      {blocker.state === "blocked" && (
        <Dialog id={DIALOG} title="Leave without saving?" open onClose={() => blocker.reset()}>
          <p>You changed this page and did not save it. What you typed stays in this browser.</p>
          <div className="mt-6 flex flex-wrap justify-end gap-3 max-md:*:grow">
            <DialogClose dialog={DIALOG}>Keep editing</DialogClose>
            <Button variant="danger" onClick={() => blocker.proceed()}>
              Leave
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function useFormWatch(accountId: string) {
  const watch = useRef<FormWatch>(null);
  const [restored, setRestored] = useState<Restored[]>([]);
  const location = useLocation();
  const { state } = useNavigation();
  useEffect(() => {
    const found = new FormWatch(accountId, setRestored);
    watch.current = found;
    const stop = found.listen();
    return () => {
      watch.current = null;
      stop();
    };
  }, [accountId]);
  useEffect(() => {
    const { _isRedirect: isRedirect } = (location.state ?? {}) as { _isRedirect?: boolean };
    // An ended session leads to a page without this component: its drafts stay.
    watch.current?.arrive({ key: location.key, isIdle: state === "idle", isSaved: !!isRedirect });
  }, [location, state, accountId]);
  return { watch, restored };
}

type NoticeProps = { restored: Restored; onDiscard: () => void };

function RestoredNotice({ restored: { at, isOutdated }, onDiscard }: NoticeProps) {
  return (
    <Notice tone={isOutdated ? "warn" : "info"}>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p>
          Draft from {draftTime(at)} restored.
          {isOutdated && " Somebody else has saved a change since: saving shows what differs."}
        </p>
        <Button variant="quiet" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Notice>
  );
}

/** By Helsinki's clock, as all times of the site. */
const draftTime = (at: number) => timeText(new Date(at), new Date());
