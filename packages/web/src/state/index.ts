export type { Actions, SearchHit, TerminalHandle, TerminalSink } from "./actions.ts";
export { messageOf } from "./message-of.ts";
export * from "./model.ts";
export { useActions, useStore, useSummary, useThread } from "./react.tsx";
