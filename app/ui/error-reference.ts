import { createContext } from "react";

/** The id of the request that renders the page. */
export const ErrorReference = /* @__PURE__ */ createContext("");
