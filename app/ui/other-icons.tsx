import { icon } from "./icon.tsx";

export const Wallet = icon(<path d="M4 7h16v13H4zM4 7l12.5-3.5V7M20 11.5h-4.5a2 2 0 0 0 0 4H20" />);
export const Mail = icon(<path d="M3.5 5.5h17v13h-17zM4 6.5l8 6.5 8-6.5" />);
export const Star = icon(
  <path d="m12 3.5 2.6 5.5 6 .8-4.4 4.2 1.1 6L12 17.1 6.7 20l1.1-6-4.4-4.2 6-.8z" />,
);
