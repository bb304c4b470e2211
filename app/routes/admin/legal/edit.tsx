import { useEffect } from "react";
import { data } from "react-router";
import { log } from "#app/platform/log.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { toast } from "#app/ui/toast.ts";
import { appContext } from "#app/routes/context.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { LoadFailed } from "#app/routes/admin/load-failed.tsx";
import type { Route } from "./+types/edit";
import { answerLegal, type LegalAnswer } from "./answers.server.ts";
import { type Editor, loadEditor } from "./editor.server.ts";
import { LegalForm } from "./legal-form.tsx";
import { LEGAL, legalType, LOAD_FAILED, PAGE_NAMES, UPDATE_FAILED } from "./legal-words.ts";
import { LegalPreview } from "./preview.tsx";
import { VersionList } from "./version-list.tsx";

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const type = legalType(params.pageType);
  if (!type) return data({ editor: null, isMissing: true }, { status: 404 });
  try {
    const query = new URL(request.url).searchParams;
    const editor = await loadEditor(context.get(appContext), type, query);
    if (editor) return data({ editor, isMissing: false });
    log.error({ type }, "no legal page is stored");
  } catch (error) {
    log.error({ err: error, type }, LOAD_FAILED);
  }
  return data({ editor: null, isMissing: false }, { status: 500 });
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { userId: actor } = context.get(viewerContext);
  const type = legalType(params.pageType);
  const fields = await formFields(request);
  if (!type) {
    const failure = { title: UPDATE_FAILED, description: "There is no such page." };
    const nothing: LegalAnswer = { failure, values: { title: "", content: "" }, version: 0 };
    return data(nothing, { status: 404 });
  }
  return answerLegal(context.get(appContext), { type, actor, fields });
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const editor = loaderData?.editor;
  const title = editor ? `Edit ${PAGE_NAMES[editor.type]}` : "Legal Pages";
  return pageMeta(siteOf(matches), { title });
};

export default function EditLegalPage({ loaderData, actionData }: Route.ComponentProps) {
  useRefusalToast(actionData);
  const { editor, isMissing } = loaderData;
  return (
    <div className="grid gap-4">
      <BackLink to={LEGAL}>Legal Pages</BackLink>
      {editor && <Desk editor={editor} answer={actionData ?? undefined} />}
      {!editor && isMissing && <EmptyState>There is no such page.</EmptyState>}
      {!editor && !isMissing && <LoadFailed>{LOAD_FAILED}</LoadFailed>}
    </div>
  );
}

function Desk({ editor, answer }: { editor: Editor; answer: LegalAnswer | undefined }) {
  const { type, version, former, saved, warning } = editor;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="text-lg">{PAGE_NAMES[type]}</h2>
          <p className="text-sm text-muted tabular-nums">{saved}</p>
        </div>
        <ButtonLink to={`/${type}`}>View the page</ButtonLink>
      </div>
      {former && (
        <Notice tone="info">
          This is version {former.version}. Nothing has changed yet: save it to publish it again.
        </Notice>
      )}
      {warning && !answer?.preview && <Notice tone="warn">{warning}</Notice>}
      {answer?.preview && <LegalPreview key={answer.preview.content} {...answer.preview} />}
      <LegalForm key={`${type} ${version} ${former?.version}`} editor={editor} answer={answer} />
      <VersionList editor={editor} />
    </>
  );
}

/** Says in a toast what a refused form says on the page. */
function useRefusalToast(answer: LegalAnswer | null | undefined) {
  useEffect(() => {
    if (!answer || answer.preview) return;
    const description = answer.failure?.description ?? Object.values(answer.errors ?? {})[0];
    toast({ title: UPDATE_FAILED, description, tone: "danger" });
  }, [answer]);
}
