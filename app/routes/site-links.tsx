import { Link } from "react-router";
import { useSite } from "#app/routes/site.ts";
import { classNames } from "#app/ui/class-names.ts";

/** In a page's content if no footer shows: on phones, and around signing up. */
export function SiteLinks({ className }: { className?: string }) {
  return (
    <p
      className={classNames(
        "flex flex-wrap gap-x-4 text-sm text-muted *:underline *:underline-offset-4",
        className,
      )}
    >
      <FooterLinks contact="Contact" />
    </p>
  );
}

/** The contact is its email address by default. */
export function FooterLinks({ contact }: { contact?: string }) {
  const { contactEmail } = useSite();
  return (
    <>
      <a translate={contact ? undefined : "no"} className={link} href={`mailto:${contactEmail}`}>
        {contact ?? contactEmail}
      </a>
      <Link className={link} to="/terms">
        Terms
      </Link>
      <Link className={link} to="/privacy">
        Privacy
      </Link>
      <Link className={link} to="/accessibility">
        Accessibility
      </Link>
    </>
  );
}

const link = "flex min-h-11 min-w-11 items-center hover:text-ink hover:underline";
