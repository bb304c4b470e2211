import { useLocation } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { WholePage } from "#app/ui/empty-state.tsx";
import { Notice } from "#app/ui/notice.tsx";

type LoadFailureProps = { title: string; children?: string };

/** Replaces a page that could not be loaded, and which has a title by its meta. */
export function LoadFailure({ title, children }: LoadFailureProps) {
  const { pathname, search } = useLocation();
  return (
    <WholePage
      title={title}
      isAlert={!children}
      action={
        <ButtonLink to={pathname + search} variant="primary" size="lg">
          Try Again
        </ButtonLink>
      }
    >
      {children && <span role="alert">{children}</span>}
    </WholePage>
  );
}

export function LoadFailed({ children }: { children: string }) {
  const { pathname, search } = useLocation();
  return (
    <div className="grid justify-items-start gap-4">
      <Notice tone="danger" className="w-full">
        {children}
      </Notice>
      <ButtonLink to={pathname + search} replace>
        Try Again
      </ButtonLink>
    </div>
  );
}
