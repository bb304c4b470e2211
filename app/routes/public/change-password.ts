import { redirect } from "react-router";

/** Where password managers look for the form (W3C, change-password URL). */
export const loader = () => redirect("/settings/change-password");
