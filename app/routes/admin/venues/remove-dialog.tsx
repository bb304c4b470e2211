import { useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { DialogClose, Dialog } from "#app/ui/dialog.tsx";
import { Picture } from "#app/ui/picture.tsx";
import type { ListedPhoto } from "./photo-item.tsx";

interface RemoveDialogProps {
  /** The id of the form that its last button sends. */
  form: string;
  index: number;
  photo: ListedPhoto;
}

/** Asks before a photo is gone for good. */
export function RemoveDialog({ form, index, photo }: RemoveDialogProps) {
  const id = `remove-${index + 1}`;
  const deed = `remove:${index}`;
  const isRemoving = useNavigation().formData?.get("deed") === deed;
  return (
    <Dialog id={id} title={`Remove photo ${index + 1}?`}>
      {photo.shown && (
        <Picture
          src={photo.shown}
          alt={photo.alt || `Photo ${index + 1}`}
          sizes="100vw"
          className="aspect-video w-full rounded-card bg-night object-cover"
        />
      )}
      <p className="mt-3">It is deleted for good and cannot be brought back.</p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <DialogClose dialog={id}>Keep photo</DialogClose>
        <Button
          form={form}
          name="deed"
          value={deed}
          variant="danger"
          pending={isRemoving}
          pendingLabel="Removing…"
        >
          Remove photo
        </Button>
      </div>
    </Dialog>
  );
}
