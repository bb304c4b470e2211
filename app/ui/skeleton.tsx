import { classNames } from "./class-names.ts";

/** A grey box where something will stand; give it the size of that something. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <span
      aria-hidden
      className={classNames("block rounded-card bg-sunken motion-safe:animate-pulse", className)}
    />
  );
}
