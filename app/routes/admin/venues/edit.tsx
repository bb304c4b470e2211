import { type VenuePhoto, venues, withPhotos } from "#app/features/venues/admin-venues.server.ts";
import { photoCount } from "#app/features/venues/rules.ts";
import { formAction, formActions } from "#app/forms/form-action.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { type FormResult, resultOf } from "#app/forms/form-result.ts";
import { NOTHING_SAVED } from "#app/forms/messages.ts";
import { changeRow } from "#app/platform/entity-writes.server.ts";
import { editorMeta } from "#app/routes/admin/entity/editor.tsx";
import { type FormView, loadEditor } from "#app/routes/admin/entity/form-view.server.ts";
import { EntityForm } from "#app/routes/admin/entity/form.tsx";
import { adminRow } from "#app/routes/admin/admin-action.server.ts";
import { entityAction, entityRows } from "#app/routes/admin/entity/rows.server.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { orMissing } from "#app/routes/admin/load-page.server.ts";
import { AdminPage } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { ownPath, Picture } from "#app/ui/picture.tsx";
import type { Route } from "./+types/edit";

const LIST = { to: "/admin/venues", label: "Venues" };

export async function loader({ context, params: { venueId: id } }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  return { found: orMissing(await loadEditor(db, venues, { id, toView })) };
}

function toView(row: NonNullable<typeof venues.row>) {
  const { id, name, isHidden } = row;
  const photos = withPhotos(row).photos.filter(({ url }) => ownPath(url));
  return { id, name, isHidden, photos, count: photoCount(photos.length).replace(/^no/, "No") };
}

const rows = entityRows(venues, {
  isKept: true,
  formError: NOTHING_SAVED,
  created: { description: "Now add its photos." },
  next: "/photos",
});

const hide = (isHidden: boolean) =>
  adminRow({
    failed: isHidden ? "Failed to hide venue" : "Failed to show venue",
    run: ({ db, actor, params: { venueId: id = "" } }) =>
      changeRow(db, venues, { id, actor, action: "venue.hide", values: { isHidden } }),
    errors: { gone: ["missing", "There is no such venue."] },
    // Not back to the form, which may hold older values than the venue.
    done: { to: LIST.to, title: isHidden ? "Venue hidden" : "Venue shown again" },
  });

export const action = entityAction(
  venues,
  formActions({ save: rows.save, hide: hide(true), show: hide(false) }),
  formAction(rows.create, rows.create.run),
);

export const meta = editorMeta("New venue", "Venue not found");

export const ErrorBoundary = missingBoundary("Venue not found", LIST.to, "All venues");

export default function EditVenue({ loaderData, actionData }: Route.ComponentProps) {
  const { row, form } = loaderData.found;
  if (row) return <Editor key={row.id} venue={row} form={form} result={actionData} />;
  const cancel = (
    <ButtonLink to={LIST.to} variant="quiet">
      Cancel
    </ButtonLink>
  );
  return (
    <AdminPage back={LIST} title="New venue">
      <EntityForm
        {...{ form, result: actionData, submit: "Add venue", secondary: cancel }}
        className={formClass}
      />
    </AdminPage>
  );
}

const formClass = "grid max-w-2xl gap-4";

interface EditorProps {
  venue: ReturnType<typeof toView>;
  form: FormView;
  result: FormResult | undefined;
}

function Editor({ venue: { id, name, isHidden, photos, count }, form, result }: EditorProps) {
  const asPlayer = (
    <ButtonLink to={`/venues/${id}`} variant="quiet">
      View as player
    </ButtonLink>
  );
  return (
    <AdminPage
      back={LIST}
      title={<span translate="no">{name}</span>}
      aside={isHidden && <Badge>Hidden</Badge>}
      className="grid gap-6"
    >
      <FormErrors result={resultOf(result, "hide", "show", "")} />
      <div className="grid gap-3">
        <div className="flex items-center justify-between gap-4">
          <p className="text-muted">{count}</p>
          <ButtonLink to={`${LIST.to}/${id}/photos`}>
            {photos.length > 0 ? "Edit photos" : "Add photos"}
          </ButtonLink>
        </div>
        <PhotoStrip photos={photos} />
      </div>
      <EntityForm
        {...{ form, result: resultOf(result, "save"), submit: "Save venue", secondary: asPlayer }}
        className={formClass}
      />
      <div className="grid max-w-2xl gap-3 border-t border-line pt-6">
        <h3 className="text-base">Closed for a while?</h3>
        <p className="text-muted">
          Cancel all games here from one day to another, with refunds and emails.
        </p>
        <ButtonLink to={`${LIST.to}/${id}/cancel-games`} className="justify-self-start">
          Cancel games here
        </ButtonLink>
      </div>
      <HideForm isHidden={isHidden} />
    </AdminPage>
  );
}

function PhotoStrip({ photos }: { photos: VenuePhoto[] }) {
  if (photos.length === 0) return null;
  return (
    <ul aria-label="Photos" className="grid grid-cols-3 gap-2 md:grid-cols-6">
      {photos.map(({ url, alt }, index) => (
        <li key={index}>
          <Picture
            src={url}
            alt={alt || `Photo ${index + 1}`}
            sizes="(min-width: 768px) 150px, 33vw"
            className="aspect-video w-full rounded-card bg-night object-cover"
          />
        </li>
      ))}
    </ul>
  );
}

function HideForm({ isHidden }: { isHidden: boolean }) {
  const intent = isHidden ? "show" : "hide";
  return (
    <IntentForm intent={intent} className="grid max-w-2xl gap-3 border-t border-line pt-6">
      <h3 className="text-base">{isHidden ? "This venue is hidden" : "Hide this venue"}</h3>
      <p className="text-muted">
        {isHidden ? "Players do not find it" : "Players no longer find it"}, and new games cannot be
        put there. Its games go on.
      </p>
      <SubmitButton className="justify-self-start">
        {isHidden ? "Show venue" : "Hide venue"}
      </SubmitButton>
    </IntentForm>
  );
}
