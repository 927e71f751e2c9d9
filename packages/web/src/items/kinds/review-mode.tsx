import { SearchCheck } from "lucide-react";
import { CopyButton } from "../copy-button.tsx";
import type { ItemProps } from "../item-props.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Marker } from "../marker.tsx";

/** A review begins. */
export function EnteredReviewMode({ item }: ItemProps<"enteredReviewMode">) {
  return <Marker icon={SearchCheck} title="Review started" detail={item.review} />;
}

/** A review ends with what it found. */
export function ExitedReviewMode({ item }: ItemProps<"exitedReviewMode">) {
  if (item.review.trim() === "") return <Marker icon={SearchCheck} title="Review ended" />;
  return (
    <section className="items-panel" aria-label="Review">
      <div className="items-panel-head">
        <SearchCheck size={14} aria-hidden="true" />
        <span className="items-title">Review</span>
        <CopyButton label="Copy review" text={() => item.review} />
      </div>
      <Markdown text={item.review} foldKey={item.id} className="items-panel-body" />
    </section>
  );
}
