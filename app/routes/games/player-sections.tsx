import type { ReactNode } from "react";
import { GameChat } from "#app/routes/chat/game-chat.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { BringFriend } from "#app/routes/games/friends/bring-friend.tsx";
import type { GamePage } from "./game-page.server.ts";
import { FromOrganiser } from "./from-organiser.tsx";
import { GameTeams } from "./game-teams.tsx";

interface Props {
  game: GamePage;
  result: FormResult | undefined;
  messageId: string | null;
}

/** What only a game's players see, in one file that others do not load. */
export default function PlayerSections({ game, result, messageId }: Props): ReactNode {
  const hasFriends = game.friends !== null || (game.isIn && result !== undefined);
  return (
    <>
      {game.teams && <GameTeams teams={game.teams} />}
      {hasFriends && <BringFriend game={game} friends={game.friends} result={result} />}
      {game.chat && <GameChat chat={game.chat} messageId={messageId} />}
      {game.organiser && <FromOrganiser organiser={game.organiser} />}
    </>
  );
}
