import { randomUUID } from "node:crypto";
import { sumPayments } from "#app/features/wallet/metrics.server.ts";
import { listPacks } from "#app/features/wallet/packs.server.ts";
import { listUnmatchedEvents } from "#app/features/wallet/stripe/unmatched-events.server.ts";
import { listAssigned } from "#app/features/wallet/stripe/take-back-assignment.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { openRefunds } from "#app/routes/admin/refunds.server.ts";
import { AdminPage } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/list";
import { paymentAction } from "./actions.server.ts";
import { AssignedLately } from "./assigned.tsx";
import {
  toAssignedView,
  toEventView,
  toPackChoice,
  totalText,
  type EventView,
} from "./event-view.ts";
import { type ComponentProps, useLayoutEffect } from "react";
import { FormKey } from "#app/forms/form-key.tsx";
import { fieldProps } from "#app/forms/form-result.ts";
import { ChoiceField } from "#app/routes/admin/choice-field.tsx";
import { ConfirmationBox, type ConfirmedResult } from "#app/routes/admin/confirmation.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { DialogClose, DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { TextField } from "#app/ui/field.tsx";

const EVENTS_SHOWN = 100;
const ASSIGNED_SHOWN = 20;
const RECENT_MS = 30 * 86_400_000;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const since = new Date(now().getTime() - RECENT_MS);
  const [events, packs, recent, assigned] = await Promise.all([
    listUnmatchedEvents(db, EVENTS_SHOWN + 1),
    listPacks(db),
    sumPayments(db, since),
    listAssigned(db, { since, limit: ASSIGNED_SHOWN }),
  ]);
  return {
    events: events.slice(0, EVENTS_SHOWN).map((event) => toEventView(event, env)),
    canRefund: openRefunds(env) !== null,
    hasMore: events.length > EVENTS_SHOWN,
    packs: packs.map(toPackChoice),
    recent: totalText(recent),
    assigned: assigned.map(toAssignedView),
    formKey: randomUUID(),
  };
}

export const action = paymentAction;

export const meta = metaOf({ title: "Payments to settle" });

export default function Payments({ loaderData, actionData: result }: Route.ComponentProps) {
  const { events, hasMore, canRefund, packs, recent, assigned } = loaderData;
  const failedId = result?.values?.eventId;
  return (
    <AdminPage title="Payments to settle" about={recent}>
      {!events.some(({ id }) => id === failedId) && <FormErrors result={result} />}
      {events.length === 0 ? (
        <EmptyState>Nothing to settle. Every payment has found its player.</EmptyState>
      ) : (
        // Oldest first.
        <ol className="grid gap-4">
          {events.map((event) => (
            <li key={event.id}>
              <EventCard
                event={event}
                canRefund={canRefund}
                packs={packs}
                result={failedId === event.id ? result : undefined}
              />
            </li>
          ))}
        </ol>
      )}
      <AssignedLately assigned={assigned} />
      {hasMore && (
        <p className="text-center text-muted">
          These are the oldest {events.length}. There are more, which follow as these are settled.
        </p>
      )}
    </AdminPage>
  );
}

type Result = ConfirmedResult | undefined;
type EventCardProps = {
  event: EventView;
  canRefund: boolean;
  packs: ReturnType<typeof toPackChoice>[];
  result: Result;
};

function EventCard({ event, canRefund, packs, result }: EventCardProps) {
  const heading = headingId(event.id);
  return (
    <article
      aria-labelledby={heading}
      className="grid gap-5 rounded-card bg-surface p-4 shadow-card md:grid-cols-2 md:gap-8 md:p-6"
    >
      <EventFacts event={event} />
      <div className="grid content-start gap-4">
        <FormErrors result={result} fieldId={(name) => fieldId(name, event)} />
        {event.assign && (
          <AssignForm event={event} assign={event.assign} packs={packs} result={result} />
        )}
        <div className="flex flex-wrap gap-3">
          <EventForm event={event} intent="retry" className="grow basis-0">
            <SubmitButton wide pendingLabel="Trying…" aria-describedby={heading}>
              Try again
            </SubmitButton>
          </EventForm>
          {event.refund && canRefund && <RefundDialog event={event} result={result} />}
          <DismissDialog event={event} result={result} />
        </div>
      </div>
    </article>
  );
}

const headingId = (eventId: string) => `event-${eventId}`;
const fieldId = (name: string, event: EventView) => `${name}-${event.id}`;

function EventFacts({ event }: { event: EventView }) {
  return (
    <div className="grid min-w-0 content-start gap-4">
      <div>
        <h3
          id={headingId(event.id)}
          className="flex scroll-mt-20 flex-wrap items-baseline justify-between gap-x-4 text-lg"
        >
          <span>{event.kind}</span>{" "}
          {event.amount && <span className="tabular-nums">{event.amount}</span>}
        </h3>
        <p className="mt-2 font-semibold">{event.why}</p>
        <p className="mt-1 text-muted">{event.todo}</p>
      </div>
      <dl className="grid grid-cols-[6rem_1fr] gap-x-2 gap-y-1 text-sm">
        <dt className="text-muted">Received</dt>
        <dd className="min-w-0 tabular-nums">{event.received}</dd>
        <dt className="text-muted">Stripe's id</dt>
        <dd className="min-w-0">
          {event.dashboard && (
            <a href={event.dashboard} rel="noopener" className="link block font-semibold">
              Open at Stripe
            </a>
          )}
          <code className="font-mono break-all select-all">{event.objectId}</code>
        </dd>
      </dl>
    </div>
  );
}

interface EventFormProps extends ComponentProps<typeof IntentForm> {
  event: EventView;
  intent: "assign" | "retry" | "dismiss" | "refund";
}

function EventForm({ event, children, ...form }: EventFormProps) {
  return (
    <IntentForm
      {...form}
      hidden={{ eventId: event.id }}
      // Without JavaScript the page scrolls back to the card.
      action={`/admin/payments#${encodeURIComponent(headingId(event.id))}`}
      preventScrollReset
    >
      <FormKey />
      {children}
    </IntentForm>
  );
}

type AssignFormProps = Omit<EventCardProps, "canRefund"> & {
  assign: NonNullable<EventView["assign"]>;
};

function AssignForm({ event, assign, packs, result }: AssignFormProps) {
  const field = (name: "email" | "packId") => ({
    ...fieldProps(result, name, assign[name]),
    id: fieldId(name, event),
  });
  return (
    <EventForm event={event} intent="assign">
      <TextField
        {...field("email")}
        label="Player's email"
        type="email"
        autoComplete="off"
        maxLength={255}
        required
      />
      {assign.needsPack && (
        <ChoiceField
          {...field("packId")}
          label="Pack"
          none="Choose a pack"
          choices={packs}
          required
        />
      )}
      <ConfirmationBox confirmation={result?.confirmation} pendingLabel="Settling…" />
      <SubmitButton
        variant={result?.confirmation ? "secondary" : "primary"}
        pendingLabel="Settling…"
        aria-describedby={headingId(event.id)}
      >
        {assign.needsPack ? "Give the credits" : "It belongs to this player"}
      </SubmitButton>
    </EventForm>
  );
}

function RefundDialog({ event, result }: { event: EventView; result: Result }) {
  const dialog = `refund-${event.id}`;
  useLayoutEffect(() => {
    if (result) (document.getElementById(dialog) as HTMLDialogElement | null)?.close();
  }, [result, dialog]);
  return (
    <>
      <DialogTrigger
        dialog={dialog}
        className="grow basis-0"
        aria-describedby={headingId(event.id)}
      >
        Refund
      </DialogTrigger>
      <Dialog id={dialog} title={`Refund ${event.amount}?`}>
        <p>
          Stripe pays it back to the payer, in the way it was paid. Nobody gets credits for it, and
          it leaves this list.
        </p>
        <EventForm event={event} intent="refund" className="mt-6 flex flex-wrap justify-end gap-3">
          <DialogClose dialog={dialog}>Keep it</DialogClose>
          <SubmitButton variant="danger" pendingLabel="Refunding…">
            Refund {event.amount}
          </SubmitButton>
        </EventForm>
      </Dialog>
    </>
  );
}

function DismissDialog({ event, result }: { event: EventView; result: Result }) {
  const dialog = `set-aside-${event.id}`;
  useLayoutEffect(() => {
    // Before the error takes the focus: a closing dialog returns it to its button.
    if (result) (document.getElementById(dialog) as HTMLDialogElement | null)?.close();
  }, [result, dialog]);
  return (
    <>
      <DialogTrigger
        dialog={dialog}
        variant="quiet"
        className="grow basis-0"
        aria-describedby={headingId(event.id)}
      >
        Set aside
      </DialogTrigger>
      <Dialog id={dialog} title="Set this aside?">
        <p className="font-semibold">{[event.kind, event.amount].filter(Boolean).join(", ")}</p>
        <p className="mt-2">
          Nobody gets credits for it, and it leaves this list for good. Do it when the money was
          refunded at Stripe or nothing is owed.
        </p>
        <EventForm event={event} intent="dismiss" className="mt-6 flex flex-wrap justify-end gap-3">
          <DialogClose dialog={dialog}>Keep it</DialogClose>
          <SubmitButton variant="danger" pendingLabel="Setting aside…">
            Set aside
          </SubmitButton>
        </EventForm>
      </Dialog>
    </>
  );
}
