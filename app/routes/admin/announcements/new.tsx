import { randomUUID } from "node:crypto";
import { useState } from "react";
import {
  DAYS_MAX,
  MESSAGE_MAX,
  SUBJECT_MAX,
  USUAL_DAYS,
} from "#app/features/announcements/rules.ts";
import { listVenueNames } from "#app/features/venues/venues.server.ts";
import { queryOf } from "#app/forms/form-fields.server.ts";
import { FocusedBox } from "#app/forms/form-errors.tsx";
import { fieldProps, resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { ChoiceField, toVenueChoice } from "#app/routes/admin/choice-field.tsx";
import { AdminPage, panelClass } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { TextAreaField, TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Route } from "./+types/new";
import { announceAction, type AnnounceResult, type Preview } from "./actions.server.ts";
import { prefillOfLegalPage } from "./legal-text.server.ts";
import { venueHint } from "./view.server.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, env } = context.get(appContext);
  const legal = queryOf(request).get("legal") ?? "";
  const [venues, prefilled] = await Promise.all([
    listVenueNames(db),
    prefillOfLegalPage(db, env, legal),
  ]);
  return {
    announcementId: randomUUID(),
    venues: venues.map(toVenueChoice),
    venueHint,
    ...(prefilled ?? { subject: "", message: "", kind: "news" }),
  };
}

export const action = announceAction;

export const meta = metaOf({ title: "Tell everybody" });

export default function TellEverybody({ loaderData, actionData }: Route.ComponentProps) {
  const preview = actionData?.preview;
  return (
    <AdminPage
      title="Tell everybody"
      back={{ to: "/admin/players/announcements", label: "Announcements" }}
      about="An email to each of them, a few at a time. You see who gets it before anything is sent."
    >
      {preview && (
        <PreviewPanel
          preview={preview}
          result={resultOf(actionData, "send")}
          announcementId={loaderData.announcementId}
        />
      )}
      <TextForm loaderData={loaderData} result={actionData} />
    </AdminPage>
  );
}

type Filled = Route.ComponentProps["loaderData"];

function TextForm({
  loaderData,
  result,
}: {
  loaderData: Filled;
  result: AnnounceResult | undefined;
}) {
  const { venues, venueHint: hint, subject, message, kind } = loaderData;
  const hydrated = useHydrated();
  const [audience, setAudience] = useState(result?.values?.["audience"] ?? "everybody");
  // Without scripts all fields are there.
  const isLess = (other: string) => hydrated && audience !== other;
  return (
    <IntentForm
      intent="preview"
      result={result?.preview ? undefined : result}
      className="grid gap-4"
      preventScrollReset
    >
      <ChoiceField
        {...fieldProps(result, "audience", "everybody")}
        label="Who gets it *"
        choices={AUDIENCES}
        onInput={({ currentTarget }) => setAudience(currentTarget.value)}
      />
      <div hidden={isLess("played")}>
        <TextField
          {...fieldProps(result, "days", String(USUAL_DAYS))}
          label="Played within so many days *"
          hint={`1 to ${DAYS_MAX}`}
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
      <div hidden={isLess("venue")}>
        <ChoiceField
          {...fieldProps(result, "venueId")}
          label="Venue *"
          hint={hint}
          none="Choose a venue"
          choices={venues}
        />
      </div>
      <ChoiceField
        {...fieldProps(result, "kind", kind)}
        label="What it is *"
        hint="Changes of the terms, the privacy text or prices, and what concerns safety, are important. All else is news."
        choices={KINDS}
      />
      <TextField
        {...fieldProps(result, "subject", subject)}
        label="Subject *"
        maxLength={SUBJECT_MAX}
        autoComplete="off"
        required
      />
      <TextAreaField
        {...fieldProps(result, "message", message)}
        label="Message *"
        hint="Plain text. Line breaks stay as you write them."
        rows={10}
        maxLength={MESSAGE_MAX}
        required
      />
      <SubmitButton variant="primary" size="lg" pendingLabel="Loading…" className="max-md:w-full">
        Preview
      </SubmitButton>
    </IntentForm>
  );
}

const AUDIENCES = [
  ["everybody", "Everybody"],
  ["played", "Who has played lately"],
  ["venue", "The players of a venue"],
] as const;

const KINDS = [
  ["news", "News: players can switch it off"],
  ["important-announcement", "Important: everybody gets it"],
] as const;

interface PreviewPanelProps {
  preview: Preview;
  result: AnnounceResult | undefined;
  announcementId: string;
}

/** Its form sends what is shown here, whatever is typed below meanwhile. */
function PreviewPanel({ preview, result, announcementId }: PreviewPanelProps) {
  const { input, recipients, people } = preview;
  const { subject, message, kind } = input;
  return (
    <FocusedBox of={preview} label="Preview">
      <div className={panelClass}>
        <Notice tone="info">This is the email. Nothing is sent yet.</Notice>
        <article className="grid gap-3 rounded-card border border-line bg-canvas p-4">
          <h3 className="text-base wrap-anywhere">{subject}</h3>
          <p className="wrap-anywhere whitespace-pre-line">{message}</p>
          <p className="border-t border-line pt-3 text-sm text-muted">{FOOTERS[kind]}</p>
        </article>
        <IntentForm
          intent="send"
          result={result}
          hidden={{ ...input, recipients }}
          once={{ announcementId }}
        >
          <SubmitButton variant="primary" size="lg" wide pendingLabel="Sending…">
            Send to {people}
          </SubmitButton>
        </IntentForm>
      </div>
    </FocusedBox>
  );
}

const FOOTERS: Record<Preview["input"]["kind"], string> = {
  news: "At its end is a link that turns these emails off. At night it waits until 8:00.",
  "important-announcement": "Everybody whom it concerns gets it: it cannot be switched off.",
};
