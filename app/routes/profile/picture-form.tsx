import { lazy, Suspense, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { NO_PICTURE, PICTURE_MAX_BYTES, PICTURE_TOO_LARGE } from "#app/features/players/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import type { ProfileAnswer } from "./answers.server.ts";
import type { Area } from "./picture-cropper.tsx";

// A file of its own, loaded with the first picture; without it the server cuts the middle out.
const PictureCropper = lazy(() =>
  import("./picture-cropper.tsx").catch(() => ({ default: () => <></> })),
);

const fileClass =
  "[&_::file-selector-button]:mr-3 [&_::file-selector-button]:font-semibold [&_::file-selector-button]:underline";

const TYPES = ["image/jpeg", "image/png"];

/** A file, and with JavaScript its part that is to be seen. */
export function PictureForm({ refused: answer }: { refused: ProfileAnswer | undefined }) {
  const { input, picture, problem, choose, refuse } = usePicture();
  const [outdated, setOutdated] = useState<ProfileAnswer>();
  const [area, setArea] = useState<Area | null>(null);
  const isSaving = useNavigation().formData?.get("intent") === "picture";
  // What was said of one file is not true of the next.
  const refused = answer === outdated ? undefined : answer;
  const message = problem ?? refused?.errors?.picture ?? refused?.description;
  return (
    <Form
      method="post"
      action="/profile"
      encType="multipart/form-data"
      noValidate
      className="grid gap-4"
    >
      <input type="hidden" name="intent" value="picture" />
      {(problem || refused) && (
        <ErrorSummary
          title={refused?.title ?? "This file cannot be used"}
          errors={[{ field: "picture-file", message: message ?? "Nothing was changed." }]}
          of={refused}
        />
      )}
      <TextField
        id="picture-file"
        name="picture"
        type="file"
        label="Choose a picture"
        hint="JPG or PNG, at most 5 MB. Where it was taken is not kept."
        accept={TYPES.join()}
        ref={input}
        onChange={() => {
          setOutdated(answer);
          void choose();
        }}
        className={fileClass}
      />
      {picture && (
        <Suspense fallback={<Skeleton className="h-72" />}>
          <PictureCropper
            image={picture}
            onCrop={setArea}
            onUnreadable={() => refuse(NO_PICTURE)}
          />
        </Suspense>
      )}
      {picture && area && <CropFields area={area} />}
      <Button variant="primary" size="lg" wide pending={isSaving} pendingLabel="Uploading…">
        Save picture
      </Button>
    </Form>
  );
}

function CropFields({ area }: { area: Area }) {
  return (
    <>
      <input type="hidden" name="cropX" value={area.x.toFixed(4)} />
      <input type="hidden" name="cropY" value={area.y.toFixed(4)} />
      <input type="hidden" name="cropWidth" value={area.width.toFixed(4)} />
    </>
  );
}

/** The chosen file as an address to show it by, or why it cannot be used; it is then unchosen. */
function usePicture() {
  const [picture, setPicture] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const refuse = (found: string) => {
    if (input.current) input.current.value = "";
    setProblem(found);
    setPicture(null);
  };
  const choose = async () => {
    const file = input.current?.files?.[0];
    const found = file && problemOf(file);
    if (found) return refuse(found);
    setProblem(null);
    setPicture(file ? await dataUrl(file) : null);
  };
  return { input, picture, problem, choose, refuse };
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
