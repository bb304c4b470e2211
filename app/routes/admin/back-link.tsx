import { Link } from "react-router";
import { ChevronLeft } from "#app/ui/icon.tsx";

/** Leads from an admin page to the list that it belongs to. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={to}
      className="-ml-2 flex min-h-11 items-center gap-1 justify-self-start rounded-card px-2 font-semibold hover:bg-sunken"
    >
      <ChevronLeft className="size-5" />
      {children}
    </Link>
  );
}
