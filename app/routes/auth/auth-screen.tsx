import { type ComponentProps, type ReactNode, useEffect } from "react";
import { Link } from "react-router";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { SiteLinks } from "#app/routes/site-links.tsx";
import { DemoBanner, Logo } from "#app/routes/site-shell.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { TextField } from "#app/ui/field.tsx";
import { ArrowLeft, Ball } from "#app/ui/icon.tsx";
import { Mail } from "#app/ui/other-icons.tsx";
import { deleteKept } from "#app/ui/kept.ts";
import { CornerArc } from "#app/ui/pitch-lines.tsx";
import { toast } from "#app/ui/toast.ts";
import type { AuthResult } from "./actions.server.ts";

interface AuthScreenProps {
  title: string;
  lead?: ReactNode;
  back?: { to: string; label: string };
  /** A short page starts further down on wide screens. */
  isShort?: boolean;
  children: ReactNode;
}

export function AuthScreen({ title, lead, back = SIGN_IN, isShort, children }: AuthScreenProps) {
  // What was typed or tapped waits for its account (decision 017).
  useEffect(() => deleteKept("tickets", "filters"), []);
  return (
    <div className="flex min-h-dvh flex-col">
      <DemoBanner />
      <main
        className={classNames(
          "relative isolate grow overflow-hidden px-4 pt-4 pb-16",
          isShort && "md:pt-[18dvh]",
        )}
      >
        <CornerArc className="right-2 bottom-2 size-96 -scale-x-100 max-xl:hidden" />
        <div className="mx-auto grid w-full max-w-md grid-cols-1 gap-6">
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <Link
              to={back.to}
              className="-ml-2 inline-flex min-h-11 items-center gap-1 px-2 font-semibold text-muted hover:text-ink"
            >
              <ArrowLeft className="size-5" /> {back.label}
            </Link>
            <Logo to="/" />
          </div>
          <header className={classNames("grid gap-2", isShort && "max-md:pt-6")}>
            <h1 className="text-xl">{title}</h1>
            {lead && <p className="text-muted">{lead}</p>}
          </header>
          {children}
          <SiteLinks className="mt-2" />
        </div>
      </main>
    </div>
  );
}

const SIGN_IN = { to: "/auth", label: "Sign In" };

export function EmailField(props: Partial<ComponentProps<typeof TextField>>) {
  return <TextField label="email" type="email" autoComplete="username" required {...props} />;
}

export function AddressCard({ email }: { email: string }) {
  return (
    <p className={card}>
      <Mail className="text-muted" />
      <span translate="no" className="min-w-0 wrap-anywhere">
        {email}
      </span>
    </p>
  );
}

export function InvitationCard({ children }: { children: string }) {
  return (
    <p className={card}>
      <Ball className="shrink-0 text-muted" />
      <span className="min-w-0 text-balance wrap-anywhere">{children}</span>
    </p>
  );
}

const card = "flex items-center gap-3 rounded-card bg-surface p-4 font-semibold shadow-card";

export function ResendForm({ result, to = "/auth" }: { result?: FormResult; to?: string }) {
  return (
    <ShortForm
      intent="resend"
      action={to}
      result={result}
      submit="Send the link again"
      pendingLabel="Sending..."
    >
      <EmailField {...fieldProps(result, "email")} autoComplete="email" />
    </ShortForm>
  );
}

interface EmailSentProps {
  notice: NonNullable<AuthResult["notice"]>;
  values: AuthResult["values"];
  back?: AuthScreenProps["back"];
  again: { action: string; intent?: string };
  other: string;
  children?: ReactNode;
}

/** Replaces the form once its email is sent; shows the address, so that typos are noticed. */
export function EmailSent({ notice, values, back, again, other, children }: EmailSentProps) {
  const { email = "" } = values ?? {};
  useEffect(() => void toast({ ...notice, tone: "good" }), [notice]);
  return (
    <AuthScreen title={notice.title} lead={notice.description} back={back} isShort>
      <AddressCard email={email} />
      {children}
      <p className="text-muted">
        Nothing there after a few minutes? Check your spam folder, and that the address above is
        right.
      </p>
      {again.intent && (
        <p className="text-muted">
          Each further email to the same address takes longer. Use the newest one.
        </p>
      )}
      <div className="grid gap-2">
        <ShortForm
          {...again}
          hidden={{ email }}
          variant="secondary"
          submit="Send again"
          pendingLabel="Sending..."
        />
        <Link
          to={other}
          className="inline-flex min-h-11 items-center justify-self-center px-2 font-semibold link"
        >
          Use another address
        </Link>
      </div>
    </AuthScreen>
  );
}
