import { randomUUID } from "node:crypto";
import { data, Link } from "react-router";
import { findTicket } from "#app/features/support/inbox.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { resultOf } from "#app/forms/form-result.ts";
import { ListLink, panelClass, Part } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import type { Route } from "./+types/ticket";
import { ticketAction } from "./actions.server.ts";
import { type TicketView, toTicketView, type ReportedView } from "./inbox-view.server.ts";
import { AnswerForm } from "#app/routes/admin/answer-form.tsx";
import { KINDS } from "#app/routes/admin/tickets.ts";
import { MarkForm, Refund, RejectForm } from "./ticket-forms.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const ticket = await findTicket(db, params.ticketId);
  if (!ticket) throw data(null, { status: 404 });
  // Idempotency key of the form.
  const answerId = randomUUID();
  const repliesTo = env.supportReplies ? null : env.contactEmail;
  const view = toTicketView(ticket, { env, now: now() });
  return { ticket: view, answerId, repliesTo, formKey: randomUUID() };
}

export const action = ticketAction;

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(siteOf(matches), { title: loaderData?.ticket.title || "Message" });

export const ErrorBoundary = missingBoundary("Message not found", "/admin/inbox", "To the inbox");

export default function TicketPage({ loaderData, actionData: result }: Route.ComponentProps) {
  const { ticket, answerId, repliesTo } = loaderData;
  const { withdrawal, writer } = ticket;
  const answer = writer.isGone ? undefined : resultOf(result, "answer");
  const refund = withdrawal?.canMarkRefunded ? resultOf(result, "paid-back") : undefined;
  const rejection = withdrawal?.canReject ? resultOf(result, "reject") : undefined;
  return (
    <div className="grid gap-6 md:max-w-2xl">
      <ListLink to="/admin/inbox">Inbox</ListLink>
      {/* The form that was sent may have left the page meanwhile. */}
      {!answer && !refund && !rejection && <FormErrors result={result} />}
      <Message ticket={ticket} />
      {ticket.reportedUserId && (
        <Reported authorId={ticket.reportedUserId} reported={ticket.reported} />
      )}
      {withdrawal && <Refund withdrawal={withdrawal} result={refund} />}
      {withdrawal?.canReject && <RejectForm result={rejection} />}
      {ticket.thread.length > 0 && <Thread thread={ticket.thread} />}
      <AnswerForm
        key={answerId}
        ticket={ticket}
        answerId={answerId}
        repliesTo={repliesTo}
        result={answer}
      />
      {ticket.canMark && <MarkForm ticket={ticket} />}
    </div>
  );
}

function Message({ ticket }: { ticket: TicketView }) {
  const { kind, writer, title, text, when, state } = ticket;
  return (
    <article aria-labelledby="ticket" className={panelClass}>
      <p className="flex flex-wrap gap-2">
        <Badge tone={KINDS[kind].tone}>{KINDS[kind].one}</Badge>{" "}
        <Badge tone={state.tone}>{state.name}</Badge>
      </p>
      <h2 id="ticket" className="text-lg wrap-anywhere">
        {title}
      </h2>
      {kind === "report" && (
        <blockquote className="border-l-4 border-danger pl-3 wrap-anywhere whitespace-pre-line">
          {text}
        </blockquote>
      )}
      <div className="flex items-center gap-3">
        <Avatar src={writer.picture} name={writer.name} />
        <div className="min-w-0">
          {kind === "report" && <p className="-mb-2 text-sm font-semibold">Reported by</p>}
          <Link
            translate="no"
            to={`/admin/players/${writer.id}`}
            className="link inline-flex min-h-11 items-center font-semibold wrap-anywhere"
          >
            {writer.name}
          </Link>
          <p className="text-sm text-muted tabular-nums">{when}</p>
        </div>
      </div>
      {text && kind !== "report" && <p className="wrap-anywhere whitespace-pre-line">{text}</p>}
      {!text && <p className="text-muted">No comment.</p>}
    </article>
  );
}

function Thread({ thread }: Pick<TicketView, "thread">) {
  return (
    <Part title={thread.some(({ isReply }) => isReply) ? "Answers and replies" : "Answers"}>
      <ol className="grid gap-3">
        {thread.map(({ id, text, by, when, isReply, sentFrom }) => (
          <li
            key={id}
            className={`grid gap-2 rounded-card border border-line p-4 ${isReply ? "bg-surface" : "bg-raised"}`}
          >
            <p className="wrap-anywhere whitespace-pre-line">{text}</p>
            <p className="text-sm wrap-anywhere text-muted tabular-nums">
              {by}, {when}
              {isReply && ", by email"}
              {sentFrom && ` from ${sentFrom}`}
            </p>
          </li>
        ))}
      </ol>
    </Part>
  );
}

type ReportedProps = { authorId: string; reported: ReportedView | null };

function Reported({ authorId, reported }: ReportedProps) {
  return (
    <Part title="Where it was written">
      <p className="flex flex-wrap gap-x-6">
        <Link to={`/admin/players/${authorId}`} className={linkClass}>
          The player who wrote it
        </Link>
        {reported && (
          <>
            <Link to={`/admin/games/${reported.gameId}`} className={linkClass}>
              {reported.game}
            </Link>
            <Link to={reported.path} className={linkClass}>
              Open it in the chat
            </Link>
          </>
        )}
      </p>
      {reported ? <InChat reported={reported} /> : <p>The chat of that game is deleted.</p>}
    </Part>
  );
}

const linkClass = "link inline-flex min-h-11 items-center font-semibold";

function InChat({ reported: { id, before, isRemoved } }: { reported: ReportedView }) {
  return (
    <>
      {before.length > 0 && (
        <ol aria-label="Before it" className="grid gap-2 border-l-4 border-line pl-3">
          {before.map((line) => (
            <li key={line.id} className="wrap-anywhere">
              <span className="block text-sm text-muted tabular-nums">
                {line.name}, {line.when}
              </span>
              <span dir="auto" className="block whitespace-pre-line">
                {line.text}
              </span>
            </li>
          ))}
        </ol>
      )}
      {isRemoved ? (
        <p className="font-semibold">It is removed from the chat.</p>
      ) : (
        <IntentForm intent="remove-message" hidden={{ messageId: id }} preventScrollReset>
          <SubmitButton variant="danger" pendingLabel="Removing…" className="max-md:w-full">
            Remove it from the chat
          </SubmitButton>
        </IntentForm>
      )}
    </>
  );
}
