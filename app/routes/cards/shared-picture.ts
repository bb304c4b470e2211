import { answerPicture, noPicture } from "#app/routes/picture-response.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import type { Route } from "./+types/shared-picture";
import {
  cardPicture,
  loadSharedCard,
  socialCardPicture,
  UNLISTED,
} from "./card-picture.server.tsx";

/** A shared card as a PNG, 1080 × 1350, or as the preview of its link, 1200 × 630. */
export async function loader({ request, params, context, pattern }: Route.LoaderArgs) {
  const card = await loadSharedCard(context.get(appContext), params.token);
  const draw = pattern.endsWith("social.png") ? socialCardPicture : cardPicture;
  return card ? answerPicture(request, context, draw(card), UNLISTED) : noPicture();
}
