import type { ReactNode } from "react";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { GamePage } from "./game-page.server.ts";

type ShareGameProps = { game: GamePage; className: string; children: ReactNode };

/** Uses the browser's share dialog, else copies the link; without JavaScript, an email link. */
export function ShareGame({ game, className, children }: ShareGameProps) {
  const hydrated = useHydrated();
  const title = `${game.venue.name}, ${game.shortDate} ${game.start}`;
  if (!hydrated) {
    const mail = `subject=${encodeURIComponent(title)}&body=${encodeURIComponent(game.url)}`;
    return (
      <a href={`mailto:?${mail}`} className={buttonClass({ className })}>
        {children}
      </a>
    );
  }
  return (
    <Button type="button" className={className} onClick={() => void share(title, game.url)}>
      {children}
    </Button>
  );
}

async function share(title: string, url: string) {
  if (navigator.share) {
    // A dismissed share dialog rejects: not an error.
    return navigator.share({ title, url }).catch(() => {});
  }
  try {
    await navigator.clipboard.writeText(url);
    toast({ title: "Link copied!", description: "Game link copied to clipboard" });
  } catch {
    toast({ title: "Could not copy link to clipboard.", tone: "danger" });
  }
}
