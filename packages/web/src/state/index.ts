export type {
  Actions,
  NewThreadOptions,
  SearchHit,
  TerminalHandle,
  TerminalOptions,
  TurnOverrides,
} from "./actions.ts";
export { messageOf } from "./message-of.ts";
export * from "./model.ts";
export { StateProvider, type StateSource, useActions, useStore, useSummary, useThread } from "./react.tsx";
