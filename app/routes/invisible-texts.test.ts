import { expect, test } from "vitest";
import type { z } from "zod";
import { gameMessageInput } from "#app/features/organise/input.ts";
import { chatInput } from "#app/features/chat/input.ts";
import { planInput } from "#app/features/games/input.ts";
import { legalInput } from "#app/features/legal/input.ts";
import { partners } from "#app/features/partners/partners.server.ts";
import { profileInput, signUpInput } from "#app/features/players/input.ts";
import {
  answerInput,
  messageInput,
  rejectionInput,
  reviewInput,
} from "#app/features/support/input.ts";
import { venues } from "#app/features/venues/admin-venues.server.ts";
import { packInput } from "#app/features/wallet/input.ts";
import {
  correctionInput,
  excuseInput,
  suspensionInput,
} from "#app/routes/admin/players/actions.server.ts";
import { checkForm } from "#test/check-form.ts";
import { promotionInput } from "#app/features/waitlist/input.ts";

const today = "2026-12-02";
const FORMS: Record<string, [form: z.ZodType, needed: string[], optional?: string[]]> = {
  "a game": [planInput, ["title", "sport", "gameFormat"], ["description", "playerNotes"]],
  "a venue": [venues.input, ["name", "city"], ["address", "description", "playerNotes"]],
  "a pack": [packInput, ["name"]],
  "a partner": [partners.input, ["name"]],
  "a legal page": [legalInput, ["title", "content"]],
  "a message to all": [gameMessageInput, ["subject", "message"]],
  "being put first": [promotionInput, ["reason"]],
  "a correction": [correctionInput, ["reason"]],
  "a suspension": [suspensionInput, ["reason"]],
  "an excuse": [excuseInput, ["note"]],
  "an answer": [answerInput, ["answer"]],
  "a rejection": [rejectionInput, ["reason"]],
  "a message to support": [messageInput, ["subject", "message"]],
  "a review": [reviewInput, [], ["comment"]],
  "a chat's message": [chatInput, ["message"]],
  "a sign-up": [signUpInput({ schoolDomains: [], today }), ["firstName", "lastName", "major"]],
  "a profile": [profileInput({ today }), ["firstName", "lastName"], ["otherSport"]],
};

test.each(Object.entries(FORMS))("invisible text is none in the form of %s", (_, given) => {
  const [form, needed, optional = []] = given;
  const errorsOf = (text: string) => {
    const fields = Object.fromEntries([...needed, ...optional].map((name) => [name, text]));
    const checked = checkForm(form, fields);
    return checked.ok ? {} : checked.errors;
  };
  const empty = errorsOf("");
  for (const name of needed) expect(empty[name]).toMatch(/is required|cannot be empty/);
  for (const text of ["\u200b", " \u202e\n", "\u3164", "\u2800\ufe0f"]) {
    expect([text, errorsOf(text)]).toEqual([text, empty]);
  }
});
