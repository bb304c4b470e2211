import { queryOf } from "#app/forms/form-fields.server.ts";
import { randomUUID } from "node:crypto";
import { data, Form } from "react-router";
import { listToCancel } from "#app/features/organise/cancel-games.server.ts";
import { findAdminVenue } from "#app/features/venues/admin-venues.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { addDays, helsinkiDate, isDate, readDate } from "#app/platform/clock.ts";
import { CancelForm } from "#app/routes/admin/games/cancel/form.tsx";
import { cancelShown } from "#app/routes/admin/games/cancel/actions.server.ts";
import { toCancelView } from "#app/routes/admin/games/cancel/view.server.ts";
import { AdminPage } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { metaOf } from "#app/routes/meta.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { Route } from "./+types/at-venue";

const WEEK = 7;

/** Asks for a period first, then shows its games. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const venue = await findAdminVenue(db, params.venueId);
  if (!venue) throw data(null, 404);
  const query = queryOf(request);
  const today = helsinkiDate(now());
  const period = {
    from: dateIn(query, "from") ?? today,
    to: dateIn(query, "to") ?? addDays(today, WEEK),
  };
  const errors = query.has("from") || query.has("to") ? periodErrors(period) : {};
  const isAsked = query.has("from") && query.has("to") && Object.keys(errors).length === 0;
  const scope = { venueId: venue.id, ...period };
  return {
    id: venue.id,
    name: venue.name,
    ...period,
    errors,
    view: isAsked ? toCancelView(await listToCancel(db, scope, now())) : null,
    formKey: randomUUID(),
  };
}

function dateIn(query: URLSearchParams, name: "from" | "to"): string | null {
  const typed = query.get(name);
  return typed && (readDate(typed) ?? typed);
}

function periodErrors({ from, to }: Record<"from" | "to", string>): Partial<typeof ERRORS> {
  const { from: noFrom, to: noTo, order } = ERRORS;
  if (!isDate(from)) return { from: noFrom };
  if (!isDate(to)) return { to: noTo };
  return from <= to ? {} : { to: order };
}

const ERRORS = {
  from: "Enter the first day, such as 31.12.2026",
  to: "Enter the last day, such as 31.12.2026",
  order: "The last day is before the first",
};

export const action = cancelShown;

export const meta = metaOf({ title: "Cancel games" });

export const ErrorBoundary = missingBoundary("Venue not found", "/admin/venues", "All venues");

export default function CancelGamesAtVenue({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, view } = loaderData;
  const venueName = <span translate="no">{name}</span>;
  const back = { to: `/admin/venues/${id}`, label: venueName };
  return (
    <AdminPage back={back} title="Cancel games" about={venueName} className="grid max-w-2xl gap-6">
      <PeriodForm {...loaderData} />
      {view && view.count === 0 && (
        <>
          <FormErrors result={actionData} />
          <p>No game is planned here in this period.</p>
        </>
      )}
      {view && view.count > 0 && (
        <CancelForm key={view.ids} view={view} result={actionData} back={back.to} />
      )}
    </AdminPage>
  );
}

type PeriodFormProps = Pick<Route.ComponentProps["loaderData"], "id" | "from" | "to" | "errors">;

function PeriodForm({ id, from, to, errors }: PeriodFormProps) {
  return (
    <Form
      action={`/admin/venues/${id}/cancel-games`}
      noValidate
      className="grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] items-start gap-4"
    >
      <TextField
        {...{ id: "from", name: "from", defaultValue: from, error: errors.from }}
        label="First day"
        type="date"
        required
      />
      <TextField
        {...{ id: "to", name: "to", defaultValue: to, error: errors.to }}
        label="Last day"
        type="date"
        required
      />
      <Button className="col-span-full justify-self-start">Show games</Button>
    </Form>
  );
}
