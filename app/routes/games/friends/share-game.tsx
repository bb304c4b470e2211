import type { ReactNode } from "react";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { GamePage } from "#app/routes/games/game-page.server.ts";

type Share = GamePage["share"];
type ShareGameProps = { game: GamePage; className?: string; children: ReactNode };

/** Uses the browser's share dialog, otherwise copies the link; without JavaScript, an email link. */
export function ShareGame({ game: { share }, className, children }: ShareGameProps) {
  if (!useHydrated()) {
    return (
      <a href={share.mailto} className={buttonClass({ className })}>
        {children}
      </a>
    );
  }
  return (
    <Button type="button" className={className} onClick={() => void send(share)}>
      {children}
    </Button>
  );
}

async function send({ title, text, url, copy, copied }: Share) {
  if (navigator.share) {
    // A dismissed share dialog rejects: not an error.
    return navigator.share({ title, text, url }).catch(() => {});
  }
  try {
    await navigator.clipboard.writeText(copy);
    toast({ title: "Link copied!", description: copied });
  } catch {
    toast({ title: "Could not copy link to clipboard.", tone: "danger" });
  }
}
