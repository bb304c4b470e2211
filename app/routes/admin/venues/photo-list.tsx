import { useEffect } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { useKeptFocus } from "#app/ui/page-change.tsx";
import { ShownConflict } from "#app/routes/admin/shown-conflict.tsx";
import type { ListAnswer } from "./photo-answers.server.ts";
import { type ListedPhoto, PhotoItem } from "./photo-item.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { summaryOf } from "./summary.ts";

const FORM = "photo-list";

interface PhotoListProps {
  venue: { version: number; photos: ListedPhoto[] };
  answer: ListAnswer | undefined;
}

/** The photos in their order, the first for the card. */
export function PhotoList({ venue, answer }: PhotoListProps) {
  const { photos } = venue;
  const region = useKeptFocus<HTMLDivElement>(photos.map(({ url }) => url).join());
  // A refusal of what a dialog asked for stands on the page behind it.
  useEffect(() => {
    if (answer) document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
  }, [answer]);
  return (
    <div ref={region} tabIndex={-1} role="group" aria-label="Photos">
      {photos.length === 0 && <EmptyState>No photos yet</EmptyState>}
      {photos.length > 0 && <ListForm venue={venue} answer={answer} />}
      {photos.map((photo, index) => (
        <RemoveDialog key={photo.url} form={FORM} index={index} photo={photo} />
      ))}
    </div>
  );
}

/** One form for all of them: whichever button is pressed, what was typed is saved too. */
function ListForm({ venue: { version, photos }, answer }: PhotoListProps) {
  const deed = useNavigation().formData?.get("deed");
  const typed = new Map(answer?.typed.map(({ url, alt }) => [url, alt]));
  return (
    <Form id={FORM} method="post" preventScrollReset noValidate className="grid gap-4">
      {/* What the Enter key presses: the first button of a form. */}
      <button name="deed" value="save" tabIndex={-1} aria-hidden className="sr-only" />
      <input type="hidden" name="intent" value="arrange" />
      <input type="hidden" name="version" value={version} />
      {answer?.differences && <ShownConflict differences={answer.differences} />}
      <ErrorSummary errors={summaryOf(answer)} of={answer} />
      <ol className="grid gap-4 md:grid-cols-2">
        {photos.map((photo, index) => (
          <PhotoItem
            key={photo.url}
            photo={{ ...photo, alt: typed.get(photo.url) ?? photo.alt }}
            index={index}
            count={photos.length}
            error={answer?.errors}
          />
        ))}
      </ol>
      <Button
        name="deed"
        value="save"
        variant="primary"
        className="justify-self-start"
        pending={deed === "save"}
        pendingLabel="Saving…"
      >
        Save descriptions
      </Button>
    </Form>
  );
}
