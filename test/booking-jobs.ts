import { bookingJobs, type MailTools } from "#app/features/bookings/jobs.server.ts";
import { organiserJobs } from "#app/features/organise/jobs.server.ts";

/** All jobs that email about bookings and games, as the worker has them. */
export const gameMailJobs = (tools: MailTools) => ({
  ...bookingJobs(tools),
  ...organiserJobs(tools),
});
