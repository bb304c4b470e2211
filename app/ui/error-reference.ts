import { createContext } from "react";

export const ErrorReference = /* @__PURE__ */ createContext("");
