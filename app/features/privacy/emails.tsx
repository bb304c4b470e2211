import type { Env } from "#app/platform/env.server.ts";
import { renderMail } from "#app/platform/mail.server.ts";
import { creditsCount, creditsText, euros } from "#app/platform/money.ts";
import { MailShell, MailText } from "#app/ui/mail-shell.tsx";

interface Deleted {
  firstName: string;
  /** Owed now; `givenBackCents` is what cancelled bookings have just paid of it. */
  debtCents: number;
  debtPaidCents: number;
  cashDueCents: number;
}

export function accountDeletedMail(
  site: Pick<Env, "brandName" | "contactEmail">,
  { firstName, debtCents, debtPaidCents, cashDueCents }: Deleted,
) {
  return renderMail(
    `Your ${site.brandName} account is deleted`,
    <MailShell
      brand={site.brandName}
      preview="Your upcoming bookings are cancelled."
      title="Your account is deleted"
      footer={`Was it not you? Write to ${site.contactEmail}.`}
    >
      <MailText>Hi {firstName},</MailText>
      <MailText>
        As you asked, your account is deleted. Your upcoming bookings are cancelled and any credits
        you had left are gone. We keep booking and payment records, but without your name.
      </MailText>
      {debtCents > 0 && (
        <MailText>
          {owes({ debtCents, debtPaidCents })} That stays with your email address: if you sign up
          again, your next purchase pays it first, then you can join games.
        </MailText>
      )}
      {debtCents === 0 && debtPaidCents > 0 && (
        <MailText>
          You owed {creditsCount(debtPaidCents)}. What your cancelled bookings gave back has paid
          that.
        </MailText>
      )}
      {cashDueCents > 0 && (
        <MailText>
          You paid {euros(cashDueCents)} by hand for games that you are no longer in. Whether it
          comes back is between you and the organiser: write to {site.contactEmail}, and say which
          game it was, because your name is no longer with it.
        </MailText>
      )}
      <MailText>Thanks for playing. You can sign up again with this address at any time.</MailText>
    </MailShell>,
  );
}

function owes({ debtCents, debtPaidCents }: Pick<Deleted, "debtCents" | "debtPaidCents">): string {
  if (debtPaidCents === 0) return `You owe ${creditsCount(debtCents)}.`;
  return (
    `${creditsCount(debtCents + debtPaidCents)}, less ${creditsText(debtPaidCents)} given back: ` +
    `you still owe ${creditsCount(debtCents)}.`
  );
}
