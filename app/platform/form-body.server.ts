import {
  FormDataParseError,
  MaxFilesExceededError,
  MaxHeaderSizeExceededError,
  MaxPartsExceededError,
  parseFormData,
} from "@remix-run/form-data-parser";

/** A game's result has two fields for each of 200 players; no form has more. */
const FIELDS_MAX = 500;
/** A form with files: those, and what stands beside them. */
const PARTS_MAX = 150;
const FILES_MAX = 100;
const NAME_MAX = 100;
/** Characters. Each field has a limit of its own below it, so what is cut here is refused there. */
const TEXT_MAX = 60_000;
/** Bytes of what a part says of itself: its name, its type and the name of its file. */
const PART_HEADER_MAX = 1_024;
// As browsers write it; a boundary has at most 70 characters (RFC 2046, section 5.1.1).
const FORM =
  /^(?:application\/x-www-form-urlencoded(?:;|$)|multipart\/form-data; ?boundary="?[\w'()+,./:=?-]{1,70}"?$)/;

/** The form has more fields, or longer names, than any of ours. */
export class FormLimitError extends Error {}

/**
 * The form that a request posts. It is counted while it is read, so that one with too many fields
 * costs no more than a large one; a body that is no form has no fields. The size of the whole is
 * limited before. Throws FormLimitError.
 */
export async function parseForm(request: Request): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  if (type.length > 200 || !FORM.test(type)) return new FormData();
  const parsed = await parseFormData(request, {
    maxParts: type.startsWith("multipart/") ? PARTS_MAX : FIELDS_MAX,
    maxFiles: FILES_MAX,
    maxHeaderSize: PART_HEADER_MAX,
    maxFileSize: Infinity,
    maxTotalSize: Infinity,
  }).catch(emptyOrThrow);
  const form = new FormData();
  for (const [name, value] of parsed) {
    if (name.length > NAME_MAX) throw new FormLimitError("the name of a field is too long");
    form.append(name, typeof value === "string" ? value.slice(0, TEXT_MAX) : value);
  }
  return form;
}

const LIMITS = [MaxFilesExceededError, MaxHeaderSizeExceededError, MaxPartsExceededError];

function emptyOrThrow(error: unknown): FormData {
  if (LIMITS.some((limit) => error instanceof limit)) {
    throw new FormLimitError("too many fields, or too long ones", { cause: error });
  }
  if (error instanceof FormDataParseError) return new FormData();
  throw error;
}
