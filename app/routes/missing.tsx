import { ButtonLink } from "#app/ui/button.tsx";
import { WholePage } from "#app/ui/empty-state.tsx";

interface MissingProps {
  title: string;
  /** Why that may be. */
  children?: string;
  back: { to: string; label: string };
}

/** What an address inside the layout shows where nothing stands behind it, and a way on. */
export function Missing({ title, children, back }: MissingProps) {
  return (
    <WholePage
      title={title}
      action={
        <ButtonLink to={back.to} variant="primary" size="lg">
          {back.label}
        </ButtonLink>
      }
    >
      {children}
    </WholePage>
  );
}
