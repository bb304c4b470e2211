import { Link } from "react-router";
import { ButtonLink } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ArrowLeft } from "../../../ui/icon.tsx";

export function VenueNotFound() {
  return (
    <EmptyState action={<ButtonLink to="/admin/venues">All venues</ButtonLink>}>
      Venue not found
    </EmptyState>
  );
}

export function BackToVenues() {
  return <Back to="/admin/venues" label="All venues" />;
}

export function BackToVenue({ id, name }: { id: string; name: string }) {
  return <Back to={`/admin/venues/${id}`} label={name} />;
}

function Back({ to, label }: { to: string; label: string }) {
  return (
    <Link
      to={to}
      className="-ml-1 inline-flex min-h-11 items-center gap-2 pr-2 font-semibold text-muted hover:text-ink"
    >
      <ArrowLeft className="size-5" /> {label}
    </Link>
  );
}
