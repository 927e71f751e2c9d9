/** Parts of tools: calling them for a server of your own, transactions, and the types of policies and examples. */
export type { SucceededCall, ToolBridgeOptions } from "./bridge/bridge-options.ts";
export { type BridgedCall, ToolBridge } from "./bridge/tool-bridge.ts";
export {
  beginTransaction,
  type Snapshotable,
  type Transaction,
  type TransactionOptions,
} from "./bridge/transaction.ts";
export type { OkOptions } from "./events/tool-result.ts";
export type { ParamDescriptions } from "./tool/patched-schema.ts";
export { PolicyState } from "./tool/policy/policy-state.ts";
export type { ReadBeforeWriteOptions } from "./tool/policy/read-before-write.ts";
export type { SequentialDependencyOptions } from "./tool/policy/sequential-dependency.ts";
export type { PolicyCall, PolicyDecision } from "./tool/policy/tool-policy.ts";
export { renderValue } from "./tool/render-value.ts";
export type { ToolExample, ToolReturn, ToolRun } from "./tool/tool.ts";
export type { EvaluatedPrompt, Heartbeat } from "./tool/tool-context.ts";
