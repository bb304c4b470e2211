import { ButtonLink } from "./button.tsx";

interface PagerProps {
  label: string;
  first: string | null;
  next: string | null;
}

export function Pager({ label, first, next }: PagerProps) {
  if (!first && !next) return null;
  return (
    <nav aria-label={label} className="flex justify-between gap-3">
      {first ? <ButtonLink to={first}>Back to the first</ButtonLink> : <span />}
      {next && <ButtonLink to={next}>Next</ButtonLink>}
    </nav>
  );
}
