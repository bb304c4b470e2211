import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/field.tsx";

interface LogFilterFormProps {
  filter: Record<"actor" | "action" | "subject", string | null>;
  actors: { actor: string; name: string }[];
  actions: { action: string; words: string }[];
}

/** Which deeds are listed; the address keeps it. */
export function LogFilterForm({ filter, actors, actions }: LogFilterFormProps) {
  const { location, formMethod } = useNavigation();
  const isPending = location?.pathname === "/admin/log" && formMethod === "GET";
  return (
    <Form
      method="get"
      action="/admin/log"
      // A filter that was left by the back button must not stand over another list.
      key={JSON.stringify(filter)}
      className="grid gap-3 md:grid-cols-[1fr_1.3fr_auto] md:items-end"
    >
      <SelectField label="Who" name="actor" defaultValue={filter.actor ?? ""}>
        <option value="">Anybody</option>
        {actors.map(({ actor, name }) => (
          <option key={actor} value={actor}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label="What" name="action" defaultValue={filter.action ?? ""}>
        <option value="">Anything</option>
        {actions.map(({ action, words }) => (
          <option key={action} value={action}>
            {words}
          </option>
        ))}
      </SelectField>
      {filter.subject && <input type="hidden" name="subject" value={filter.subject} />}
      <Button pending={isPending} pendingLabel="Showing…" className="min-h-12">
        Show
      </Button>
    </Form>
  );
}
