import { useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Share } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { toast } from "#app/ui/toast.ts";
import { useKeptFocus } from "#app/ui/page-change.tsx";

type ShareCardProps = {
  /** The card's public address, once it is shared. */
  link: string | null;
  name: string;
};

/** Creates the link, shares it, and ends it again. */
export function ShareCard({ link, name }: ShareCardProps) {
  const isAsked = useRef(false);
  const file = useRef<Promise<File | null>>(Promise.resolve(null));
  useEffect(() => {
    if (!link) return;
    // Loaded ahead: within a moment browsers no longer count the press of the button.
    file.current = fetchCardFile(link);
    if (!isAsked.current) return;
    isAsked.current = false;
    void share({ link, name, file: file.current, isLate: true });
  }, [link, name]);
  const box = useKeptFocus<HTMLElement>(link);
  return (
    <section
      ref={box}
      aria-label="Sharing"
      tabIndex={-1}
      className="grid w-full max-w-md gap-4 outline-none"
    >
      {link ? (
        <Shared
          link={link}
          onShare={() => void share({ link, name, file: file.current, isLate: false })}
        />
      ) : (
        <ShareForm onSubmit={() => (isAsked.current = true)} />
      )}
    </section>
  );
}

function Shared({ link, onShare }: { link: string; onShare: () => void }) {
  const hydrated = useHydrated();
  const isStopping = useNavigation().formData?.get("intent") === "stop-sharing";
  return (
    <>
      <p className="text-muted">Your card is shared. Anyone with the link can see it.</p>
      <TextField label="Link to your card" readOnly value={link} onFocus={selectAll} />
      {hydrated && (
        <Button type="button" variant="primary" size="lg" wide onClick={onShare}>
          <Share className="size-5" /> Share
        </Button>
      )}
      <div className="grid grid-cols-2 gap-3">
        <a
          href={`${new URL(link).pathname}.png`}
          download="player-card.png"
          className={buttonClass({ wide: true })}
        >
          Save picture
        </a>
        <Form method="post">
          <input type="hidden" name="intent" value="stop-sharing" />
          <Button wide pending={isStopping}>
            Stop sharing
          </Button>
        </Form>
      </div>
    </>
  );
}

function ShareForm({ onSubmit }: { onSubmit: () => void }) {
  const isSharing = useNavigation().formData?.get("intent") === "share";
  return (
    <Form method="post" onSubmit={onSubmit} className="grid gap-4">
      <input type="hidden" name="intent" value="share" />
      <p className="text-muted">
        Sharing creates a public link with your name, picture, position, nationality and totals, and
        nothing else. Turn it off any time.
      </p>
      <Button
        variant="primary"
        size="lg"
        wide
        pending={isSharing}
        pendingLabel="Creating the link…"
      >
        <Share className="size-5" /> Share
      </Button>
    </Form>
  );
}

type Sharing = { link: string; name: string; file: Promise<File | null>; isLate: boolean };

/** By the device's own dialog, with the picture where it takes files; else copies the link. */
async function share({ link, name, file, isLate }: Sharing) {
  if (typeof navigator.share !== "function") return copyLink(link, isLate);
  const picture = await file;
  const title = `${name}, player card`;
  const withPicture = picture && { title, text: link, files: [picture] };
  try {
    await navigator.share(withPicture ?? { title, url: link });
  } catch {
    // The player dismissed it, or it was not allowed: link and button are still there.
  }
}

/** The picture as a file; null where this browser shares no files, or it did not arrive. */
async function fetchCardFile(link: string): Promise<File | null> {
  try {
    if (!navigator.canShare?.({ files: [new File([], "card.png", { type: "image/png" })] })) {
      return null;
    }
    const response = await fetch(`${new URL(link).pathname}.png`);
    if (!response.ok) return null;
    return new File([await response.blob()], "player-card.png", { type: "image/png" });
  } catch {
    return null;
  }
}

/** `isLate`: after a while browsers may not allow it, and the link is on the page anyway. */
async function copyLink(link: string, isLate: boolean): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    toast({ title: "Link copied!", description: "Anyone with the link can see your card." });
  } catch {
    if (!isLate) toast({ title: "Could not copy link to clipboard.", tone: "danger" });
  }
}

function selectAll(event: { currentTarget: HTMLInputElement }) {
  event.currentTarget.select();
}
