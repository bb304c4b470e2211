import {
  findCard,
  findShareToken,
  shareCard,
  stopSharingCard,
} from "#app/features/players/cards.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { deletePictures } from "#app/platform/images/drawn-pictures.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { playerRow } from "#app/routes/player-row.server.ts";
import type { Route } from "./+types/own";
import { toCardView } from "#app/features/players/card-view.ts";
import { PlayerCard } from "#app/features/players/player-card.tsx";
import { useEffect, useRef } from "react";
import { IntentForm, ShortForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Share } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { toast } from "#app/ui/toast.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const [card, token] = await Promise.all([
    findCard(db, userId, now()),
    findShareToken(db, userId),
  ]);
  if (!card) throw new Error("a player without a profile");
  return { card: toCardView(card), link: token && `${env.appUrl}/card/${token}` };
}

export const action = formActions({
  share: playerRow({
    failed: "Failed to share your card",
    run: ({ db, viewer }) => shareCard(db, viewer.userId),
    errors: {},
    done: {},
  }),
  "stop-sharing": playerRow({
    failed: "Failed to stop sharing your card",
    run: async ({ db, env, viewer }) => {
      const token = await stopSharingCard(db, viewer.userId);
      if (token) await deletePictures(env.dataDir, token);
    },
    errors: {},
    done: { title: "Sharing stopped", description: "The link to your card is gone." },
  }),
});

export const meta = metaOf({
  title: "My player card",
  description: "Your player card, to look at and to share.",
});

export default function OwnCard({ loaderData, actionData }: Route.ComponentProps) {
  const { card, link } = loaderData;
  return (
    <div className="mx-auto grid max-w-4xl gap-3 px-4 pt-2">
      <div className="flex items-center justify-between gap-4">
        <BackLink to="/profile">Profile</BackLink>
        <h1 className="text-lg">My player card</h1>
      </div>
      <FormErrors result={actionData} />
      <div className="grid items-start justify-items-center gap-4 md:grid-cols-2 md:items-center md:gap-10">
        <div className={cardClass}>
          <PlayerCard card={card} />
        </div>
        <ShareCard link={link} name={card.name} />
      </div>
    </div>
  );
}

// On a phone as large as the Share button allows, which stays in view between the bars.
const cardClass = "w-full max-w-[min(28rem,max(15rem,calc((100svh-20rem)*0.8)))] md:max-w-md";

/** `link` is the card's public address once it is shared. */
function ShareCard({ link, name }: { link: string | null; name: string }) {
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
        <IntentForm intent="stop-sharing">
          <SubmitButton wide pendingLabel="Stopping…">
            Stop sharing
          </SubmitButton>
        </IntentForm>
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
