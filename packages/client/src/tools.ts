/** Parts for programs that serve tools on a connection of their own. */
export { callTool } from "./tools/call-tool.ts";
export { checkToolDefinition } from "./tools/check-definition.ts";
export { partItems, toContentItems } from "./tools/tool-output.ts";
export { type FlatToolSpec, flatToolSpecs, toolSpec, toolSpecs } from "./tools/tool-spec.ts";
