import type { ReactNode } from "react";
import { buttonClass } from "#app/ui/button.tsx";
import { icon } from "#app/ui/icon.tsx";
import { Mail } from "#app/ui/other-icons.tsx";
import type { GamePage } from "./game-page.server.ts";

export default function RunningLate({
  contact: { mailto, phone },
}: {
  contact: NonNullable<NonNullable<GamePage["organiser"]>["contact"]>;
}): ReactNode {
  return (
    <section aria-label="Running late?" className="rounded-card bg-info-soft p-4 text-info">
      <p>
        <strong>Running late?</strong> {`${phone ? "Call or write" : "Write"} to the organiser`}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {phone && (
          <a href={phone.tel} className={buttonClass({})}>
            <Phone className="size-5" /> {phone.text}
          </a>
        )}
        <a href={mailto} className={buttonClass({})}>
          <Mail className="size-5" /> Write an email
        </a>
      </div>
    </section>
  );
}

const Phone = icon(
  <path d="M5 3.5h4l1.5 4.5-2.2 1.7a12 12 0 0 0 6 6L16 13.5l4.5 1.5v4a1.5 1.5 0 0 1-1.5 1.5C10.4 20.5 3.5 13.6 3.5 5A1.5 1.5 0 0 1 5 3.5Z" />,
);
