import { classNames } from "#app/ui/class-names.ts";
import type { TextPart } from "#app/features/chat/links.server.ts";

/** User text in its own direction, with web addresses as links. */
export function LinkedText({ parts, className }: { parts: TextPart[]; className?: string }) {
  return (
    <p dir="auto" className={classNames("wrap-anywhere whitespace-pre-line", className)}>
      {parts.map(({ text, href }, n) =>
        href ? (
          <a
            key={n}
            href={href}
            target="_blank"
            rel="nofollow ugc noopener"
            className="underline underline-offset-2"
          >
            {text}
          </a>
        ) : (
          text
        ),
      )}
    </p>
  );
}
