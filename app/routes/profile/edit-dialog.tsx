import { useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { useNavigation } from "react-router";
import type { ProfileAnswer } from "./answers.server.ts";
import { EditForm } from "./edit-form.tsx";
import type { ProfilePage } from "./profile-page.server.ts";
import { useCloseWhenDone } from "./use-close-when-done.ts";

const DIALOG = "edit-profile";
const FORM = "edit-profile-form";

type EditDialogProps = { profile: ProfilePage; answer: ProfileAnswer | undefined };

/** 'Edit profile' and its dialog; what is typed and not saved is gone when it closes. */
export function EditDialog({ profile, answer }: EditDialogProps) {
  const refused = answer?.form === "edit" ? answer : undefined;
  const [opening, setOpening] = useState(0);
  const isSaving = useNavigation().formData?.get("intent") === "edit-profile";
  useCloseWhenDone(DIALOG, ["edit-profile"], refused !== undefined);
  const save = (
    <Button form={FORM} variant="primary" size="lg" wide pending={isSaving} pendingLabel="Saving…">
      Save changes
    </Button>
  );
  return (
    <>
      <DialogTrigger dialog={DIALOG}>Edit profile</DialogTrigger>
      <Dialog
        id={DIALOG}
        title="Edit profile"
        open={refused}
        onClose={() => setOpening(opening + 1)}
        footer={save}
      >
        <EditForm
          key={opening}
          id={FORM}
          countries={profile.countries}
          values={refused?.values ?? profile.form}
          refused={refused}
        />
      </Dialog>
    </>
  );
}
