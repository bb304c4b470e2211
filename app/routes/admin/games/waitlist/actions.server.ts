import {
  promoteOutOfOrder,
  removeFromWaitlist,
} from "#app/features/waitlist/organise-waitlist.server.ts";
import type { Answer } from "#app/forms/form-rows.server.ts";
import { gameRow } from "#app/routes/admin/games/roster/roster-actions.server.ts";
import { promotionInput } from "#app/features/waitlist/input.ts";

const errors: Record<"not-found" | "not-waiting", Answer> = {
  "not-found": ["missing", "This game was not found."],
  "not-waiting": "This player does not wait any more. Nothing was changed.",
};

export const organiserForms = {
  "waitlist-promote": gameRow({
    failed: "Failed to promote player",
    keep: ["entryId", "reason"],
    input: promotionInput,
    run: ({ db, jobs, change, formKey, input, fields: { entryId = "" } }) =>
      promoteOutOfOrder(db, jobs, { ...change, entryId, ...input, formKey }),
    errors,
    done: ({ isServed }) => ({
      title: "Player promoted",
      description: isServed ? "The free spot went to this player." : "The next spot is theirs.",
    }),
  }),
  "waitlist-remove": gameRow({
    failed: "Failed to remove player from the waitlist",
    keep: ["entryId"],
    run: ({ db, jobs, change, formKey, fields: { entryId = "" } }) =>
      removeFromWaitlist(db, jobs, { ...change, entryId, formKey }),
    errors,
    done: { title: "Removed from the waitlist", description: "The player is notified by email." },
  }),
};
