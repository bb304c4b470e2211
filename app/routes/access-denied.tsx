import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

/** What a signed-in player sees at every admin address, in the site's frame or without it. */
export function AccessDenied({ isWholePage = false }) {
  const Box = isWholePage ? "main" : "div";
  return (
    <Box className="mx-auto grid max-w-2xl gap-4 px-4 pt-12">
      <title>Access Denied</title>
      <h1 className="text-center text-xl">Access Denied</h1>
      <EmptyState
        action={
          <ButtonLink to="/events" variant="primary">
            Back to Games
          </ButtonLink>
        }
      >
        This page is for the organisers.
      </EmptyState>
    </Box>
  );
}
