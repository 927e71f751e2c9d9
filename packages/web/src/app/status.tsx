import type { ReactNode } from "react";
import { StatusDialog } from "../side-panel/index.ts";
import { type HubView, type ThreadKey, useThread } from "../state/index.ts";

interface StatusProps {
  readonly threadKey: ThreadKey;
  readonly hub: HubView | null;
  readonly onClose: () => void;
}

/** The `/status` dialog of the thread in view. */
export function Status({ threadKey, hub, onClose }: StatusProps): ReactNode {
  const thread = useThread(threadKey);
  if (thread === null) return null;
  return <StatusDialog thread={thread} models={hub?.models.value ?? []} hubName={hub?.name ?? ""} onClose={onClose} />;
}
