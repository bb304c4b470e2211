import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // Cross-site posts are rejected by platform/http.server.ts, which knows the public origin. The
  // router's own check compares with the address behind the proxy and would reject everyone.
  allowedActionOrigins: ["**"],
} satisfies Config;
