import { Suspense } from "react";
import { Link } from "react-router";
import { OWN_FIRST_GAME, hiddenText } from "#app/features/chat/message-rules.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { classNames } from "#app/ui/class-names.ts";
import type { MessageView } from "#app/features/chat/message-view.server.ts";
import type { ChatPage } from "./chat-view.server.ts";
import { type Group, type Reader, toDays } from "./groups.ts";
import { LinkedText } from "./linked-text.tsx";
import { MessageMenu } from "./message-menu.tsx";
import { messageClass, messageId, MessageText } from "./message-text.tsx";
import { NEW } from "./use-latest.ts";
import { ChevronDown } from "#app/ui/icon.tsx";

type Viewing = Pick<ChatPage, "page"> & { reader: Reader };
type ListProps = Viewing & { messages: MessageView[]; firstUnread: number | null };

export function MessageList({ messages, firstUnread, ...viewing }: ListProps) {
  const days = toDays(messages, viewing.reader, firstUnread);
  return days.map(({ date, label, groups }) => (
    <section key={date} aria-label={label} className="grid grid-cols-1 gap-3 pt-4">
      <h2 className="justify-self-center rounded-pill bg-sunken px-3 py-1 text-sm font-semibold text-muted">
        {label}
      </h2>
      {groups.map((group) => (
        <Suspense key={group.first.number}>
          <MessageGroup group={group} isNew={group.first.number === firstUnread} {...viewing} />
        </Suspense>
      ))}
    </section>
  ));
}

type GroupProps = Viewing & { group: Group };

function MessageGroup({ isNew, ...props }: GroupProps & { isNew: boolean }) {
  const { isFolded, first } = props.group;
  const Messages = isFolded ? FoldedMessages : first.kind === "FirstGame" ? Welcome : Bubbles;
  return (
    <>
      {isNew && <NewLine />}
      <Messages {...props} />
    </>
  );
}

function NewLine() {
  return (
    <p
      id={NEW}
      className="flex scroll-mt-4 items-center gap-3 text-sm font-semibold text-info before:grow before:border-t before:border-info after:grow after:border-t after:border-info"
    >
      New
    </p>
  );
}

function Bubbles({ group, ...viewing }: GroupProps) {
  const { first, isOwn, messages, name } = group;
  const { authorId, fullName, pictureUrl, isOrganiser, time } = first;
  return (
    <div className={classNames("flex items-start gap-2", isOwn && "justify-end")}>
      {!isOwn && <Avatar size="sm" src={pictureUrl} name={fullName} className="mt-1" />}
      <div
        className={classNames("grid min-w-0 grow grid-cols-1 gap-1", isOwn && "justify-items-end")}
      >
        <p className="flex max-w-full flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
          <span
            translate={isOwn ? undefined : "no"}
            className="min-w-0 overflow-x-clip font-semibold wrap-anywhere"
          >
            {isOwn && "You"}
            {!isOwn && !(authorId && fullName) && name}
            {!isOwn && authorId && fullName && (
              <Link
                translate="no"
                to={`/profile/${authorId}`}
                className="-my-3 inline-flex min-h-11 min-w-11 items-center hover:underline"
              >
                {name}
              </Link>
            )}
          </span>
          {isOrganiser && (
            <Badge size="sm" tone="sky">
              Organiser
            </Badge>
          )}
          <span className="tabular-nums">{time}</span>
        </p>
        {messages.map((message) => (
          <Message key={message.id} message={message} isOwn={isOwn} {...viewing} />
        ))}
      </div>
    </div>
  );
}

/** For a message that a link has led to. */
const linkedClass = "group-target/message:outline-3 group-target/message:outline-focus";

type MessageProps = Viewing & { message: MessageView; isOwn: boolean };

function Message({ message, isOwn, ...viewing }: MessageProps) {
  const tone = isOwn
    ? "bg-accent text-on-accent"
    : message.kind === "Announcement"
      ? "bg-info-soft text-ink"
      : "bg-surface text-ink shadow-card";
  return (
    <div
      {...messageId(message)}
      className={classNames(messageClass, "sm:max-w-lg", isOwn && "flex-row-reverse")}
    >
      {message.gone ? (
        <p className="rounded-card border border-line px-3 py-2 text-muted italic">
          {message.gone}
        </p>
      ) : (
        <div
          className={classNames(
            "min-w-0 overflow-hidden rounded-card px-3 py-2 sm:max-w-md",
            tone,
            linkedClass,
          )}
        >
          <MessageText message={message} />
        </div>
      )}
      <MessageMenu message={message} {...viewing} />
    </div>
  );
}

function Welcome({ group: { messages }, ...viewing }: GroupProps) {
  const { userId } = viewing.reader.viewer;
  return messages.map((message) => (
    <div
      key={message.id}
      {...messageId(message)}
      className={classNames(messageClass, "justify-center text-sm")}
    >
      <div className="min-w-0 rounded-card bg-good-soft px-3 py-2 font-semibold text-good">
        {message.gone ??
          (message.authorId === userId ? OWN_FIRST_GAME : <LinkedText parts={message.parts} />)}
      </div>
      <MessageMenu message={message} {...viewing} />
    </div>
  ));
}

type FoldedProps = { group: Group; page: string; reader: Reader };

function FoldedMessages({ group: { messages, name }, ...viewing }: FoldedProps) {
  return (
    <details className="max-w-full justify-self-start">
      <summary className="flex min-h-11 list-none items-center gap-2 rounded-card border border-line px-3 text-muted italic">
        {hiddenText(messages.length)}
        <ChevronDown className="size-5" />
      </summary>
      <div className="mt-1 grid grid-cols-1 gap-1">
        {messages.map((message) => (
          <div key={message.id} {...messageId(message)} className={messageClass}>
            {message.gone ? (
              <p className="rounded-card border border-line px-3 py-2 text-muted italic">
                {message.gone}
              </p>
            ) : (
              <div className="min-w-0 overflow-hidden rounded-card bg-surface px-3 py-2 shadow-card sm:max-w-md">
                <p className="text-sm font-semibold text-muted">
                  {name} <span className="font-normal tabular-nums">{message.time}</span>
                </p>
                <MessageText message={message} />
              </div>
            )}
            <MessageMenu message={message} {...viewing} />
          </div>
        ))}
      </div>
    </details>
  );
}
