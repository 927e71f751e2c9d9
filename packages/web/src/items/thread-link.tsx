import { ArrowUpRight } from "lucide-react";
import { itemWords } from "../words/words.ts";
import { useItemContext } from "./item-context.ts";

/** A sub-agent by its name, leading to its thread. */
export function ThreadLink({ threadId }: { readonly threadId: string }) {
  const { agentName, openThread } = useItemContext();
  const name = agentName(threadId) ?? itemWords.agentById(threadId.slice(-8));
  if (openThread === null) return <span title={threadId}>{name}</span>;
  return (
    <button type="button" className="items-thread-link" title={threadId} onClick={() => openThread(threadId)}>
      {name}
      <ArrowUpRight size={12} aria-hidden="true" />
    </button>
  );
}
