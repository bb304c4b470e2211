import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import type { PaidPage } from "./paid-page.server.ts";
import { useLeadOn } from "./use-arrival.ts";

type PaidActionsProps = { page: PaidPage; isLong: boolean; hasStopped: boolean };

/** What can be done while the payment is in this state. */
export function PaidActions({ page, isLong, hasStopped }: PaidActionsProps) {
  const { state, again } = page;
  if (state === "arrived") return <Onward page={page} />;
  if (state === "failed") return <BuyAgain />;
  return (
    <div className="grid justify-items-center gap-4">
      {(isLong || state === "parked" || state === "settled") && <Contact page={page} />}
      {hasStopped && <p className="text-muted">This page no longer updates by itself.</p>}
      <div className="flex flex-wrap justify-center gap-2">
        <ButtonLink to={again} reloadDocument variant="quiet">
          Check again
        </ButtonLink>
        <ButtonLink to="/events" variant="quiet">
          Find a game
        </ButtonLink>
      </div>
    </div>
  );
}

function Onward({ page: { onward } }: { page: PaidPage }) {
  const ref = useRef<HTMLAnchorElement>(null);
  const { isLeading, stop } = useLeadOn(onward?.to ?? null);
  useEffect(() => ref.current?.focus(), []);
  const { to, label } = onward ?? { to: "/events", label: "Find a game" };
  return (
    <div className="grid justify-items-center gap-3">
      <ButtonLink ref={ref} to={to} variant="primary" size="lg">
        {label}
      </ButtonLink>
      {isLeading && (
        <p className="flex flex-wrap items-center justify-center gap-x-2 text-sm text-muted">
          Taking you there…
          <Button type="button" variant="quiet" onClick={stop}>
            Stay here
          </Button>
        </p>
      )}
    </div>
  );
}

function BuyAgain() {
  return (
    <Form method="post" action="/wallet">
      <input type="hidden" name="intent" value="buy-credits" />
      <Button variant="primary">Buy credits</Button>
    </Form>
  );
}

function Contact({ page: { contactEmail, sessionId } }: { page: PaidPage }) {
  const subject = encodeURIComponent(`Payment ${sessionId}`);
  return (
    <p className="max-w-md text-sm text-muted">
      <a href={`mailto:${contactEmail}?subject=${subject}`} className="link text-ink">
        {contactEmail}
      </a>
      , reference <span className="font-mono break-all">{sessionId}</span>
    </p>
  );
}
