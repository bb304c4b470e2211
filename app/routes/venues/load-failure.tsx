import { useLocation } from "react-router";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** Stands in the page's place where it could not be loaded; trying again is its own address. */
export function LoadFailure({ children }: { children: string }) {
  const { pathname, search } = useLocation();
  return (
    <div className="mx-auto max-w-2xl px-4 pt-12">
      <title>{children}</title>
      <h1 className="sr-only">{children}</h1>
      <EmptyState
        action={
          <ButtonLink to={pathname + search} variant="primary">
            Try Again
          </ButtonLink>
        }
      >
        <span role="alert">{children}</span>
      </EmptyState>
    </div>
  );
}
