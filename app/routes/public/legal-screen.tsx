import type { ReactNode } from "react";
import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { CornerArc } from "#app/ui/pitch-lines.tsx";
import { LegalText } from "#app/features/legal/legal-text.tsx";

interface LegalScreenProps {
  page: { title: string; content: string } | null;
  /** What stands in its place. */
  failure: string;
  /** The page's own address. */
  path: string;
  children?: ReactNode;
}

/** A legal text as it was written: plain, its line breaks kept. */
export function LegalScreen({ page, failure, path, children }: LegalScreenProps) {
  return (
    <div className="relative isolate overflow-hidden">
      <CornerArc className="top-0 right-0 size-48 rotate-180 md:size-72" />
      <article className="mx-auto grid max-w-2xl gap-6 px-4 pt-8">
        {page ? (
          <LegalText {...page} />
        ) : (
          <>
            <h1 className="sr-only">{failure}</h1>
            <Notice tone="danger">{failure}</Notice>
            <ButtonLink to={path} className="justify-self-start">
              Try Again
            </ButtonLink>
          </>
        )}
        {children}
      </article>
    </div>
  );
}
