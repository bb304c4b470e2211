import { Link } from "react-router";
import { Notice } from "#app/ui/notice.tsx";

/** While the mail server takes nothing. */
export function MailOutage({ since, waiting }: { since: string; waiting: number }) {
  const emails = waiting === 1 ? "1 email waits" : `${waiting} emails wait`;
  return (
    <Notice tone="warn" title="The mail server takes no emails">
      <p>
        Since {since}. {emails}, and will be sent once it works again.
      </p>
    </Notice>
  );
}

/** In the inbox: leads to the emails that were given up. */
export function UndeliveredNotice({ count }: { count: string }) {
  return (
    <Notice tone="warn">
      <p>
        {count === "1" ? "1 email was not delivered." : `${count} emails were not delivered.`}{" "}
        <Link to="/admin/inbox/mail" className="font-semibold underline">
          See which and why
        </Link>
      </p>
    </Notice>
  );
}
