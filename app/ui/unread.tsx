import { classNames } from "./class-names.ts";

interface UnreadProps {
  unread: { count: string } | null;
  className?: string;
}

/** How much is new behind an entry of the navigation; the entry's description says what. */
export function Unread({ unread, className }: UnreadProps) {
  if (!unread) return null;
  return (
    <span
      aria-hidden
      className={classNames(
        "grid min-h-5 min-w-5 place-items-center rounded-pill bg-info px-1 text-[min(0.875rem,18px)] leading-5 font-bold text-canvas",
        className,
      )}
    >
      {unread.count}
    </span>
  );
}
