import { useRevalidator } from "react-router";
import { buttonClass } from "#app/ui/button.tsx";
import { WholePage } from "#app/ui/empty-state.tsx";

export function LoadFailed() {
  const { revalidate } = useRevalidator();
  return (
    <>
      <title>Error</title>
      <WholePage
        title="Error"
        action={
          // Without JavaScript it is a link to the page itself.
          <a
            href="/profile"
            className={buttonClass({ variant: "primary", size: "lg" })}
            onClick={(event) => {
              event.preventDefault();
              void revalidate();
            }}
          >
            Try Again
          </a>
        }
      >
        <span role="alert">Failed to load profile data</span>
      </WholePage>
    </>
  );
}
