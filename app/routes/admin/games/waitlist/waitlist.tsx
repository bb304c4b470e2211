import { Link } from "react-router";
import { FormKey } from "#app/forms/form-key.tsx";
import { useCloseWhenDone } from "#app/forms/use-close-when-done.ts";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { Part } from "#app/routes/admin/page.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Dialog, DialogClose, DialogTrigger } from "#app/ui/dialog.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { WaitlistRowView, WaitlistReport } from "./view.server.ts";
import { HiddenName } from "#app/routes/admin/games/hidden-name.tsx";
import { PROMOTE_REASON_MAX } from "#app/features/waitlist/rules.ts";

interface WaitlistProps {
  waitlist: WaitlistReport;
  result: FormResult | undefined;
}

/** Lists who waits, in order, and why a spot would go to somebody further down. */
export function Waitlist({ waitlist, result }: WaitlistProps) {
  return (
    <Part title="Waitlist" about={`${waitlist.about} A spot goes to the first who can have it.`}>
      <ol className="grid gap-3">
        {waitlist.rows.map((row, index) => (
          <Row
            key={row.entryId}
            row={row}
            position={index + 1}
            path={waitlist.path}
            result={result?.values?.entryId === row.entryId ? result : undefined}
          />
        ))}
      </ol>
    </Part>
  );
}

interface RowProps {
  row: WaitlistRowView;
  path: string;
  result: FormResult | undefined;
}

function Row({ position, ...props }: RowProps & { position: number }) {
  const { name, playerId, pictureUrl, terms, obstacle, wasPassedOver, isOffered } = props.row;
  const { promoteReason } = props.row;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card bg-surface p-4 shadow-card">
      <span className="w-6 text-lg font-bold tabular-nums">{position}</span>
      <Avatar src={pictureUrl} name={name} />
      <div className="min-w-0 grow basis-48">
        <p className="font-bold wrap-anywhere">
          <Link translate="no" to={`/admin/players/${playerId}`} className="hover:underline">
            {name}
          </Link>
        </p>
        <p className="text-sm text-muted tabular-nums">{terms}</p>
        {promoteReason && (
          <p className="text-sm text-muted wrap-anywhere">Put first: {promoteReason}</p>
        )}
        {obstacle && (
          <p className="mt-1 flex flex-wrap gap-1">
            <Badge tone="amber" className="max-w-full text-balance whitespace-normal">
              {obstacle}
            </Badge>
            {wasPassedOver && <Badge>Passed over, notified by email</Badge>}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">
        {!isOffered && <PromoteDialog {...props} />}
        <RemoveDialog {...props} />
      </div>
    </li>
  );
}

function PromoteDialog({ row: { entryId, name }, path, result }: RowProps) {
  const dialog = `promote-${entryId}`;
  const own = result?.form === "waitlist-promote" ? result : undefined;
  const fieldId = (field: string) => `${field}-${entryId}`;
  // Its player stays on the list, at another place.
  useCloseWhenDone(dialog, ["waitlist-promote"], own !== undefined);
  return (
    <>
      <DialogTrigger dialog={dialog}>
        Promote <HiddenName>{name}</HiddenName>
      </DialogTrigger>
      <Dialog id={dialog} title={`Promote ${name}?`} open={own}>
        <IntentForm
          intent="waitlist-promote"
          hidden={{ entryId }}
          result={own}
          fieldId={fieldId}
          action={path}
        >
          <FormKey />
          <p>
            The next spot goes to this player before everybody else, at once where one is free. The
            reason stays with the place on the list, until the player's account is deleted.
          </p>
          <TextField
            {...fieldProps(own, "reason")}
            id={fieldId("reason")}
            label="Reason"
            maxLength={PROMOTE_REASON_MAX}
            required
          />
          <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
            <DialogClose dialog={dialog}>Keep the order</DialogClose>
            <SubmitButton variant="primary" pendingLabel="Promoting…">
              Promote player
            </SubmitButton>
          </div>
        </IntentForm>
      </Dialog>
    </>
  );
}

function RemoveDialog({ row: { entryId, name }, path, result }: RowProps) {
  const dialog = `unlist-${entryId}`;
  const own = result?.form === "waitlist-remove" ? result : undefined;
  return (
    <>
      <DialogTrigger dialog={dialog} variant="quiet">
        Remove <span className="sr-only">{`${name} from the waitlist`}</span>
      </DialogTrigger>
      <Dialog id={dialog} title={`Take ${name} off the waitlist?`} open={own}>
        <IntentForm intent="waitlist-remove" hidden={{ entryId }} result={own} action={path}>
          <FormKey />
          <p>The player gets an email. Nothing is taken, and nothing has to be given back.</p>
          <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
            <DialogClose dialog={dialog}>Keep the place</DialogClose>
            <SubmitButton variant="danger" pendingLabel="Removing…">
              Remove from waitlist
            </SubmitButton>
          </div>
        </IntentForm>
      </Dialog>
    </>
  );
}
