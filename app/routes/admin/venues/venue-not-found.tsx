import { Missing } from "#app/routes/missing.tsx";

export function VenueNotFound() {
  return <Missing title="Venue not found" back={{ to: "/admin/venues", label: "All venues" }} />;
}
