import { ADMIN_SCREENS } from "./admin.ts";
import { AUTH_SCREENS } from "./auth.ts";
import { BOOKING_SCREENS } from "./bookings.ts";
import { CREDIT_SCREENS } from "./credits.ts";
import { FAILURE_SCREENS } from "./failures.ts";
import { GAME_SCREENS } from "./games.ts";
import { PROFILE_SCREENS } from "./profile.ts";
import { PUBLIC_SCREENS } from "./public.ts";
import type { Screen } from "./screen.ts";
import { SETTINGS_SCREENS } from "./settings.ts";
import { VENUE_SCREENS } from "./venues.ts";

/** Every page in every state worth a picture. */
export const SCREENS: Screen[] = [
  ...PUBLIC_SCREENS,
  ...AUTH_SCREENS,
  ...VENUE_SCREENS,
  ...GAME_SCREENS,
  ...BOOKING_SCREENS,
  ...CREDIT_SCREENS,
  ...PROFILE_SCREENS,
  ...SETTINGS_SCREENS,
  ...ADMIN_SCREENS,
  ...FAILURE_SCREENS,
];
