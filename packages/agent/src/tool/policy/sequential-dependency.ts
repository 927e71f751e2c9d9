import { remember, seenBy } from "./policy-state.ts";
import { allow, deny, type ToolPolicy } from "./tool-policy.ts";

/** Options of {@link sequentialDependency}. */
export interface SequentialDependencyOptions {
  /** By tool: those that must have succeeded before it is called. */
  readonly requires: Readonly<Record<string, readonly string[]>>;
  /** Default `sequential_dependency`. Two such policies need two names. */
  readonly name?: string | undefined;
}

/** Allows a tool only after others have succeeded: `sequentialDependency({ requires: { deploy: ["test", "build"] } })`. */
export function sequentialDependency(options: SequentialDependencyOptions): ToolPolicy {
  const { requires, name = "sequential_dependency" } = options;
  return {
    name,
    check({ tool, context }) {
      const needed = Object.hasOwn(requires, tool.name) ? (requires[tool.name] ?? []) : [];
      const seen = seenBy(context.session, name);
      const missing = needed.filter((each) => !seen.includes(each));
      if (missing.length === 0) return allow();
      return deny(`Tool "${tool.name}" needs these to have succeeded first: ${missing.join(", ")}.`);
    },
    onResult({ tool, context }) {
      remember(context.session, name, tool.name);
    },
  };
}
