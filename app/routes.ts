import { index, layout, prefix, route, type RouteConfig } from "@react-router/dev/routes";

/** Every URL of the site. */
export default [
  index("routes/public/landing.tsx"),
  route("home", "routes/public/home.ts"),

  ...prefix("auth", [
    index("routes/auth/auth.tsx"),
    route("confirm", "routes/auth/confirm.tsx"),
    route("forgot", "routes/auth/forgot.tsx"),
    route("reset", "routes/auth/reset.tsx"),
  ]),
  route("sign-out", "routes/auth/sign-out.tsx"),

  layout("routes/layouts/protected.tsx", [
    route("events", "routes/games/list.tsx"),
    route("wallet", "routes/wallet/show.tsx"),
    route("wallet/paid", "routes/wallet/paid.tsx"),
    route("profile", "routes/profile/show.tsx"),
    ...prefix("settings", [
      index("routes/settings/index.tsx"),
      route("change-password", "routes/settings/change-password.tsx"),
      route("contact-support", "routes/settings/contact-support.tsx"),
      route("leave-review", "routes/settings/leave-review.tsx"),
      route("onboarding", "routes/settings/onboarding.tsx"),
      route("withdraw", "routes/settings/withdraw.tsx"),
      route("delete-account", "routes/settings/delete-account.tsx"),
    ]),
    route("profile/player-card", "routes/cards/own.tsx"),
    route("profile/:userId", "routes/profile/public.tsx"),
  ]),
  route("wallet/paid/state", "routes/wallet/paid-state.ts"),
  route("wallet/statement.csv", "routes/wallet/statement-csv.ts"),
  route("settings/my-data.zip", "routes/settings/my-data.ts"),
  layout("routes/layouts/semi-public.tsx", [
    route("events/:gameId", "routes/games/show.tsx"),
    route("card/:token", "routes/cards/shared.tsx"),
    route("venues", "routes/venues/list.tsx"),
    route("venues/:venueId", "routes/venues/show.tsx"),
    route("bookings", "routes/bookings/list.tsx"),
    route("checkout", "routes/credits/checkout.tsx"),
    route("terms", "routes/public/legal-terms.tsx"),
    route("privacy", "routes/public/legal-privacy.tsx"),
    route("accessibility", "routes/public/legal-accessibility.tsx"),
    layout(
      "routes/layouts/admin.tsx",
      prefix("admin", [
        index("routes/admin/index.ts"),
        route("payments", "routes/admin/payments.tsx"),
        route("*", "routes/admin/not-found.tsx"),
      ]),
    ),
  ]),
  route("games/:gameId", "routes/games/old-address.ts"),
  route("events/:gameId/social.png", "routes/games/social-picture.ts"),
  route("card/:token.png", "routes/cards/shared-picture.ts"),
  route("card/:token/social.png", "routes/cards/shared-social.ts"),

  route("files/*", "routes/public/file.ts"),
  route("webhooks/stripe", "routes/webhooks/stripe.ts"),
  route("demo/outbox", "routes/public/outbox.tsx"),
  route("demo/checkout/portal", "routes/demo/portal.tsx"),
  route("demo/checkout/:packKey", "routes/demo/checkout.tsx"),
  route("offline", "routes/public/offline.tsx"),
  route("robots.txt", "routes/public/robots.ts"),
  route("sitemap.xml", "routes/public/sitemap.ts"),
  route("manifest.webmanifest", "routes/public/manifest.ts"),
  route(".well-known/security.txt", "routes/public/security-txt.ts"),
  route(".well-known/change-password", "routes/public/change-password.ts"),
  route("*", "routes/public/not-found.tsx"),
] satisfies RouteConfig;
