export { LiveThread, type LiveThreadOptions, openThread } from "./live-thread.ts";
export type {
  HistoryPage,
  HookRun,
  ItemState,
  LiveThreadSnapshot,
  Notice,
  ThreadSettingsState,
  ThreadSnapshot,
  TurnPlan,
  TurnState,
} from "./snapshot.ts";
export type { ThreadQueue } from "./thread-queue.ts";
export type { SettingsReport } from "./thread-settings.ts";
export { ThreadView, type ThreadViewOptions } from "./thread-view.ts";
