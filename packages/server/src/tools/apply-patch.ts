import type { EffectiveConfig } from "../config/effective-config.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import { commandIn, type HookView, plainView } from "./hook-view.ts";
import type { Tool } from "./tool.ts";

const grammar = `start: "*** Begin Patch" NL file+ "*** End Patch" NL?
file: add | delete | update
add: "*** Add File: " PATH NL ("+" TEXT NL)*
delete: "*** Delete File: " PATH NL
update: "*** Update File: " PATH NL ("*** Move to: " PATH NL)? (at | line)* ("*** End of File" NL)?
at: "@@" (" " PATH)? NL
line: (" " | "+" | "-") TEXT NL
PATH: /.+/
TEXT: /.*/
%import common.LF -> NL
`;

/** For models that write patches as free text. */
const spec: ToolSpec = {
  type: "custom",
  name: "apply_patch",
  description: "Edits files by a patch. The input is the patch itself, not JSON.",
  format: { type: "grammar", syntax: "lark", definition: grammar },
};

/** Hooks may name it by what it does. */
const patchView: HookView = {
  ...plainView,
  describe: (call) => ({
    name: "apply_patch",
    names: ["apply_patch", "Write", "Edit"],
    input: { command: call.arguments },
  }),
  withInput: (call, input) => ({ ...call, arguments: commandIn(input) ?? call.arguments }),
};

/** `apply_patch`, as free text or as a function with `input`. Offered only where the model's kind is used to it. */
export function applyPatchTool(run: Tool["run"], { provider }: EffectiveConfig): Tool {
  // On other wires than OpenAI's it is a function, which every model can call; elsewhere as Codex does: a model that is
  // not known is left to its shell, where a patch is taken too.
  const isFunction = provider.wire !== undefined || provider.isEmbedded === true;
  return {
    spec: isFunction ? spec : undefined,
    knownSpec: spec,
    name: "apply_patch",
    namespace: null,
    essential: true,
    needs: "files",
    hookView: patchView,
    run,
  };
}
