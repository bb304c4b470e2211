import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

type IconProps = { className?: string | undefined };

export const Ball = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="m12 7.8 4 2.9-1.5 4.7h-5L8 10.7zM12 3v4.8M20.6 9.2 16 10.7M17.3 19.3l-2.8-3.9M6.7 19.3l2.8-3.9M3.4 9.2 8 10.7" />
  </>,
);
export const Ticket = icon(
  <path d="M3 9V6.5h18V9a3 3 0 0 0 0 6v2.5H3V15a3 3 0 0 0 0-6ZM14.5 6.5v2.2M14.5 11v2M14.5 15.3v2.2" />,
);
export const Pin = icon(
  <>
    <path d="M12 21.2s-7-5.7-7-11.2a7 7 0 0 1 14 0c0 5.5-7 11.2-7 11.2Z" />
    <circle cx="12" cy="10" r="2.6" />
  </>,
);
export const Person = icon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20.5c.7-4 3.7-6 7.5-6s6.8 2 7.5 6" />
  </>,
);
export const Shield = icon(
  <path d="M12 3 4.5 5.8v5.4c0 4.8 3.1 8.2 7.5 9.8 4.4-1.6 7.5-5 7.5-9.8V5.8zM9 12l2.2 2.2L15.3 10" />,
);
export const Filter = icon(
  <>
    <path d="M3 7.5h9M18 7.5h3M3 16.5h3M12 16.5h9" />
    <circle cx="15" cy="7.5" r="2.7" />
    <circle cx="9" cy="16.5" r="2.7" />
  </>,
);
export const ChevronLeft = icon(<path d="m14.5 5.5-6.5 6.5 6.5 6.5" />);
export const ChevronRight = icon(<path d="m9.5 5.5 6.5 6.5-6.5 6.5" />);
export const ChevronDown = icon(<path d="m5.5 9.5 6.5 6.5 6.5-6.5" />);
export const ArrowLeft = icon(<path d="M20.5 12h-17M10 5.5 3.5 12l6.5 6.5" />);
export const Check = icon(<path d="m4.5 12.8 5 5L19.5 6.5" />);
export const Cross = icon(<path d="M5.5 5.5l13 13M18.5 5.5l-13 13" />);
export const Roof = icon(<path d="M2.5 11.5 12 4.5l9.5 7M5 10v9.5h14V10M9 19.5v-5h6v5" />);
export const Tree = icon(<path d="M12 3 6.5 10H9l-4 6h14l-4-6h2.5zM12 16v5" />);
export const External = icon(<path d="M14 4h6v6M20 4l-9 9M17.5 14v5.5h-13v-13H10" />);
export const Plus = icon(<path d="M12 4.5v15M4.5 12h15" />);
export const Share = icon(<path d="M12 15V3.5M7.8 7.5 12 3.3l4.2 4.2M5 12.5v7h14v-7" />);
export const Clock = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 6.8V12l3.6 2.2" />
  </>,
);
export const Calendar = icon(<path d="M4 5.5h16v15H4zM4 10h16M8.5 3v4.5M15.5 3v4.5" />);

// In the text's colour, 24 px by default, hidden from screen readers. This file is part of every
// page: an icon with a single user is defined in that user's file, one that neither the list of games
// nor a game nor admin shows in other-icons.tsx.
export function icon(drawing: ReactNode) {
  return function Icon({ className }: IconProps) {
    return (
      <svg
        aria-hidden
        width="24"
        height="24"
        viewBox="0 0 24 24"
        className={classNames("shrink-0", className)}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {drawing}
      </svg>
    );
  };
}
