import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { classNames } from "#app/ui/class-names.ts";
import type { ChatPage, MessageView } from "./chat-view.server.ts";
import { FoldedMessages } from "./folded-messages.tsx";
import { type Group, type Reader, toDays } from "./groups.ts";
import { LinkedText } from "./linked-text.tsx";
import { MessageMenu } from "./message-menu.tsx";

type Viewing = Pick<ChatPage, "path"> & { reader: Reader };

/** By day, and by who wrote; the newest at the end. */
export function MessageList({ messages, ...viewing }: Viewing & { messages: MessageView[] }) {
  return toDays(messages, viewing.reader).map(({ date, label, groups }) => (
    <section key={date} aria-label={label} className="grid gap-3 pt-4">
      <h2 className="justify-self-center rounded-pill bg-sunken px-3 py-1 text-sm font-semibold text-muted">
        {label}
      </h2>
      {groups.map((group) => (
        <MessageGroup key={group.first.number} group={group} {...viewing} />
      ))}
    </section>
  ));
}

type GroupProps = Viewing & { group: Group };

function MessageGroup({ group, ...viewing }: GroupProps) {
  const { first, isOwn, isFolded, messages } = group;
  if (isFolded) return <FoldedMessages group={group} {...viewing} />;
  if (first.kind === "FirstGame") return <Welcome group={group} {...viewing} />;
  const { name, fullName, pictureUrl, isOrganiser, time } = first;
  return (
    <div className={classNames("flex items-start gap-2", isOwn && "justify-end")}>
      {!isOwn && <Avatar size="sm" src={pictureUrl} name={fullName} className="mt-1" />}
      <div className={classNames("grid min-w-0 grow gap-1", isOwn && "justify-items-end")}>
        <p className="flex max-w-full flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
          <span className="min-w-0 font-semibold wrap-anywhere">{isOwn ? "You" : name}</span>
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

type MessageProps = Viewing & { message: MessageView; isOwn: boolean };

function Message({ message, isOwn, ...viewing }: MessageProps) {
  const tone = isOwn
    ? "bg-accent text-on-accent"
    : message.kind === "Announcement"
      ? "bg-info-soft text-ink"
      : "bg-surface text-ink shadow-card";
  return (
    <div
      id={`message-${message.id}`}
      className={classNames(
        "flex max-w-full scroll-mt-24 items-center gap-1",
        isOwn && "flex-row-reverse",
      )}
    >
      {message.gone ? (
        <p className="rounded-card border border-line px-3 py-2 text-muted italic">
          {message.gone}
        </p>
      ) : (
        <div
          className={classNames("min-w-0 overflow-hidden rounded-card px-3 py-2 sm:max-w-md", tone)}
        >
          {message.subject && (
            <p dir="auto" className="font-bold wrap-anywhere">
              {message.subject}
            </p>
          )}
          <LinkedText parts={message.parts} />
        </div>
      )}
      <MessageMenu message={message} {...viewing} />
    </div>
  );
}

/** What a first join says by itself. */
function Welcome({ group: { messages }, ...viewing }: GroupProps) {
  return messages.map((message) => (
    <div
      key={message.id}
      id={`message-${message.id}`}
      className="flex max-w-full scroll-mt-24 items-center justify-center gap-1 text-sm"
    >
      <div className="min-w-0 rounded-card bg-good-soft px-3 py-2 font-semibold text-good">
        {message.gone ?? <LinkedText parts={message.parts} />}
      </div>
      <MessageMenu message={message} {...viewing} />
    </div>
  ));
}

/** Above everything else; the same messages are in their place as well. */
export function Pinned({ messages }: { messages: MessageView[] }) {
  if (messages.length === 0) return null;
  return (
    <section aria-label="Pinned" className="mt-4 grid gap-3">
      {messages.map((message) => (
        <div key={message.id} className="overflow-hidden rounded-card bg-info-soft p-4">
          <p className="text-sm font-semibold text-info">Pinned</p>
          <p dir="auto" className="font-bold wrap-anywhere">
            {message.subject}
          </p>
          <LinkedText parts={message.parts} className="line-clamp-6" />
        </div>
      ))}
    </section>
  );
}
