import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";

/** Takes a venue out of the players' sight, or brings it back; either can be undone at once. */
export function HideForm({ isHidden }: { isHidden: boolean }) {
  const intent = isHidden ? "show" : "hide";
  const isPending = useNavigation().formData?.get("intent") === intent;
  return (
    <Form method="post" className="grid max-w-2xl gap-3 border-t border-line pt-6">
      <input type="hidden" name="intent" value={intent} />
      <h3 className="text-base">{isHidden ? "This venue is hidden" : "Hide this venue"}</h3>
      <p className="text-muted">
        {isHidden
          ? "Players do not find it, and new games cannot be put there. Its games go on."
          : "Players no longer find it, and new games cannot be put there. Its games go on."}
      </p>
      <Button className="justify-self-start" pending={isPending} pendingLabel="Saving…">
        {isHidden ? "Show venue" : "Hide venue"}
      </Button>
    </Form>
  );
}
