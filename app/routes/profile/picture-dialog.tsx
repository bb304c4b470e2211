import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { useState } from "react";
import type { ProfileAnswer } from "./answers.server.ts";
import { PictureForm } from "./picture-form.tsx";
import { useCloseWhenDone } from "./use-close-when-done.ts";

const DIALOG = "picture";

type PictureDialogProps = {
  profile: { profilePictureUrl: string | null };
  answer: ProfileAnswer | undefined;
};

/** 'Change picture' and its dialog: choose a file, place it, save; or take the picture away. */
export function PictureDialog({ profile, answer }: PictureDialogProps) {
  const refused = answer?.form === "picture" ? answer : undefined;
  const [opening, setOpening] = useState(0);
  const isRemoving = useNavigation().formData?.get("intent") === "remove-picture";
  useCloseWhenDone(DIALOG, ["picture", "remove-picture"], refused !== undefined);
  return (
    <>
      <DialogTrigger dialog={DIALOG}>Change picture</DialogTrigger>
      <Dialog
        id={DIALOG}
        title="Profile picture"
        open={refused}
        onClose={() => setOpening(opening + 1)}
      >
        <PictureForm key={opening} refused={refused} />
        {profile.profilePictureUrl && (
          <Form method="post" action="/profile" className="mt-3">
            <input type="hidden" name="intent" value="remove-picture" />
            <Button variant="quiet" wide pending={isRemoving} pendingLabel="Removing…">
              Remove picture
            </Button>
          </Form>
        )}
      </Dialog>
    </>
  );
}
