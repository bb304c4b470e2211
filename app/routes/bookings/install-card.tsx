import { useEffect, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { installPrompt, isInstalled, isIos } from "#app/ui/installed-app.ts";

/** Set once the card was answered in any way. */
const ANSWERED = "install-answered";

/** Offers the home screen until it is answered; nothing if the browser cannot install. */
export default function InstallCard({ brandName }: { brandName: string }) {
  const [offer, setOffer] = useState<"button" | "hint" | null>(null);
  useEffect(() => {
    const look = () => setOffer(findOffer());
    look();
    addEventListener("beforeinstallprompt", look);
    return () => removeEventListener("beforeinstallprompt", look);
  }, []);
  if (!offer) return null;
  const answer = () => {
    remember();
    setOffer(null);
  };
  const install = async () => {
    await installPrompt()?.prompt();
    answer();
  };
  return (
    <section
      aria-labelledby="install"
      className="grid gap-3 rounded-card bg-surface p-4 shadow-card"
    >
      <h2 id="install" className="text-base font-bold">
        {brandName} on your home screen
      </h2>
      <p className="text-muted">
        {offer === "hint"
          ? "Tap Share, then Add to Home Screen: one tap to your next game, and notifications if you like."
          : "One tap to your next game, and notifications if you like."}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button type="button" variant="quiet" onClick={answer}>
          {offer === "hint" ? "Got it" : "No thanks"}
        </Button>
        {offer === "button" && (
          <Button type="button" onClick={() => void install()}>
            Add to home screen
          </Button>
        )}
      </div>
    </section>
  );
}

function findOffer() {
  if (isInstalled() || isAnswered()) return null;
  if (installPrompt()) return "button";
  return isIos() ? "hint" : null;
}

// A cookie, since signing out clears the storage.
const isAnswered = () => document.cookie.includes(`${ANSWERED}=`);

function remember() {
  document.cookie = `${ANSWERED}=1; path=/bookings; max-age=31536000; samesite=lax`;
}
