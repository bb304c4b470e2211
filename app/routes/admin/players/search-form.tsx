import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";

/** Whom to list; the address keeps it. */
export function SearchForm({ words }: { words: string }) {
  const { location, formMethod } = useNavigation();
  const isPending = location?.pathname === "/admin/players" && formMethod === "GET";
  return (
    <Form
      method="get"
      action="/admin/players"
      role="search"
      // Words that were left by the back button must not stand over another list.
      key={words}
      className="flex items-end gap-3"
    >
      <TextField
        label="Name or email"
        type="search"
        name="q"
        defaultValue={words}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        className="min-w-0 grow"
      />
      <Button pending={isPending} pendingLabel="Searching…" className="min-h-12">
        Search
      </Button>
    </Form>
  );
}
