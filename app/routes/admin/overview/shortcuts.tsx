import { Form, Link } from "react-router";
import { SearchField } from "#app/routes/admin/filter-form.tsx";
import { Part } from "#app/routes/admin/page.tsx";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Plus } from "#app/ui/icon.tsx";
import type { RecentVenue } from "./recent-venues.server.ts";

export function Shortcuts({ venues }: { venues: RecentVenue[] }) {
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
