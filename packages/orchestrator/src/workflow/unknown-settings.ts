import type { AdapterProfile } from "../tracker/adapter-profile.ts";
import { limitNames } from "./budget-config.ts";
import type { Settings } from "./settings.ts";

/** All settings by section; `*` where any name is one. */
const known: Readonly<Record<string, readonly string[]>> = {
  tracker: ["kind", "provider", "required_labels", "active_states", "terminal_states"],
  polling: ["interval_ms"],
  workspace: ["root"],
  hooks: ["after_create", "before_run", "after_run", "before_remove", "timeout_ms"],
  agent: ["max_concurrent_agents", "max_concurrent_agents_by_state", "max_turns", "max_retry_backoff_ms"],
  codex: [
    "command",
    "approval_policy",
    "auto_approve",
    "thread_sandbox",
    "turn_sandbox_policy",
    "turn_timeout_ms",
    "read_timeout_ms",
    "stall_timeout_ms",
  ],
  deliver: [
    "to",
    "provider",
    "remote",
    "base",
    "author",
    "commit_message",
    "title",
    "body",
    "hand_over",
    "commit",
    "pull_request",
    "comment",
    "watch",
    "checks",
    "merge",
    "method",
    "states",
  ],
  "deliver.states": ["review", "rework", "merging", "done"],
  budget: ["per_issue", "per_day", "price_per_million", "same_failures"],
  "budget.per_issue": limitNames,
  "budget.per_day": limitNames,
  "budget.price_per_million": ["input", "output"],
  log: ["file", "level", "max_mb", "keep"],
  notify: ["url", "format", "on"],
  server: ["port", "webhook_secret"],
  machines: ["database", "lease_ms"],
  worker: ["ssh_hosts", "max_concurrent_agents_per_host", "root"],
};

/**
 * Warnings of settings that nobody knows: a name that is mistyped would have no effect, and nobody would notice.
 *
 * @param profile Of the tracker, whose settings are checked where it says which it has.
 */
export function unknownSettings(root: Settings, profile: AdapterProfile | undefined): readonly string[] {
  const { settings: provider, flatSettings = [] } = profile ?? {};
  const tracker = [...(known.tracker ?? []), ...flatSettings];
  const sections = { ...known, tracker, ...(provider && { "tracker.provider": provider }) };
  const top = root.keys().filter((name) => !Object.hasOwn(known, name));
  const within = Object.entries(sections).flatMap(([path, names]) => {
    const section = path.split(".").reduce((at, name) => at.section(name), root);
    return section.keys().flatMap((name) => (names.includes(name) ? [] : [unknown(`${path}.${name}`, names)]));
  });
  return [...top.map((name) => unknown(name, Object.keys(known))), ...within];
}

const unknown = (path: string, names: readonly string[]) =>
  `${path} is not a setting and has no effect: check its spelling (there are ${names.join(", ")})`;
