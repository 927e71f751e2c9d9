import { Bot } from "lucide-react";
import { itemWords } from "../../words/words.ts";
import { Activity } from "../activity.tsx";
import { humanName } from "../format.ts";
import type { ItemProps } from "../item-props.ts";
import { ThreadLink } from "../thread-link.tsx";

/** News of a sub-agent: that it began, was spoken to, was interrupted or is done. */
export function SubAgentActivity({ item }: ItemProps<"subAgentActivity">) {
  const facts = [item.model, item.reasoningEffort].filter((fact) => fact != null);
  return (
    <div className="items-collab">
      <Activity
        icon={Bot}
        title={itemWords.agent(humanName(item.kind).toLowerCase())}
        detail={item.agentPath}
        facts={facts}
        foldKey={item.id}
      />
      <ul className="items-agents" aria-label={itemWords.agents}>
        <li>
          <ThreadLink threadId={item.agentThreadId} />
        </li>
      </ul>
    </div>
  );
}
