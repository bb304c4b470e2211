import { Form, redirect, useNavigation } from "react-router";
import { checkForm } from "#app/features/accounts/input.ts";
import { reviewInput } from "#app/features/support/input.ts";
import { leaveReview } from "#app/features/support/tickets.server.ts";
import { COMMENT_MAX } from "#app/features/support/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { TextAreaField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { echoOf, formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/leave-review";
import { broke, enoughForNow, refuse } from "./answers.server.ts";
import { FormProblem, fieldOf } from "./form-problem.tsx";
import { RatingField } from "./rating-field.tsx";
import { SettingsPage } from "./settings-page.tsx";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), {
    title: "Leave a Review",
    path: "/settings/leave-review",
  });

export async function loader({ request }: Route.LoaderArgs) {
  return { isSent: new URL(request.url).searchParams.has("sent") };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, jobs, env, now } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const fields = await formFields(request);
  const values = echoOf(fields, ["rating", "comment"]);
  const checked = checkForm(reviewInput, fields);
  if (!checked.ok) return refuse({ errors: checked.errors, values }, 422);
  try {
    const isLeft = await leaveReview(db, jobs, { ...checked.input, userId }, now());
    if (!isLeft) return enoughForNow(values);
  } catch (error) {
    return broke(error, "Failed to submit review. Please try again.", values);
  }
  const headers = { "Set-Cookie": await toastCookie(env, { title: "Review submitted" }) };
  return redirect("/settings/leave-review?sent", { headers });
}

export default function LeaveReview({ loaderData, actionData }: Route.ComponentProps) {
  const { isSent } = loaderData;
  const pending = useNavigation().formMethod === "POST";
  return (
    <SettingsPage title="Leave a Review" lead="What went well, and what should be better?">
      {isSent && !actionData && (
        <Notice tone="good" title="Review submitted">
          Thank you. The organisers read every review.
        </Notice>
      )}
      <Form
        key={isSent ? "sent" : "open"}
        method="post"
        replace
        action="/settings/leave-review"
        noValidate
        className="grid gap-5"
      >
        <input type="hidden" name="intent" value="leave-review" />
        <RatingField {...fieldOf(actionData, "rating")} />
        <TextAreaField
          {...fieldOf(actionData, "comment")}
          label="Comment (Optional)"
          maxLength={COMMENT_MAX}
        />
        <FormProblem answer={actionData} />
        <Button variant="primary" size="lg" wide pending={pending} pendingLabel="Submitting...">
          Submit review
        </Button>
      </Form>
    </SettingsPage>
  );
}
