import { useLocation } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { WholePage } from "#app/ui/empty-state.tsx";

/** Stands in the page's place where it could not be loaded; trying again is its own address. */
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
