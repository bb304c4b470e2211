import { useRevalidator } from "react-router";
import { buttonClass } from "../../ui/button-class.ts";
import { EmptyState } from "../../ui/empty-state.tsx";

export function LoadFailed() {
  const { revalidate } = useRevalidator();
  return (
    <div className="mx-auto grid max-w-2xl gap-4 px-4 pt-12">
      <title>Error</title>
      <h1 className="text-xl">Error</h1>
      <EmptyState
        action={
          // Without JavaScript it is a link to the page itself.
          <a
            href="/profile"
            className={buttonClass({ variant: "primary" })}
            onClick={(event) => {
              event.preventDefault();
              void revalidate();
            }}
          >
            Try Again
          </a>
        }
      >
        Failed to load profile data
      </EmptyState>
    </div>
  );
}
