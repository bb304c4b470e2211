import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

export function VenueNotFound() {
  return (
    <div className="mx-auto max-w-2xl px-4 pt-12">
      <h1 className="sr-only">Venue not found</h1>
      <EmptyState
        action={
          <ButtonLink to="/venues" variant="primary">
            Back to Venues
          </ButtonLink>
        }
      >
        Venue not found
      </EmptyState>
    </div>
  );
}
