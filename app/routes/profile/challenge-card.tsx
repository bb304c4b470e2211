import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { Check, Star } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Progress } from "#app/ui/progress.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import type { ProfileAnswer } from "./answers.server.ts";
import type { ChallengeWords } from "./challenge-words.ts";
import { useKeptFocus } from "#app/ui/page-change.tsx";

type ChallengeCardProps = { challenge: ChallengeWords; answer: ProfileAnswer | undefined };

/** Five games a month, and what they earn. */
export function ChallengeCard({ challenge, answer }: ChallengeCardProps) {
  const { state, message, resets, progress, done, goal } = challenge;
  const isClaiming = useNavigation().formData?.get("intent") === "claim-reward";
  const said = useKeptFocus<HTMLParagraphElement>(state);
  const Icon = state === "claimed" ? Check : Star;
  return (
    <section
      aria-labelledby="challenge"
      className="grid gap-4 rounded-card bg-surface p-5 shadow-card"
    >
      <div className="flex items-center gap-3">
        <Icon className={state === "open" ? "text-muted" : "text-good"} />
        <h2 id="challenge" className="text-lg">
          Monthly challenge
        </h2>
      </div>
      <p ref={said} tabIndex={-1} className="font-semibold outline-none">
        {message}
      </p>
      <Progress label="Games this month" text={progress} value={done} max={goal} />
      {answer?.form === "reward" && (
        <Notice tone="danger" title={answer.title}>
          {answer.description}
        </Notice>
      )}
      {state === "earned" && (
        <Form method="post" action="/profile">
          <input type="hidden" name="intent" value="claim-reward" />
          <FormKey />
          <Button variant="primary" size="lg" wide pending={isClaiming} pendingLabel="Claiming…">
            Claim 10 Credits!
          </Button>
        </Form>
      )}
      {resets && <p className="text-sm text-muted">{resets}</p>}
    </section>
  );
}
