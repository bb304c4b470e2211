import { useEffect } from "react";
import { useFetcher } from "react-router";
import type { FailedCheckout } from "./plans.server.ts";

/** Posts to checkout, which redirects to Stripe or returns an error. */
export function useCheckout() {
  const fetcher = useFetcher<FailedCheckout>();
  const { reset } = fetcher;
  useEffect(() => {
    // The back button may restore the page as it was left, with its form still pending.
    const wake = ({ persisted }: PageTransitionEvent) => persisted && reset();
    window.addEventListener("pageshow", wake);
    return () => window.removeEventListener("pageshow", wake);
  }, [reset]);
  return fetcher;
}
