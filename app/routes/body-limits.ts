import type { BodyLimit } from "#app/platform/request-body.server.ts";

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

interface LargeBody extends BodyLimit {
  path: RegExp;
  isMultipart?: true;
}

/** Forms are small; what is not says so by its path. */
const FORM: BodyLimit = { bytes: 64 * KILOBYTE };
const LARGE: LargeBody[] = [
  { path: /^\/webhooks\/stripe$/, bytes: 256 * KILOBYTE },
  // A long text, with up to six bytes a letter as forms write it.
  { path: /^\/admin\/legal\/(terms|privacy)$/, bytes: 512 * KILOBYTE, from: "admin" },
  { path: /^\/profile$/, isMultipart: true, bytes: 6 * MEGABYTE, from: "player" },
  { path: /^\/admin\/partners\/[^/]+$/, isMultipart: true, bytes: 6 * MEGABYTE, from: "admin" },
  {
    // Several photos at once, of up to 10 MB each.
    path: /^\/admin\/venues\/[^/]+\/photos$/,
    isMultipart: true,
    bytes: 64 * MEGABYTE,
    from: "admin",
  },
];

/** How large the body of a request may be, and from whom. */
export function bodyLimit(request: Request): BodyLimit {
  // With JavaScript the router posts to the page's data address.
  const path = new URL(request.url).pathname.replace(/\.data$/, "");
  const isMultipart = request.headers.get("content-type")?.startsWith("multipart/form-data;");
  const large = LARGE.find((each) => each.path.test(path) && (isMultipart || !each.isMultipart));
  return large ?? FORM;
}
