import { Form, Link } from "react-router";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { SearchField } from "#app/routes/admin/filter-form.tsx";
import { Part } from "#app/routes/admin/page.tsx";
import { Button, ButtonLink, buttonClass } from "#app/ui/button.tsx";
import { Plus } from "#app/ui/icon.tsx";
import type { EndingSeries, Planning } from "./recent-venues.server.ts";

/** One tap makes each as long again; what is made is named. */
export function EndingSeriesList({ ending }: Pick<Planning, "ending">) {
  return (
    <Part title="Series that end">
      <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
        {ending.map((series) => (
          <li
            key={series.venueId}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3"
          >
            <p className="grid min-w-0">
              <span className="font-semibold wrap-anywhere">{series.title}</span>{" "}
              <span className="text-sm text-muted tabular-nums">{series.last}</span>{" "}
              <span className="text-sm tabular-nums">Next: {series.dates}</span>
            </p>
            <GoOnForm series={series} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** The form of a new game, which comes if there is something to ask. */
function GoOnForm({ series }: { series: EndingSeries }) {
  const { title, button, venueId, values, leftOut, formKey } = series;
  const { continues } = values;
  const form = `/admin/games/new?${continues ? `more=${continues}` : `venue=${venueId}`}`;
  return (
    <IntentForm
      intent="publish"
      action={form}
      hidden={values}
      once={{ formKey }}
      className="flex flex-wrap gap-2 max-md:grow"
    >
      {leftOut.map((date) => (
        <input key={date} type="hidden" name="leftOut" value={date} />
      ))}
      <SubmitButton variant="primary" pendingLabel="Publishing…" className="grow">
        {button}
        <span className="sr-only">: {title}</span>
      </SubmitButton>
      <ButtonLink to={form} className="grow">
        Change<span className="sr-only">: {title}</span>
      </ButtonLink>
    </IntentForm>
  );
}

export function Shortcuts({ venues }: Pick<Planning, "venues">) {
  return (
    <div className="grid items-start gap-6 md:grid-cols-2">
      <Part title="New game" about={venues.length > 0 && "Like the last one at"}>
        <ul className="flex flex-wrap gap-2">
          {venues.map(({ id, name }) => (
            <li key={id} className="min-w-0">
              <Link to={`/admin/games/new?venue=${id}`} className={buttonClass({})}>
                <span translate="no" className="min-w-0 wrap-anywhere">
                  {name}
                </span>
              </Link>
            </li>
          ))}
          <li>
            <Link to="/admin/games/new" className={buttonClass({ variant: "quiet" })}>
              <Plus className="size-5" /> New game
            </Link>
          </li>
        </ul>
      </Part>
      <Part title="Find a player">
        <Form action="/admin/players" role="search" className="flex items-end gap-3">
          <input type="hidden" name="find" value="1" />
          <SearchField label="Name or email" words="" max={100} className="grow" />
          <Button className="min-h-12">Find</Button>
        </Form>
      </Part>
    </div>
  );
}
