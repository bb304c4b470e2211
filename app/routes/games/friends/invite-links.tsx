import { buttonClass } from "#app/ui/button.tsx";
import { Share } from "#app/ui/icon.tsx";
import type { GamePage } from "#app/routes/games/game-page.server.ts";
import { ShareGame } from "./share-game.tsx";

/** Plain links: no script of others, and no address of ours as their referrer. */
export function InviteLinks({ game }: { game: GamePage }) {
  const { whatsapp, telegram } = game.share;
  return (
    <div className="grid w-full gap-2 min-[20rem]:grid-cols-2">
      <ShareGame game={game} className="min-[20rem]:col-span-2">
        <Share className="size-5" /> SHARE GAME
      </ShareGame>
      <Elsewhere name="WhatsApp" href={whatsapp} />
      <Elsewhere name="Telegram" href={telegram} />
    </div>
  );
}

function Elsewhere({ name, href }: { name: string; href: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      translate="no"
      aria-label={`Invite by ${name}`}
      className={buttonClass({})}
    >
      {name}
    </a>
  );
}
