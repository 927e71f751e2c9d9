import { remember, seenBy } from "./policy-state.ts";
import { allow, deny, type PolicyCall, type ToolPolicy } from "./tool-policy.ts";

/** Options of {@link readBeforeWrite}. */
export interface ReadBeforeWriteOptions {
  /** Names of the tools that read a file. */
  readonly read: readonly string[];
  /** Names of the tools that write one. */
  readonly write: readonly string[];
  /** The file that a call is about. Default: its argument `path`. */
  readonly pathOf?: ((input: unknown) => string | undefined) | undefined;
  /** Default `read_before_write`. */
  readonly name?: string | undefined;
}

/**
 * Allows to overwrite a file only after it was read, so that the model does not destroy what it has not seen. New files may
 * be written freely; without files to look at, none counts as new.
 */
export function readBeforeWrite(options: ReadBeforeWriteOptions): ToolPolicy {
  const { read, write, pathOf = ownPath, name = "read_before_write" } = options;
  const fileOf = ({ input }: PolicyCall) => {
    const path = pathOf(input);
    return path === undefined ? undefined : normalize(path);
  };
  return {
    name,
    async check(call) {
      const path = write.includes(call.tool.name) ? fileOf(call) : undefined;
      if (path === undefined || seenBy(call.context.session, name).includes(path)) return allow();
      const isThere = (await call.context.filesystem?.exists(path)) ?? true;
      return isThere ? deny(`Read "${path}" before you write it: call ${read.join(" or ")} first.`) : allow();
    },
    onResult(call) {
      const path = [...read, ...write].includes(call.tool.name) ? fileOf(call) : undefined;
      // Who wrote a file knows what is in it.
      if (path !== undefined) remember(call.context.session, name, path);
    },
  };
}

function ownPath(input: unknown): string | undefined {
  const { path } = (input ?? {}) as { readonly path?: unknown };
  return typeof path === "string" ? path : undefined;
}

/** Gives every file one spelling. */
function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `${path.startsWith("/") ? "/" : ""}${parts.join("/")}`;
}
