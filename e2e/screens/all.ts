import type { Screen } from "./scenario.ts";
import { ANNOUNCEMENT_SCREENS } from "./announcements.ts";
import { BOOKING_SCREENS } from "./bookings.ts";
import { CHAT_SCREENS } from "./chat.ts";
import { GAME_CHAT_SCREENS } from "./game-chat.ts";
import { CREDIT_SCREENS } from "./credits.ts";
import { PAYING_SCREENS } from "./paying.ts";
import { FAILURE_SCREENS } from "./failures.ts";
import { CANCELLATION_SCREENS } from "./cancellations.ts";
import { OTHER_ACCOUNT_SCREENS } from "./other-accounts.ts";
import { PLANNING_SCREENS } from "./planning.ts";
import { ADMIN_GAME_SCREENS, ROSTER_SCREENS } from "./admin-games.ts";
import { FRIEND_SCREENS } from "./friends.ts";
import { GAME_SCREENS } from "./games.ts";
import { MATCH_DAY_SCREENS } from "./match-day.ts";
import { MINIMUM_SCREENS } from "./minimum.ts";
import { MONEY_SCREENS } from "./money.ts";
import { PROFILE_SCREENS } from "./profile.ts";
import { SETTINGS_SCREENS } from "./settings.ts";
import { ADMIN_VENUE_SCREENS } from "./admin-venues.ts";
import { ADMIN_SCREENS, OVERVIEW_SCREENS } from "./admin.ts";
import { AUTH_SCREENS, TWO_FACTOR_SCREENS } from "./auth.ts";
import { INBOX_SCREENS } from "./admin-inbox.ts";
import { PARTNER_SCREENS } from "./admin-partners.ts";
import { ADMIN_PLAYER_SCREENS } from "./admin-players.ts";
import { TEAM_SCREENS } from "./teams.ts";
import { WAITLIST_SCREENS } from "./waitlist.ts";
import { WAITLIST_STATE_SCREENS } from "./waitlist-states.ts";
import { PUBLIC_SCREENS, VENUE_SCREENS } from "./public.ts";

/** Every page in every state worth a picture. */
export const SCREENS: Screen[] = [
  ...PUBLIC_SCREENS,
  ...AUTH_SCREENS,
  ...VENUE_SCREENS,
  ...GAME_SCREENS,
  ...OTHER_ACCOUNT_SCREENS,
  ...MINIMUM_SCREENS,
  ...WAITLIST_SCREENS,
  ...WAITLIST_STATE_SCREENS,
  ...CHAT_SCREENS,
  ...GAME_CHAT_SCREENS,
  ...FRIEND_SCREENS,
  ...BOOKING_SCREENS,
  ...CREDIT_SCREENS,
  ...PAYING_SCREENS,
  ...PROFILE_SCREENS,
  ...SETTINGS_SCREENS,
  ...TWO_FACTOR_SCREENS,
  ...OVERVIEW_SCREENS,
  ...ADMIN_SCREENS,
  ...ADMIN_PLAYER_SCREENS,
  ...ADMIN_GAME_SCREENS,
  ...PLANNING_SCREENS,
  ...CANCELLATION_SCREENS,
  ...PARTNER_SCREENS,
  ...ANNOUNCEMENT_SCREENS,
  ...ADMIN_VENUE_SCREENS,
  ...ROSTER_SCREENS,
  ...TEAM_SCREENS,
  ...MATCH_DAY_SCREENS,
  ...MONEY_SCREENS,
  ...INBOX_SCREENS,
  ...FAILURE_SCREENS,
];
