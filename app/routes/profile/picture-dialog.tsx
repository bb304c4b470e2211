import { lazy, Suspense, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { NO_PICTURE, PICTURE_MAX_BYTES, PICTURE_TOO_LARGE } from "#app/features/players/rules.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import type { Area } from "./picture-cropper.tsx";
import { useCloseWhenDone } from "./use-close-when-done.ts";
import { DialogTrigger, Dialog } from "#app/ui/dialog.tsx";

// A file of its own, loaded with the first picture; without it the server cuts the middle out.
const PictureCropper = lazy(() =>
  import("./picture-cropper.tsx").catch(() => ({ default: () => <></> })),
);

const DIALOG = "picture";
const TYPES = ["image/jpeg", "image/png"];

type PictureDialogProps = { hasPicture: boolean; result: FormResult | undefined };

/** Choose a file, place it, save; or remove the picture. */
export function PictureDialog({ hasPicture, result }: PictureDialogProps) {
  const chosen = usePicture();
  const [outdated, setOutdated] = useState<FormResult>();
  const isRemoving = useNavigation().formData?.get("intent") === "remove-picture";
  useCloseWhenDone(DIALOG, ["picture", "remove-picture"], result !== undefined);
  // What is wrong with one file is not true of the next.
  const shown = chosen.error ?? (result === outdated ? undefined : result);
  return (
    <>
      <DialogTrigger dialog={DIALOG}>Change picture</DialogTrigger>
      <Dialog id={DIALOG} title="Profile picture" open={result} onClose={chosen.clear}>
        <div className="grid gap-4">
          <FormErrors
            result={shown}
            fieldId={(name) => `${name}-file`}
            hasToast={shown === result}
          />
          <PictureForm {...chosen} onChange={() => setOutdated(result)} />
        </div>
        {hasPicture && (
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

type PictureFormProps = ReturnType<typeof usePicture> & { onChange: () => void };

/** A file, and with JavaScript its part that is to be seen. */
function PictureForm({ onChange, ...chosen }: PictureFormProps) {
  const { input, picture, area, setArea, choose, reject } = chosen;
  const isSaving = useNavigation().formData?.get("intent") === "picture";
  return (
    <Form
      method="post"
      action="/profile"
      encType="multipart/form-data"
      noValidate
      className="grid gap-4"
    >
      <input type="hidden" name="intent" value="picture" />
      <TextField
        id="picture-file"
        name="picture"
        type="file"
        label="Choose a picture"
        hint="JPG or PNG, at most 5 MB. We remove the location from your photo."
        accept={TYPES.join()}
        ref={input}
        onChange={() => {
          onChange();
          void choose();
        }}
        className={fileClass}
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
      <Button variant="primary" size="lg" wide pending={isSaving} pendingLabel="Uploading…">
        Save picture
      </Button>
    </Form>
  );
}

const fileClass =
  "[&_::file-selector-button]:mr-3 [&_::file-selector-button]:font-semibold [&_::file-selector-button]:underline";

/** The chosen file as an address to show it by, or why it cannot be used; it is then unchosen. */
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

// The policy of our pages lets pictures in by data: and not by blob:.
function dataUrl(file: File): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(file);
  });
}
