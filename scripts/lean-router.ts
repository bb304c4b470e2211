import type { Plugin } from "vite";

/** Leaves out the router's hooks for measuring it: a kilobyte of each first visit, used by no page. */
export function leanRouter(): Plugin {
  return {
    name: "lean-router",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    enforce: "pre",
    load: {
      filter: { id: /react-router\/dist\/production\/lib\/router\/instrumentation\.js$/ },
      handler: () => NOTHING,
    },
  };
}

// The build fails where an update of the router imports another name.
const NOTHING = `
  export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
  export const getRouteInstrumentationUpdates = undefined;
  export const instrumentClientSideRouter = undefined;
  export const instrumentHandler = undefined;
  export const instrumentationResultMetaContext = undefined;
`;
