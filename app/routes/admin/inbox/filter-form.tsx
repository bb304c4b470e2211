import { Form, useNavigation } from "react-router";
import { type InboxFilter, TICKET_KINDS } from "#app/features/support/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/field.tsx";
import { KINDS } from "./letter-words.ts";

/** Which letters are listed; the address keeps it. */
export function InboxFilterForm({ filter }: { filter: InboxFilter }) {
  const { location, formMethod } = useNavigation();
  const isPending = location?.pathname === "/admin/inbox" && formMethod === "GET";
  return (
    <Form
      method="get"
      action="/admin/inbox"
      // A filter that was left by the back button must not stand over another list.
      key={JSON.stringify(filter)}
      className="grid grid-cols-2 gap-3 md:grid-cols-[1fr_1fr_auto] md:items-end"
    >
      <SelectField label="Kind" name="kind" defaultValue={filter.kind ?? ""}>
        <option value="">All kinds</option>
        {TICKET_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {KINDS[kind].many}
          </option>
        ))}
      </SelectField>
      <SelectField label="State" name="status" defaultValue={filter.status ?? "all"}>
        <option value="open">Open</option>
        <option value="done">Done</option>
        <option value="all">Open and done</option>
      </SelectField>
      <Button pending={isPending} pendingLabel="Showing…" className="min-h-12 max-md:col-span-2">
        Show
      </Button>
    </Form>
  );
}
