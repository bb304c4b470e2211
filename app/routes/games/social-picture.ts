import { findGame } from "#app/features/games/games.server.ts";
import { pictureKey } from "#app/platform/images/drawn-pictures.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import type { Route } from "./+types/social-picture";
import { gamePicture } from "./social-drawing.server.tsx";
import { sendPicture, noPicture } from "#app/routes/responses/picture-response.server.ts";

/** For a URL that contains the content's hash. */
const FOREVER = { "Cache-Control": "public, max-age=31536000, immutable" };

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const game = await findGame(app.db, params.gameId, app.now());
  if (!game || game.status === "Draft") return noPicture();
  const picture = gamePicture(game, app);
  const isNamed = new URL(request.url).searchParams.get("v") === pictureKey(picture);
  return sendPicture(request, context, picture, isNamed ? FOREVER : {});
}
