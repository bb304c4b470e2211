import type { Route } from "./+types/shared-picture";
import { sendPicture, noPicture } from "#app/routes/picture-response.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { cardPicture } from "./card-picture.server.tsx";
import { loadSharedCard, UNLISTED } from "./shared-card.server.ts";

/** A shared card as a PNG, 1080 × 1350. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const card = await loadSharedCard(app, params.token);
  return card ? sendPicture(request, context, cardPicture(card), UNLISTED) : noPicture();
}
