import type { Env } from "../../platform/env.server.ts";
import { renderMail } from "../../platform/mail.server.ts";
import { creditsCount } from "../../platform/money.ts";
import { MailShell, MailText } from "../../ui/mail-shell.tsx";

/** The last mail to a player: the account is gone. */
export function accountDeletedMail(
  site: Pick<Env, "brandName" | "contactEmail">,
  { firstName, debtCents }: { firstName: string; debtCents: number },
) {
  return renderMail(
    `Your ${site.brandName} account is deleted`,
    <MailShell
      brand={site.brandName}
      preview="Your bookings of games to come are cancelled."
      title="Your account is deleted"
      footer={`Was it not you? Write to ${site.contactEmail}.`}
    >
      <MailText>Hi {firstName},</MailText>
      <MailText>
        As you asked, your account is deleted. Your bookings of games to come are cancelled and the
        credits that were left have lapsed. What the books must keep no longer carries your name.
      </MailText>
      {debtCents > 0 && (
        <MailText>
          You owe {creditsCount(debtCents)}. That stays with your email address: a new account can
          join games once it is settled, and its next credits settle it.
        </MailText>
      )}
      <MailText>Thanks for playing. You can sign up again with this address at any time.</MailText>
    </MailShell>,
  );
}
