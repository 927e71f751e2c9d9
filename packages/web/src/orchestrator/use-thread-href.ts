import { threadHref } from "../navigation/routes.ts";
import { useStore } from "../state/react.tsx";

/** The address of a thread in this page, if one of the connected servers has it; null otherwise. */
export function useThreadHref(threadId: string | null): string | null {
  return useStore((state) => {
    if (threadId === null) return null;
    for (const { key } of state.threads.values()) if (key.thread === threadId) return threadHref(key);
    return null;
  });
}
