import { type ReactNode, useLayoutEffect } from "react";
import { Form, useNavigation } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { Button } from "#app/ui/button.tsx";
import { DialogClose, DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { SelectField, TextField } from "#app/ui/field.tsx";
import type { EventView, PackChoice } from "./event-view.ts";

type Result = FormResult | undefined;
type EventCardProps = { event: EventView; packs: PackChoice[]; result: Result };

/** An unmatched event: what it is, why it waits, and what can be done about it. */
export function EventCard({ event, packs, result }: EventCardProps) {
  const heading = headingId(event.id);
  return (
    <article
      aria-labelledby={heading}
      className="grid gap-5 rounded-card bg-surface p-4 shadow-card md:grid-cols-2 md:gap-8 md:p-6"
    >
      <Facts event={event} />
      <div className="grid content-start gap-4">
        <FormErrors result={result} fieldId={(name) => fieldId(name, event)} />
        {event.assign && (
          <AssignForm event={event} assign={event.assign} packs={packs} result={result} />
        )}
        <div className="flex flex-wrap gap-3">
          <EventForm event={event} intent="retry" className="grow basis-0">
            {(isPending) => (
              <Button wide pending={isPending} pendingLabel="Trying…" aria-describedby={heading}>
                Try again
              </Button>
            )}
          </EventForm>
          <DismissDialog event={event} result={result} />
        </div>
      </div>
    </article>
  );
}

const headingId = (eventId: string) => `event-${eventId}`;
const fieldId = (name: string, event: EventView) => `${name}-${event.id}`;

function Facts({ event }: { event: EventView }) {
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
          <code className="font-mono break-all select-all">{event.objectId}</code>
        </dd>
      </dl>
    </div>
  );
}

interface EventFormProps {
  event: EventView;
  intent: "assign" | "retry" | "dismiss";
  className: string;
  children: (isPending: boolean) => ReactNode;
}

function EventForm({ event, intent, className, children }: EventFormProps) {
  const { formData } = useNavigation();
  const isPending = formData?.get("eventId") === event.id && formData.get("intent") === intent;
  return (
    <Form
      method="post"
      // Without JavaScript the page opens at the card again.
      action={`/admin/payments#${encodeURIComponent(headingId(event.id))}`}
      preventScrollReset
      className={className}
    >
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="eventId" value={event.id} />
      <FormKey />
      {children(isPending)}
    </Form>
  );
}

type AssignFormProps = EventCardProps & { assign: NonNullable<EventView["assign"]> };

/** Who paid and what for, filled in as far as Stripe's event says it. */
function AssignForm({ event, assign, packs, result }: AssignFormProps) {
  const field = (name: "email" | "packId") => ({
    ...fieldProps(result, name, assign[name]),
    id: fieldId(name, event),
  });
  return (
    <EventForm event={event} intent="assign" className="grid gap-4">
      {(isPending) => (
        <>
          <TextField
            {...field("email")}
            label="Player's email"
            type="email"
            autoComplete="off"
            maxLength={255}
            required
          />
          {assign.needsPack && (
            <SelectField {...field("packId")} label="Pack" required>
              <option value="">Choose a pack</option>
              {packs.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </SelectField>
          )}
          <Button
            variant="primary"
            pending={isPending}
            pendingLabel="Settling…"
            aria-describedby={headingId(event.id)}
          >
            {assign.needsPack ? "Give the credits" : "It belongs to this player"}
          </Button>
        </>
      )}
    </EventForm>
  );
}

/** Asks before an event is set aside. */
function DismissDialog({ event, result }: { event: EventView; result: Result }) {
  const dialog = `set-aside-${event.id}`;
  useLayoutEffect(() => {
    // Before the error takes the focus: a closing dialog gives it back to its button.
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
          {(isPending) => (
            <>
              <DialogClose dialog={dialog}>Keep it</DialogClose>
              <Button variant="danger" pending={isPending} pendingLabel="Setting aside…">
                Set aside
              </Button>
            </>
          )}
        </EventForm>
      </Dialog>
    </>
  );
}
