import { useEffect, useState } from "react";
import { useNavigation, useSubmit } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { usePageAccount } from "#app/forms/post-form.tsx";
import { Button } from "#app/ui/button.tsx";
import { isInstalled, isIos } from "#app/ui/installed-app.ts";
import { Notice } from "#app/ui/notice.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";

interface PushDeviceProps {
  brandName: string;
  publicKey: string;
  isOnHere: boolean;
  result: FormResult | undefined;
}

export function PushDevice({ isOnHere, result, ...device }: PushDeviceProps) {
  const hydrated = useHydrated();
  const [isSubscribed, setSubscribed] = useState(true);
  // The browser's settings may have withdrawn the permission, and with it the subscription.
  useEffect(() => {
    void hasSubscription().then(setSubscribed, () => setSubscribed(false));
  }, []);
  const isOn = isOnHere && (!hydrated || isSubscribed);
  return (
    <section aria-labelledby="this-device" className="grid gap-3">
      <h2 id="this-device" className="text-lg">
        This device
      </h2>
      <FormErrors result={result} />
      {isOn ? <TurnOff /> : <TurnOn {...device} onSubscribed={() => setSubscribed(true)} />}
    </section>
  );
}

async function hasSubscription(): Promise<boolean> {
  if (!isSupported() || Notification.permission !== "granted") return false;
  return (await (await worker()).pushManager.getSubscription()) !== null;
}

function TurnOff() {
  return (
    <IntentForm
      intent="device-off"
      className="flex flex-wrap items-center justify-between gap-3 rounded-card bg-surface p-4 shadow-card"
      onSubmit={() => void unsubscribe().catch(() => {})}
    >
      <p className="font-semibold">Notifications are on</p>
      <SubmitButton pendingLabel="Turning off...">Turn off</SubmitButton>
    </IntentForm>
  );
}

type TurnOnProps = Pick<PushDeviceProps, "brandName" | "publicKey"> & { onSubscribed: () => void };

export function TurnOn({ brandName, publicKey, onSubscribed }: TurnOnProps) {
  const hydrated = useHydrated();
  const submit = useSubmit();
  const own = usePageAccount();
  const isSaving = useNavigation().formData?.get("intent") === "device-on";
  const [step, setStep] = useState<"idle" | "asking" | "failed">("idle");
  if (hydrated && !isSupported()) return <p className="text-muted">{unsupported(brandName)}</p>;
  if (hydrated && Notification.permission === "denied") return <Denied brandName={brandName} />;
  const turnOn = async () => {
    setStep("asking");
    try {
      const subscription = await subscribe(publicKey);
      setStep("idle");
      const fields = { ...own, intent: "device-on", subscription: JSON.stringify(subscription) };
      if (!subscription) return;
      onSubscribed();
      await submit(fields, { method: "post" });
    } catch {
      setStep("failed");
    }
  };
  return (
    <>
      {step === "failed" && (
        <Notice tone="danger">Your browser did not turn them on. Please try again.</Notice>
      )}
      <Button
        type="button"
        wide
        // Without JavaScript it could do nothing, but its space is kept.
        className={hydrated ? "" : "invisible"}
        pending={step === "asking" || isSaving}
        pendingLabel="Turning on..."
        onClick={() => void turnOn()}
      >
        Turn on notifications on this device
      </Button>
    </>
  );
}

function Denied({ brandName }: { brandName: string }) {
  return (
    <Notice tone="warn" title="Notifications are blocked">
      Allow them for {brandName} in the settings of your browser, then come back to this page.
    </Notice>
  );
}

const isSupported = () =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function unsupported(brandName: string): string {
  if (!isIos() || isInstalled()) return "This browser cannot show notifications.";
  return `Add ${brandName} to your home screen first: tap Share, then Add to Home Screen. Open it from there and come back to this page.`;
}

/** Null if the user says no. */
async function subscribe(applicationServerKey: string) {
  if ((await Notification.requestPermission()) !== "granted") return null;
  await unsubscribe();
  const { pushManager } = await worker();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

async function unsubscribe() {
  const { pushManager } = await worker();
  // A subscription made with another key would block a new one.
  await (await pushManager.getSubscription())?.unsubscribe();
}

async function worker() {
  await navigator.serviceWorker.register("/sw.js");
  return navigator.serviceWorker.ready;
}
