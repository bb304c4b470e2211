import { useEffect, useState } from "react";
import { FormErrors } from "#app/forms/form-errors.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { TurnOn } from "#app/routes/push/push-device.tsx";

interface PushOfferProps {
  brandName: string;
  publicKey: string;
  result: FormResult | undefined;
}

/** Set once it was shown in this browser; the settings have the same button. */
const ASKED = "push-asked";

/** Asks for notifications where this browser can show them and has not been asked. */
export default function PushOffer(props: PushOfferProps) {
  const hydrated = useHydrated();
  return hydrated ? <Offer {...props} /> : null;
}

function Offer({ brandName, publicKey, result }: PushOfferProps) {
  const [isShown] = useState(mayAsk);
  useEffect(() => {
    if (isShown) document.cookie = `${ASKED}=1; path=/events; max-age=31536000; samesite=lax`;
  }, [isShown]);
  if (!isShown) return null;
  return (
    <section aria-labelledby="push-offer" className="mt-6 grid gap-2 border-t border-line pt-5">
      <h3 id="push-offer" className="text-base font-bold">
        Hear of changes at once
      </h3>
      <p className="text-muted">
        A message on this device when the game moves, is called off or is about to begin.
      </p>
      <FormErrors result={result} />
      <TurnOn brandName={brandName} publicKey={publicKey} onSubscribed={() => {}} />
    </section>
  );
}

function mayAsk(): boolean {
  const isAsked = document.cookie.includes(`${ASKED}=`);
  return !isAsked && globalThis.Notification?.permission === "default";
}
