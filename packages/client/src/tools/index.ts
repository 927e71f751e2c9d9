export { callTool } from "./call-tool.ts";
export { partItems, toContentItems } from "./tool-output.ts";
export { type FlatToolSpec, flatToolSpecs, toolSpec, toolSpecs } from "./tool-spec.ts";
