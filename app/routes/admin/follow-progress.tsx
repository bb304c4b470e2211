import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { readQuietly } from "#app/forms/offline-middleware.ts";

const EVERY_MS = 2_000;

/** Reads the page again as long as something is to come. */
export function FollowProgress({ isFinished }: { isFinished: boolean }) {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (isFinished || state !== "idle") return;
    const look = () => void (!document.hidden && readQuietly(revalidate));
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, [isFinished, revalidate, state]);
  if (isFinished) return null;
  return (
    <noscript>
      <meta httpEquiv="refresh" content="5" />
    </noscript>
  );
}
