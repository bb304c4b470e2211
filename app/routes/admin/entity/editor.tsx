import type { ReactNode } from "react";
import type { MetaFunction } from "react-router";
import { useNavigate, useSearchParams } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { type FormResult, resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { AdminPage, NotLoaded, Panel } from "#app/routes/admin/page.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import type { EntityNoun } from "#app/platform/schema.ts";
import type { FormView } from "./form-view.server.ts";
import { EntityForm } from "./form.tsx";
import { pathOf, titleOf } from "./noun.ts";

/** Without a row for a new one; null where it could not be read. */
type Found<Row> = { row: Row | null; form: FormView } | null;

interface EntityEditorProps {
  noun: EntityNoun;
  found: Found<{ id: string; name: string }>;
  result: FormResult | undefined;
  failed?: string;
  deletion: string;
  children?: ReactNode;
}

/** The page of a row that can be edited and deleted, and of a new one. */
export function EntityEditor(props: EntityEditorProps) {
  const { noun, found, result, failed = "", deletion, children } = props;
  const list = { to: pathOf(noun), label: `${titleOf(noun)}s` };
  const newLabel = `Add ${noun}`;
  if (!found) return <NotLoaded back={list} failed={failed} />;
  const { row, form } = found;
  if (!row) {
    return (
      <AdminPage title={newLabel} back={list}>
        <div className="max-w-xl">
          <EntityForm form={form} result={result} submit={newLabel} />
        </div>
      </AdminPage>
    );
  }
  const path = `${list.to}/${row.id}`;
  return (
    <AdminPage key={row.id} title={<span translate="no">{row.name}</span>} back={list}>
      <FormErrors result={resultOf(result, "remove", "")} />
      <DeleteDialog noun={noun} text={deletion} path={path} />
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Panel title="Details">
          <EntityForm form={form} result={resultOf(result, "save")} submit="Save" />
        </Panel>
        <div className="grid gap-4">
          {children}
          <Panel title="Delete">
            <ButtonLink to={`${path}?delete`} preventScrollReset className="justify-self-start">
              Delete {noun}
            </ButtonLink>
          </Panel>
        </div>
      </div>
    </AdminPage>
  );
}

type DeleteDialogProps = { noun: EntityNoun; text: string; path: string };

/** Opened by the URL, so that it works without JavaScript. */
function DeleteDialog({ noun, text, path }: DeleteDialogProps) {
  const [searchParams] = useSearchParams();
  const navigate = useNavigate();
  const isOpen = searchParams.has("delete");
  const leave = () => {
    if (isOpen) void navigate(path, { replace: true, preventScrollReset: true });
  };
  return (
    // Without JavaScript it is in the page's flow, above what follows.
    <Dialog
      id="remove-row"
      title={`Delete this ${noun}?`}
      open={isOpen}
      onClose={leave}
      className="z-10"
    >
      <p>{text}</p>
      <IntentForm intent="remove" className="mt-6 flex flex-wrap justify-end gap-3">
        <ButtonLink to={path} replace preventScrollReset>
          Keep it
        </ButtonLink>
        <SubmitButton variant="danger" pendingLabel="Deleting…">
          Delete {noun}
        </SubmitButton>
      </IntentForm>
    </Dialog>
  );
}

/** The title of a row's page, of a new one's, and of one that is missing. */
export const editorMeta =
  (newLabel: string, missing: string): MetaFunction =>
  ({ matches, loaderData }) => {
    const { found } = (loaderData ?? {}) as { found?: Found<{ name: string }> };
    return pageMeta(siteOf(matches), {
      title: found ? (found.row?.name ?? newLabel) : missing,
    });
  };
