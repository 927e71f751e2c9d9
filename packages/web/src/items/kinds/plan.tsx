import { ListTodo } from "lucide-react";
import { itemWords } from "../../words/words.ts";
import { CopyButton } from "../copy-button.tsx";
import type { ItemProps } from "../item-props.ts";
import { Markdown } from "../markdown/markdown.tsx";

/** A plan that the agent proposes (in plan mode). */
export function Plan({ item, state }: ItemProps<"plan">) {
  return (
    <section className="items-panel" aria-label={itemWords.proposedPlan}>
      <div className="items-panel-head">
        <ListTodo size={14} aria-hidden="true" />
        <span className="items-title">{itemWords.proposedPlan}</span>
        <CopyButton label={itemWords.copyPlan} text={() => item.text} />
      </div>
      <Markdown text={item.text} live={!state.done} foldKey={item.id} className="items-panel-body" />
    </section>
  );
}
