import { Button, buttonClass } from "#app/ui/button.tsx";
import { Share } from "#app/ui/icon.tsx";
import { toast } from "#app/ui/toast.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";

/** Shares natively where the browser can, else copies the link; before JavaScript, by mail. */
export function ShareButton({ title }: { title: string }) {
  const hydrated = useHydrated();
  const content = (
    <>
      <Share className="size-5" /> SHARE GAME
    </>
  );
  if (!hydrated) {
    const subject = `mailto:?subject=${encodeURIComponent(title)}`;
    return (
      <a href={subject} className={buttonClass({ className: "justify-self-start" })}>
        {content}
      </a>
    );
  }
  return (
    <Button type="button" className="justify-self-start" onClick={() => void share(title)}>
      {content}
    </Button>
  );
}

async function share(title: string) {
  const url = window.location.origin + window.location.pathname;
  if (navigator.share) {
    // A dismissed share dialog rejects; that is the player's choice and no failure.
    return navigator.share({ title, url }).catch(() => {});
  }
  try {
    await navigator.clipboard.writeText(url);
    toast({ title: "Link copied!", description: "Game link copied to clipboard" });
  } catch {
    toast({ title: "Could not copy link to clipboard.", tone: "danger" });
  }
}
