import type { LucideIcon } from "lucide-react";

interface MarkerProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly detail?: string | undefined;
}

/** A line across the thread that marks an event. */
export function Marker({ icon: Icon, title, detail = "" }: MarkerProps) {
  return (
    <div className="items-marker">
      <Icon size={14} aria-hidden="true" />
      <span>
        {title}
        {detail !== "" && <span className="items-faint"> · {detail}</span>}
      </span>
    </div>
  );
}
