import { lazy, Suspense, useRef, useState } from "react";
import { NO_PICTURE, PICTURE_MAX_BYTES, PICTURE_TOO_LARGE } from "#app/features/players/rules.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { IntentForm, ShortForm, SubmitButton } from "#app/forms/intent-form.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { FileField } from "#app/ui/field.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import type { Area } from "./picture-cropper.tsx";
import { useCloseWhenDone } from "#app/forms/use-close-when-done.ts";
import { DialogTrigger, Dialog } from "#app/ui/dialog.tsx";

// Loaded with the first picture; without it the server crops the middle.
const PictureCropper = lazy(() =>
  import("./picture-cropper.tsx").catch(() => ({ default: () => <></> })),
);

const DIALOG = "picture";
const TYPES = ["image/jpeg", "image/png"];

type PictureDialogProps = { hasPicture: boolean; result: FormResult | undefined };

export function PictureDialog({ hasPicture, result }: PictureDialogProps) {
  const chosen = usePicture();
  const [outdated, setOutdated] = useState<FormResult>();
  useCloseWhenDone(DIALOG, ["picture", "remove-picture"], result !== undefined);
  // The error of one file does not apply to the next.
  const shown = chosen.error ?? (result === outdated ? undefined : result);
  return (
    <>
      <DialogTrigger dialog={DIALOG}>Change picture</DialogTrigger>
      <Dialog id={DIALOG} title="Profile picture" open={result} onClose={chosen.clear}>
        <div className="grid gap-4">
          <FormErrors result={shown} fieldId={(name) => `${name}-file`} />
          <PictureForm
            {...chosen}
            error={shown?.fieldErrors?.picture}
            onChange={() => setOutdated(result)}
          />
        </div>
        {hasPicture && (
          <IntentForm intent="remove-picture" action="/profile" className="mt-3">
            <SubmitButton variant="quiet" wide pendingLabel="Removing…">
              Remove picture
            </SubmitButton>
          </IntentForm>
        )}
      </Dialog>
    </>
  );
}

type PictureFormProps = Omit<ReturnType<typeof usePicture>, "error"> & {
  error: string | undefined;
  onChange: () => void;
};

function PictureForm({ error, onChange, ...chosen }: PictureFormProps) {
  const { input, picture, area, setArea, choose, reject } = chosen;
  return (
    <ShortForm
      intent="picture"
      action="/profile"
      encType="multipart/form-data"
      submit="Save picture"
      pendingLabel="Uploading…"
    >
      <FileField
        id="picture-file"
        name="picture"
        error={error}
        label="Choose a picture"
        hint="JPG or PNG, at most 5 MB. We remove the location from your photo."
        accept={TYPES.join()}
        ref={input}
        onChange={() => {
          onChange();
          void choose();
        }}
      />
      {picture && (
        <Suspense fallback={<Skeleton className="h-72" />}>
          <PictureCropper
            image={picture}
            onCrop={setArea}
            onUnreadable={() => reject(NO_PICTURE)}
          />
        </Suspense>
      )}
      {picture && area && (
        <>
          <input type="hidden" name="cropX" value={area.x.toFixed(4)} />
          <input type="hidden" name="cropY" value={area.y.toFixed(4)} />
          <input type="hidden" name="cropWidth" value={area.width.toFixed(4)} />
        </>
      )}
    </ShortForm>
  );
}

/** The chosen file as a URL, or why it cannot be used; then it is unselected. */
function usePicture() {
  const [picture, setPicture] = useState<string | null>(null);
  const [area, setArea] = useState<Area | null>(null);
  const [error, setError] = useState<FormResult>();
  const input = useRef<HTMLInputElement>(null);
  const clear = () => {
    if (input.current) input.current.value = "";
    setError(undefined);
    setPicture(null);
    setArea(null);
  };
  const reject = (message: string) => {
    clear();
    setError({ title: "This file cannot be used", fieldErrors: { picture: message } });
  };
  const choose = async () => {
    const file = input.current?.files?.[0];
    const message = file && problemOf(file);
    if (message) return reject(message);
    setError(undefined);
    setPicture(file ? await dataUrl(file) : null);
  };
  return { input, picture, area, error, choose, reject, clear, setArea };
}

function problemOf(file: File): string | null {
  if (!TYPES.includes(file.type)) return NO_PICTURE;
  return file.size > PICTURE_MAX_BYTES ? PICTURE_TOO_LARGE : null;
}

// Our content security policy allows images from data: but not from blob:.
function dataUrl(file: File): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(file);
  });
}
