import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { usePendingIntent } from "#app/routes/use-pending-intent.ts";

/** Puts a letter away without an answer, or takes it out again. */
export function MarkForm({ isDone }: { isDone: boolean }) {
  const intent = isDone ? "open" : "done";
  const isPending = usePendingIntent() === intent;
  return (
    <Form method="post" preventScrollReset className="border-t border-line pt-4">
      <input type="hidden" name="intent" value={intent} />
      <Button pending={isPending} pendingLabel="Saving…" className="max-md:w-full">
        {isDone ? "Open again" : "Mark as done"}
      </Button>
    </Form>
  );
}
