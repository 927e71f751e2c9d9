import type { ReactNode } from "react";

/** Meaning of a badge's or notice's colour. */
export type Tone = "neutral" | "accent" | "success" | "warning" | "danger";

/** A short mark beside a name. */
export function Badge({ tone = "neutral", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`ui-badge ui-tone-${tone}`}>{children}</span>;
}
