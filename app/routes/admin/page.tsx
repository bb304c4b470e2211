import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import { LoadFailed } from "#app/routes/load-failure.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { ChevronLeft } from "#app/ui/icon.tsx";
import { keptKey, readKept } from "#app/ui/kept.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";

/** What a route's `handle` says to the layout of admin. */
export interface AdminHandle {
  /** Has two columns where there is room. */
  isWide?: boolean;
}

interface AdminPageProps {
  title: ReactNode;
  back?: { to: string; label: ReactNode };
  about?: ReactNode;
  aside?: ReactNode;
  /** On a phone the content comes first: no heading of the area, and the way back in one line. */
  isCompact?: boolean;
  className?: string;
  children: ReactNode;
}

export function AdminPage(props: AdminPageProps) {
  const { title, back, about, aside, isCompact, className = "grid gap-4", children } = props;
  const heading = useId();
  return (
    <section aria-labelledby={heading} data-compact={isCompact || undefined} className={className}>
      <div>
        {back && !isCompact && <ListLink to={back.to}>{back.label}</ListLink>}
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          {back && isCompact && <ListLink to={back.to}>{back.label}</ListLink>}
          <h2 id={heading} className={classNames("text-lg wrap-anywhere", isCompact && "grow")}>
            {title}
          </h2>
          {aside}
        </div>
        {about && <p className="mt-2 text-muted">{about}</p>}
      </div>
      {children}
    </section>
  );
}

/** `id` is an anchor. */
type PartProps = Omit<AdminPageProps, "back" | "isCompact"> & { id?: string };

export function Part(props: PartProps) {
  const { id, title, about, aside, className = "grid gap-3", children } = props;
  const heading = useId();
  return (
    <section id={id} aria-labelledby={heading} className={className}>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h3 id={heading} className="min-w-0 flex-1 text-base">
          {title}
        </h3>
        {aside}
      </div>
      {about && (
        <p
          className={classNames(
            "text-muted tabular-nums",
            aside ? "-mt-2 max-md:text-sm" : undefined,
          )}
        >
          {about}
        </p>
      )}
      {children}
    </section>
  );
}

export function Panel(props: Omit<PartProps, "className">) {
  return <Part {...props} className={panelClass} />;
}

export const panelClass = "grid min-w-0 gap-4 rounded-card bg-surface p-4 shadow-card md:p-6";

export function NotLoaded({
  back,
  failed,
}: {
  back: { to: string; label: string };
  failed: string;
}) {
  return (
    <div className="grid gap-4">
      <ListLink to={back.to}>{back.label}</ListLink>
      <LoadFailed>{failed}</LoadFailed>
    </div>
  );
}

/** From an admin page back to its list, filtered as it was. */
export function ListLink({ to, children }: { to: string; children: ReactNode }) {
  const search = useHydrated() && readKept<string>(keptKey("filters", to));
  return (
    <Link
      to={`${to}${search || ""}`}
      className="-ml-2 flex min-h-11 items-center gap-1 justify-self-start rounded-card px-2 font-semibold wrap-anywhere hover:bg-sunken"
    >
      <ChevronLeft className="size-5 shrink-0" />
      {children}
    </Link>
  );
}
