import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

interface MissingProps {
  title: string;
  /** Says it on the screen where the title alone does not. */
  children?: string;
  back: { to: string; label: string };
}

/** What an address inside the layout shows where nothing stands behind it, and a way on. */
export function Missing({ title, children = title, back }: MissingProps) {
  return (
    <div className="mx-auto max-w-2xl px-4 pt-12">
      <h1 className="sr-only">{title}</h1>
      <EmptyState
        action={
          <ButtonLink to={back.to} variant="primary">
            {back.label}
          </ButtonLink>
        }
      >
        {children}
      </EmptyState>
    </div>
  );
}
