import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

type NoticeProps = {
  tone?: keyof typeof tones | undefined;
  title?: ReactNode;
  isUrgent?: boolean | undefined;
  className?: string | undefined;
  children?: ReactNode;
};

/** Screen readers announce a danger notice, or an urgent one, at once. */
export function Notice(props: NoticeProps) {
  const { tone = "info", title, isUrgent = tone === "danger", className, children } = props;
  return (
    <div
      role={isUrgent ? "alert" : "status"}
      className={classNames("rounded-card border px-4 py-3", tones[tone], className)}
    >
      {title && <p className="font-bold">{title}</p>}
      {children}
    </div>
  );
}

const tones = {
  danger: "border-danger/35 bg-danger-soft text-danger",
  warn: "border-warn/35 bg-warn-soft text-warn",
  good: "border-good/35 bg-good-soft text-good",
  info: "border-info/35 bg-info-soft text-info",
};
