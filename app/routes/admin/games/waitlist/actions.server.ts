import {
  promoteOutOfOrder,
  removeFromWaitlist,
} from "#app/features/waitlist/organise-waitlist.server.ts";
import { fail, parseForm } from "#app/forms/form-action.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { type GameArgs, gameOf } from "#app/routes/admin/games/roster/roster-actions.server.ts";
import { promotionInput } from "#app/features/waitlist/input.ts";

export const organiserForms = {
  "waitlist-promote": {
    failed: "Failed to promote player",
    keep: ["entryId", "reason"],
    run: promote,
  },
  "waitlist-remove": {
    failed: "Failed to remove player from the waitlist",
    keep: ["entryId"],
    run: remove,
  },
};

async function promote(args: GameArgs) {
  const { app, gameId, actorId, done } = gameOf(args);
  const { entryId = "" } = args.fields;
  const { reason } = parseForm(promotionInput, args.fields);
  const formKey = formKeyOf(args.fields.formKey);
  const promotion = { gameId, entryId, actorId, reason, formKey, now: app.now() };
  const result = await promoteOutOfOrder(app.db, app.jobs, promotion);
  if (!result.ok) return failPlace();
  const next = result.isServed ? "The free spot went to this player." : "The next spot is theirs.";
  return done("Player promoted", next);
}

async function remove(args: GameArgs) {
  const { app, gameId, actorId, done } = gameOf(args);
  const { entryId = "" } = args.fields;
  const formKey = formKeyOf(args.fields.formKey);
  const removal = { gameId, entryId, actorId, formKey, now: app.now() };
  const result = await removeFromWaitlist(app.db, app.jobs, removal);
  if (!result.ok) return failPlace();
  return done("Removed from the waitlist", "The player is notified by email.");
}

function failPlace() {
  const formError = "This player does not wait any more. Nothing was changed.";
  return fail(409, { formError });
}
