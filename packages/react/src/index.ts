export { type ApprovalsState, useApprovals } from "./hooks/use-approvals.ts";
export { type ThreadOptions, type ThreadState, useThread } from "./hooks/use-thread.ts";
export { type TurnControls, type TurnProgress, useTurn } from "./hooks/use-turn.ts";
