import type { ReactNode } from "react";
import { buttonClass } from "#app/ui/button.tsx";
import { Mail, Phone } from "#app/ui/icon.tsx";
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
