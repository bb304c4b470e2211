import { useEffect } from "react";
import { useLocation } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { toast } from "#app/ui/toast.ts";

/** Stands in the place of what could not be read, and asks again. */
export function LoadFailed({ children }: { children: string }) {
  const { pathname, search } = useLocation();
  useEffect(() => {
    toast({ title: children, tone: "danger" });
  }, [children]);
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
