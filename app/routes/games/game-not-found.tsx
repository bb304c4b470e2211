import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

export function GameNotFound() {
  return (
    <div className="mx-auto max-w-2xl px-4 pt-12">
      <h1 className="sr-only">Game not found</h1>
      <EmptyState
        action={
          <ButtonLink to="/events" variant="primary">
            Back to Games
          </ButtonLink>
        }
      >
        Game not found
      </EmptyState>
    </div>
  );
}
