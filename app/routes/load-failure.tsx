import { useLocation } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { WholePage } from "#app/ui/empty-state.tsx";

/** Instead of a page that could not be loaded. */
export function LoadFailure({ children }: { children: string }) {
  const { pathname, search } = useLocation();
  return (
    <>
      <title>{children}</title>
      <WholePage
        title={<span role="alert">{children}</span>}
        action={
          <ButtonLink to={pathname + search} variant="primary" size="lg">
            Try Again
          </ButtonLink>
        }
      />
    </>
  );
}
