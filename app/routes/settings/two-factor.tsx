import { useNavigation } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { ShortForm, Username } from "#app/forms/intent-form.tsx";
import { PostForm } from "#app/forms/post-form.tsx";
import { helsinkiDate, monthDayYear } from "#app/platform/clock.ts";
import { metaOf } from "#app/routes/meta.ts";
import { safeRedirectTo } from "#app/routes/safe-redirect.ts";
import { Button, ButtonLink, buttonClass } from "#app/ui/button.tsx";
import { CodeField, PasswordField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { useHeadingFocus } from "#app/ui/page-change.tsx";
import type { Route } from "./+types/two-factor";
import { QrCodePicture } from "#app/routes/responses/qr-code.tsx";
import { SettingsPage } from "./settings-page.tsx";
import {
  findFactor,
  type SetupView,
  twoFactorAction,
  type TwoFactorResult,
} from "./two-factor-actions.server.ts";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta = metaOf({ title: "Two-factor sign-in", path: "/settings/two-factor" });

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, factor, isRequired } = await findFactor(context);
  return {
    email: viewer.email,
    factor: factor && {
      since: monthDayYear(helsinkiDate(factor.since)),
      codesLeft: factor.codesLeft,
    },
    isRequired,
    goOnTo: safeRedirectTo(new URL(request.url).searchParams.get("redirectTo")),
  };
}

export async function action(args: Route.ActionArgs) {
  // For all others there is no such page, whatever they post.
  await findFactor(args.context);
  return twoFactorAction(args);
}

export default function TwoFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { email, factor, isRequired, goOnTo } = loaderData;
  const result: TwoFactorResult | undefined = actionData;
  useHeadingFocus(result?.setup !== undefined);
  useHeadingFocus(result?.recoveryCodes !== undefined);
  if (result?.recoveryCodes) {
    return <RecoveryCodes codes={result.recoveryCodes} goOnTo={goOnTo ?? "/settings"} />;
  }
  if (result?.setup) {
    return (
      <SettingsPage
        title="Two-factor sign-in"
        lead="Scan the picture with your authenticator app, then type the code that it shows."
      >
        <ConfirmForm setup={result.setup} result={result} isMove={factor !== null} />
      </SettingsPage>
    );
  }
  return (
    <SettingsPage title="Two-factor sign-in" lead={factor ? ON_LEAD : OFF_LEAD}>
      {!factor && isRequired && (
        <Notice tone="info" title="Needed for admins">
          The admin pages open once this is set up.
        </Notice>
      )}
      {factor ? (
        <ManageForm factor={factor} isRequired={isRequired} email={email} result={result} />
      ) : (
        // A stolen session must not be able to register another phone.
        <ShortForm
          intent="start"
          username={email}
          result={result}
          submit="Set up"
          pendingLabel="One moment..."
        >
          <PasswordField {...fieldProps(result, "password")} label="Your password" />
        </ShortForm>
      )}
    </SettingsPage>
  );
}

const ON_LEAD = "We ask for a code when you sign in.";
const OFF_LEAD =
  "When you sign in, we also ask for a 6-digit code from an app on your phone. You need one such as Google Authenticator, Microsoft Authenticator or your password manager.";

function RecoveryCodes({ codes, goOnTo }: { codes: string[]; goOnTo: string }) {
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join("\n")}\n`)}`;
  return (
    <SettingsPage
      title="Your recovery codes"
      lead="Two-factor sign-in is on. Each code lets you in once without your phone."
    >
      <Notice tone="warn" title="Keep them somewhere safe">
        They are shown only now. Each one works once, and new ones replace them all.
      </Notice>
      <ul
        aria-label="Recovery codes"
        className="grid gap-2 rounded-card bg-surface p-5 font-mono text-sm shadow-card"
      >
        {codes.map((code) => (
          <li key={code} translate="no" className="wrap-anywhere select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="grid gap-3">
        <a
          href={file}
          download="recovery-codes.txt"
          className={buttonClass({ size: "lg", wide: true })}
        >
          Save as a file
        </a>
        <ButtonLink to={goOnTo} variant="primary" size="lg" wide>
          Done
        </ButtonLink>
      </div>
    </SettingsPage>
  );
}

type ConfirmFormProps = { setup: SetupView; result: FormResult; isMove: boolean };

function ConfirmForm({ setup, result, isMove }: ConfirmFormProps) {
  const { sealed, address, key } = setup;
  return (
    <ShortForm
      intent="confirm"
      hidden={{ setup: sealed }}
      result={result}
      submit={isMove ? "Use this phone" : "Turn on"}
      pendingLabel="One moment..."
    >
      <QrCodePicture code={setup.qrCode} label="QR code for your authenticator app" />
      <div className="grid gap-2 rounded-card bg-surface p-4 shadow-card">
        <p>
          No camera? Type this key into the app, or{" "}
          <a href={address} className="link">
            open it on this device
          </a>
          .
        </p>
        <p translate="no" className="font-mono text-base wrap-anywhere select-all">
          {key}
        </p>
      </div>
      {/* Recovery codes are not only digits; they do not work here. */}
      <CodeField {...fieldProps(result, "code")} label="Code" hint="6 digits" inputMode="numeric" />
    </ShortForm>
  );
}

type ManageFormProps = Pick<Route.ComponentProps["loaderData"], "email" | "isRequired"> & {
  factor: { since: string; codesLeft: number };
  result: FormResult | undefined;
};

function ManageForm({ factor, isRequired, email, result }: ManageFormProps) {
  const { since, codesLeft } = factor;
  const { formData } = useNavigation();
  const buttons = BUTTONS.filter(({ intent }) => intent !== "turn-off" || !isRequired);
  return (
    <>
      <Notice tone="good" title={`On since ${since}`}>
        {codesLeft} recovery {codesLeft === 1 ? "code" : "codes"} left.
      </Notice>
      <PostForm noValidate className="grid gap-4">
        <Username value={email} />
        <PasswordField {...fieldProps(result, "password")} label="Your password" />
        <CodeField
          {...fieldProps(result, "code")}
          label="Code"
          hint="From your app, or one of your recovery codes."
        />
        <FormErrors result={result} />
        {buttons.map(({ intent, variant, label }) => (
          <Button
            key={intent}
            name="intent"
            value={intent}
            variant={variant}
            size="lg"
            wide
            pending={formData?.get("intent") === intent}
            pendingLabel="One moment..."
          >
            {label}
          </Button>
        ))}
        {isRequired && (
          <p className="text-muted">Admins need two-factor sign-in here, so it stays on.</p>
        )}
      </PostForm>
    </>
  );
}

const BUTTONS = [
  { intent: "recovery-codes", variant: "primary", label: "Make new recovery codes" },
  { intent: "move", variant: "secondary", label: "Move to another phone" },
  { intent: "turn-off", variant: "danger", label: "Turn off" },
] as const;
