import { useLocation } from "react-router";
import { reviewInput } from "#app/features/support/input.ts";
import { COMMENT_MAX, RATINGS, SENT_TOO_OFTEN } from "#app/features/support/rules.ts";
import { leaveReview } from "#app/features/support/tickets.server.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { KeepDrafts } from "#app/forms/keep-drafts.tsx";
import { FocusedBox } from "#app/forms/form-errors.tsx";
import { fieldProps } from "#app/forms/form-result.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { playerRow } from "#app/routes/player-row.server.ts";
import { TextAreaField } from "#app/ui/field.tsx";
import { Star } from "#app/ui/other-icons.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/leave-review";
import { SettingsPage } from "./settings-page.tsx";

const PATH = "/settings/leave-review";

export const meta = metaOf({ title: "Leave a Review", path: PATH });

export async function loader({ request, context }: Route.LoaderArgs) {
  const { userId } = context.get(viewerContext);
  return { userId, isSent: new URL(request.url).searchParams.has("sent") };
}

export const action = formAction(
  playerRow({
    failed: "Failed to submit review",
    keep: ["rating", "comment"],
    isRepeatUnsafe: true,
    input: reviewInput,
    run: async ({ db, jobs, viewer: { userId }, input, now }) =>
      (await leaveReview(db, jobs, { ...input, userId }, now())) || rejected("too-often"),
    errors: { "too-often": ["too-many", SENT_TOO_OFTEN] },
    done: { to: `${PATH}?sent` },
  }),
);

export default function LeaveReview({ loaderData, actionData }: Route.ComponentProps) {
  const { userId, isSent } = loaderData;
  const { key } = useLocation();
  return (
    <SettingsPage title="Leave a Review" lead="What went well? What could be better?">
      {isSent && !actionData && (
        <FocusedBox of={key}>
          <Notice tone="good" title="Review submitted">
            Thank you. The organisers read every review.
          </Notice>
        </FocusedBox>
      )}
      <ShortForm
        // Another after each success, so that a second in a row empties the form too.
        key={isSent ? key : "open"}
        intent="leave-review"
        replace
        action={PATH}
        result={actionData}
        submit="Submit review"
        pendingLabel="Submitting..."
      >
        <RatingField {...fieldProps(actionData, "rating")} />
        <TextAreaField
          {...fieldProps(actionData, "comment")}
          label="Comment (Optional)"
          maxLength={COMMENT_MAX}
        />
      </ShortForm>
      <KeepDrafts accountId={userId} />
    </SettingsPage>
  );
}

function RatingField({ id, name, defaultValue, error }: ReturnType<typeof fieldProps>) {
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 font-semibold">Rating *</legend>
      <div className="flex flex-wrap gap-1.5">
        {RATINGS.map((word, index) => (
          <label key={word} className={starClass}>
            <input
              // The error summary links to the first one.
              id={index === 0 ? id : undefined}
              type="radio"
              name={name}
              value={index + 1}
              required
              defaultChecked={defaultValue === String(index + 1)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <Star className="star size-7" />
            <span className="tabular-nums">{index + 1}</span>
            <span className="text-sm font-normal">{word}</span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-semibold text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

// Fills the chosen star and all before it.
const starClass =
  "relative grid min-h-24 flex-1 content-center justify-items-center rounded-card border border-edge bg-raised px-1 py-2 " +
  "text-center font-semibold select-none hover:border-ink has-checked:border-2 has-checked:border-ink " +
  "has-checked:bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-offset-2 " +
  "has-focus-visible:outline-focus [&:has(:checked)_.star]:fill-current [&:has(~_label_:checked)_.star]:fill-current";
