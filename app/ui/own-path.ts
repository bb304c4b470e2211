/**
 * A path of this site, as a stored picture has; null for any other address. Our pages load nothing
 * from elsewhere, so what a column holds otherwise counts as no picture.
 */
export function ownPath(text: string | null | undefined): string | null {
  return text && /^\/(?:[^/\\\p{Cc}][^\\\p{Cc}]*)?$/u.test(text) ? text : null;
}
