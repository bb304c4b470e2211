import type { ReactNode } from "react";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { GamePage } from "./game-page.server.ts";

interface ShareGameProps {
  game: GamePage;
  className: string;
  children: ReactNode;
}

/** Uses the browser's share dialog, else copies the link; without JavaScript, an email link. */
export function ShareGame({ game, className, children }: ShareGameProps) {
  const hydrated = useHydrated();
  const { url, text } = game.share;
  const title = `${game.venue.name}, ${game.shortDate} ${game.start}`;
  if (!hydrated) {
    const mail = `subject=${encodeURIComponent(title)}&body=${encodeURIComponent(withText(url, text))}`;
    return (
      <a href={`mailto:?${mail}`} className={buttonClass({ className })}>
        {children}
      </a>
    );
  }
  return (
    <Button type="button" className={className} onClick={() => void share({ title, text, url })}>
      {children}
    </Button>
  );
}

const withText = (url: string, text?: string) => (text ? `${text}\n${url}` : url);

async function share({ title, text, url }: GamePage["share"] & { title: string }) {
  if (navigator.share) {
    // A dismissed share dialog rejects: not an error.
    return navigator.share({ title, text, url }).catch(() => {});
  }
  try {
    await navigator.clipboard.writeText(withText(url, text));
    const description = text
      ? "With it your friend gets the spot"
      : "Game link copied to clipboard";
    toast({ title: "Link copied!", description });
  } catch {
    toast({ title: "Could not copy link to clipboard.", tone: "danger" });
  }
}
