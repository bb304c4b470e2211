import type { Plugin } from "vite";

/** What the router brings to the browser for pages that use it, which none does. */
export function leanRouter(): Plugin {
  return {
    name: "lean-router",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    enforce: "pre",
    load: {
      filter: {
        id: /react-router\/dist\/production\/lib\/(router\/instrumentation|dom\/ssr\/fallback)\.js$/,
      },
      handler: (id) => (id.includes("/fallback.") ? NO_FALLBACK : NO_INSTRUMENTATION),
    },
  };
}

// The build fails where an update of the router imports another name.
const NO_INSTRUMENTATION = `
  export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
  export const getRouteInstrumentationUpdates = undefined;
  export const instrumentClientSideRouter = undefined;
  export const instrumentHandler = undefined;
  export const instrumentationResultMetaContext = undefined;
`;

// Shown while a page's first data are loaded in the browser; here the server sends them.
const NO_FALLBACK = `export const RemixRootDefaultHydrateFallback = () => null;`;
