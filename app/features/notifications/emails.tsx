import { Link } from "react-email";
import type { Env } from "#app/platform/env.server.ts";
import { NOTIFICATION_KINDS } from "./rules.ts";
import type { Unsubscribe } from "./settings.server.ts";

export function UnsubscribeFooter({
  site: { contactEmail },
  unsubscribe: { url, kind },
}: {
  site: Pick<Env, "contactEmail">;
  unsubscribe: Unsubscribe;
}) {
  return (
    <>
      Questions: {contactEmail}
      <br />
      You get this because “{NOTIFICATION_KINDS[kind].label}” is on in your settings.{" "}
      <Link href={url} style={{ color: "inherit", textDecoration: "underline" }}>
        Turn these emails off
      </Link>
    </>
  );
}
