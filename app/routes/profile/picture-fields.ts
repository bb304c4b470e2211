import type { SquareCrop } from "#app/platform/images/uploaded-images.server.ts";

/** The file that was posted; null where none was chosen. */
export function pictureOf(form: FormData): File | null {
  const file = form.get("picture");
  return file instanceof File && file.size > 0 ? file : null;
}

/** `cropX`, `cropY` and `cropWidth` in percent; null, which cuts the middle out, where not all are. */
export function cropOf(form: FormData): SquareCrop | null {
  const [x, y, width] = ["cropX", "cropY", "cropWidth"].map((name) => percent(form.get(name)));
  if (x === undefined || y === undefined || !width) return null;
  return { x, y, width };
}

function percent(value: FormDataEntryValue | null): number | undefined {
  if (typeof value !== "string" || !/^\d{1,3}(\.\d{1,20})?$/.test(value)) return undefined;
  return Number(value) <= 100 ? Number(value) : undefined;
}
