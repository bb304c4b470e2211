import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { ShownConflict } from "#app/routes/admin/shown-conflict.tsx";
import { summaryOf } from "./summary.ts";
import { VenueFields } from "./venue-fields.tsx";
import type { VenueAnswer, VenueValues } from "./venue-form.ts";

interface EditFormProps {
  venue: { id: string; version: number; values: VenueValues };
  answer: VenueAnswer | undefined;
}

/** The facts of a venue; after a conflict as they were typed, over the newest version. */
export function EditForm({ venue, answer }: EditFormProps) {
  const isSaving = useNavigation().formData?.get("intent") === "save";
  return (
    <Form method="post" noValidate className="grid max-w-2xl gap-4">
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="version" value={venue.version} />
      {answer?.differences && <ShownConflict differences={answer.differences} />}
      <ErrorSummary errors={summaryOf(answer)} of={answer} />
      <VenueFields values={answer?.values ?? venue.values} errors={answer?.errors} />
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" pending={isSaving} pendingLabel="Saving…">
          Save venue
        </Button>
        <ButtonLink to={`/venues/${venue.id}`} variant="quiet">
          View as players do
        </ButtonLink>
      </div>
    </Form>
  );
}
