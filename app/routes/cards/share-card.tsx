import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";
import { ShortForm } from "#app/forms/short-form.tsx";
import { PostForm } from "#app/forms/post-form.tsx";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Share } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { toast } from "#app/ui/toast.ts";

/** `link` is the card's public address once it is shared. */
export function ShareCard({ link, name }: { link: string | null; name: string }) {
  const isAsked = useRef(false);
  const file = useRef<Promise<File | null>>(Promise.resolve(null));
  useEffect(() => {
    if (!link) return;
    // Loaded ahead, since browsers allow sharing only shortly after a press.
    file.current = fetchCardFile(link);
    if (!isAsked.current) return;
    isAsked.current = false;
    void share({ link, name, file: file.current, isLate: true });
  }, [link, name]);
  return (
    <section aria-label="Sharing" tabIndex={-1} className="grid w-full max-w-md gap-4 outline-none">
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

const SHARE = (
  <>
    <Share className="size-5" /> Share
  </>
);

function Shared({ link, onShare }: { link: string; onShare: () => void }) {
  const hydrated = useHydrated();
  const isStopping = useNavigation().formData?.get("intent") === "stop-sharing";
  return (
    <>
      <Button
        type="button"
        variant="primary"
        size="lg"
        wide
        onClick={onShare}
        className={hydrated ? undefined : "invisible"}
      >
        {SHARE}
      </Button>
      <p className="text-sm text-muted">Your card is shared. Anyone with the link can see it.</p>
      <TextField label="Link to your card" readOnly value={link} onFocus={selectAll} />
      <div className="grid grid-cols-2 gap-3">
        <a
          href={`${new URL(link).pathname}.png`}
          download="player-card.png"
          className={buttonClass({ wide: true })}
        >
          Save picture
        </a>
        <PostForm>
          <input type="hidden" name="intent" value="stop-sharing" />
          <Button wide pending={isStopping}>
            Stop sharing
          </Button>
        </PostForm>
      </div>
    </>
  );
}

function ShareForm({ onSubmit }: { onSubmit: () => void }) {
  return (
    <div className="grid gap-3">
      <ShortForm
        intent="share"
        onSubmit={onSubmit}
        submit={SHARE}
        pendingLabel="Creating the link…"
      />
      <p className="text-sm text-muted">
        Sharing creates a public link with your name, picture, position, nationality, totals, games
        this month and weeks in a row, and nothing else. Turn it off any time.
      </p>
    </div>
  );
}

type Sharing = { link: string; name: string; file: Promise<File | null>; isLate: boolean };

/** Opens the device's share dialog, with the picture if possible; otherwise copies the link. */
async function share({ link, name, file, isLate }: Sharing) {
  if (typeof navigator.share !== "function") return copyLink(link, isLate);
  const picture = await file;
  const title = `${name}, player card`;
  const withPicture = picture && { title, text: link, files: [picture] };
  try {
    await navigator.share(withPicture ?? { title, url: link });
  } catch {
    // Dismissed or not allowed: link and button are still there.
  }
}

/** Null if this browser cannot share files, or the picture did not load. */
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
