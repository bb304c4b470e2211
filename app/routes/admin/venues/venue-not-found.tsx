import { Missing } from "#app/routes/error-screens.tsx";

export function VenueNotFound() {
  return <Missing title="Venue not found" back={{ to: "/admin/venues", label: "All venues" }} />;
}
