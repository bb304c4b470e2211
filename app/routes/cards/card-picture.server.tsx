import type { Picture } from "#app/platform/images/drawn-pictures.server.ts";
import { CardPitch } from "./card-pitch.tsx";
import { type CardFacts, type DrawnCard, prepareCard } from "./card-drawing.server.ts";
import { Brand, Frame, Names, Portrait, Stats } from "./card-pieces.server.tsx";

/** Raised when a drawing changes, so that no picture of the old one is shown. */
const DESIGN = 3;

/** The card to keep and to send, upright. */
export function cardPicture(card: CardFacts): Picture {
  return {
    width: 1080,
    height: 1350,
    ...(card.token && { owner: card.token }),
    facts: ["card", DESIGN, card.words, card.brandName],
    draw: async () => upright(await prepareCard(card)),
  };
}

/** The card as the preview of its link, lying. */
export function socialCardPicture(card: CardFacts): Picture {
  return {
    width: 1200,
    height: 630,
    ...(card.token && { owner: card.token }),
    facts: ["social-card", DESIGN, card.words, card.brandName],
    draw: async () => lying(await prepareCard(card)),
  };
}

function upright(card: DrawnCard) {
  const spot = { x: 540, y: 446, radius: 262 };
  return (
    <Frame>
      <CardPitch width={1080} height={1350} spot={spot} />
      <Brand name={card.brand} style={{ top: 62, width: 1080, justifyContent: "center" }} />
      <Portrait card={card} side={470} left={305} top={211} />
      <Names card={card} width={940} size={124} centred style={{ left: 70, top: 742 }} />
      <Stats stats={card.stats} size={92} centred style={{ left: 120, top: 1122, width: 840 }} />
    </Frame>
  );
}

function lying(card: DrawnCard) {
  const spot = { x: 290, y: 330, radius: 190 };
  return (
    <Frame>
      <CardPitch width={1200} height={630} spot={spot} lies />
      <Brand name={card.brand} style={{ top: 66, left: 560, width: 380 }} />
      <Portrait card={card} side={340} left={120} top={160} />
      <Names card={card} width={580} size={84} style={{ left: 560, top: 156 }} />
      <Stats stats={card.stats} size={64} style={{ left: 560, top: 440, width: 610 }} />
    </Frame>
  );
}
