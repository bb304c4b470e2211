import { ButtonLink } from "./button.tsx";

interface PagerProps {
  /** What is paged, for assistive technology. */
  label: string;
  /** The address of the first page; null where this is it. */
  first: string | null;
  /** The address of the next page; null where this is the last. */
  next: string | null;
}

/** Leads on through a long list; the way back page by page is the browser's own. */
export function Pager({ label, first, next }: PagerProps) {
  if (!first && !next) return null;
  return (
    <nav aria-label={label} className="flex justify-between gap-3">
      {first ? <ButtonLink to={first}>Back to the first</ButtonLink> : <span />}
      {next && <ButtonLink to={next}>Next</ButtonLink>}
    </nav>
  );
}
