import { mailtoOf } from "#app/features/accounts/rules.ts";
import type { ReactNode } from "react";
import { PhoneLink } from "#app/routes/admin/phone-link.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { PlayerRow, PlayerView } from "./player-view.ts";

type PlayerHeaderProps = { player: PlayerView; noShows: string | null; children: ReactNode };

export function PlayerHeader({ player, noShows, children }: PlayerHeaderProps) {
  const { name, suspension, isAdmin } = player;
  return (
    <header className="grid gap-4">
      <div className="flex items-center gap-4">
        <Avatar src={player.profilePictureUrl} name={name} size="lg" />
        <div className="grid min-w-0 content-center gap-2">
          <h2 translate="no" className="text-lg wrap-anywhere">
            {name}
          </h2>
          <div className="flex flex-wrap gap-2 empty:hidden">
            <AccountBadges player={{ isAdmin, isSuspended: suspension !== null, noShows }} />
          </div>
        </div>
      </div>
      {suspension && (
        <Notice tone="warn" title={`Suspended since ${suspension.since}`}>
          <p className="wrap-anywhere">{suspension.reason}</p>
        </Notice>
      )}
      {children}
      <PlayerFacts player={player} />
    </header>
  );
}

type JumpLinksProps = { player: PlayerView; isSelf: boolean; hasNoShows: boolean };

/** To what is far below on a phone; the balance is read here. */
export function JumpLinks({ player, isSelf, hasNoShows }: JumpLinksProps) {
  const links = [
    ["balance", `Balance: ${player.balance}`],
    ["statement", "Statement"],
    hasNoShows && ["no-shows", "No-shows"],
    !isSelf && ["suspension", player.suspension ? "Suspension" : "Suspend"],
  ].filter((link) => Array.isArray(link));
  return (
    <nav aria-label="On this page" className="flex flex-wrap gap-x-5">
      {links.map(([id, label]) => (
        <a key={id} href={`#${id}`} className="link inline-flex min-h-11 items-center tabular-nums">
          {label}
        </a>
      ))}
    </nav>
  );
}

type AccountBadgesProps = { player: Pick<PlayerRow, "isAdmin" | "isSuspended" | "noShows"> };

export function AccountBadges({ player }: AccountBadgesProps) {
  return (
    <>
      {player.isAdmin && <Badge tone="sky">Admin</Badge>}
      {player.isSuspended && <Badge tone="red">Suspended</Badge>}
      {player.noShows && <Badge tone="amber">{player.noShows}</Badge>}
    </>
  );
}

function PlayerFacts({ player: { email, phone, facts } }: { player: PlayerView }) {
  return (
    <dl className="grid gap-x-8 gap-y-1 rounded-card bg-surface p-4 shadow-card md:grid-cols-2 md:p-6">
      <Fact name="Email">
        <a translate="no" href={mailtoOf(email)} className={linkClass}>
          {email}
        </a>
      </Fact>
      {phone && (
        <Fact name="Phone">
          <PhoneLink phone={phone} className={linkClass} />
        </Fact>
      )}
      {facts.map(({ name, value }) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

const linkClass = "link inline-flex min-h-11 items-center wrap-anywhere";

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-h-11 grid-cols-[5rem_1fr] items-center gap-x-2">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere tabular-nums">{children}</dd>
    </div>
  );
}
