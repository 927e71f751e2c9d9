import { Webhook } from "lucide-react";
import { itemWords } from "../../words/words.ts";
import { Activity } from "../activity.tsx";
import { clipped } from "../format.ts";
import type { ItemProps } from "../item-props.ts";
import { Markdown } from "../markdown/markdown.tsx";

/** A hook's prompt to the agent. */
export function HookPrompt({ item }: ItemProps<"hookPrompt">) {
  const text = item.fragments.map((fragment) => fragment.text).join("\n\n");
  return (
    <Activity icon={Webhook} title={itemWords.hook} detail={clipped(text.replace(/\s+/g, " "), 160)} foldKey={item.id}>
      {text !== "" && <Markdown text={text} foldKey={`${item.id}/text`} className="items-prose" />}
    </Activity>
  );
}
