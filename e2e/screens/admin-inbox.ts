import type { Page } from "@playwright/test";
import { pressInVain } from "./screen.ts";
import type { Screen } from "./scenario.ts";

/** What players write, what is answered, and what the organisers did. */
export const INBOX_SCREENS: Screen[] = [
  { name: "inbox", as: "admin", path: "/admin/inbox?status=all" },
  { name: "inbox-empty", as: "admin", path: "/admin/inbox?kind=review&status=done" },
  { name: "ticket", as: "admin", path: ({ tickets }) => `/admin/inbox/${tickets.message}` },
  {
    name: "ticket-errors",
    as: "admin",
    path: ({ tickets }) => `/admin/inbox/${tickets.message}`,
    act: (page) => pressInVain(page, "Send answer"),
  },
  {
    name: "ticket-answered",
    as: "admin",
    path: ({ tickets }) => `/admin/inbox/${tickets.answered}`,
  },
  {
    name: "ticket-withdrawal",
    as: "admin",
    path: ({ tickets }) => `/admin/inbox/${tickets.withdrawal}`,
  },
  {
    name: "ticket-withdrawal-errors",
    as: "admin",
    path: ({ tickets }) => `/admin/inbox/${tickets.withdrawal}`,
    act: markHastily,
  },
  {
    name: "ticket-withdrawal-reject-errors",
    as: "admin",
    path: ({ tickets }) => `/admin/inbox/${tickets.withdrawal}`,
    act: (page) => pressInVain(page, "Reject withdrawal"),
  },
  {
    name: "ticket-not-found",
    as: "admin",
    path: "/admin/inbox/00000000-0000-4000-8000-000000000000",
  },
  { name: "undelivered-mails", as: "admin", path: "/admin/inbox/mail" },
  { name: "ticket-replied", as: "admin", path: ({ tickets }) => `/admin/inbox/${tickets.replied}` },
  { name: "log", as: "admin", path: "/admin/log", act: openDetails },
  { name: "log-history", as: "admin", path: ({ soon }) => `/admin/log?subject=${soon}` },
  { name: "log-empty", as: "admin", path: "/admin/log?subject=nobody" },
];

async function openDetails(page: Page) {
  await page.getByText("Details").first().click();
}

async function markHastily(page: Page) {
  await pressInVain(page, "Mark as refunded");
}
