/** What the page says when nobody could be signed out (specification, section 8). */
export const LOGOUT_FAILED = "Failed to log out. Please try again.";
