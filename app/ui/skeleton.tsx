import { classNames } from "./class-names.ts";

export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <span
      aria-hidden
      className={classNames("block rounded-card bg-sunken motion-safe:animate-pulse", className)}
    />
  );
}
