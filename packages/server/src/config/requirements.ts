import type {
  ApprovalsReviewer,
  AskForApproval,
  ConfigRequirements,
  ResidencyRequirement,
  SandboxMode,
  SandboxPolicy,
  WebSearchMode,
} from "@quire/protocol";
import { isTable, type Table } from "../lib/table.ts";
import { ConfigFiles } from "./config-files.ts";
import { type ManagedRule, readManagedRules } from "./managed-rules.ts";

/** The administrator's file. */
export const defaultRequirementsFile = "/etc/codex/requirements.toml";

/** The administrator's limits; `null` leaves a choice free. */
export interface Requirements {
  readonly path: string;
  readonly approvalPolicies: readonly AskForApproval[] | null;
  readonly reviewers: readonly ApprovalsReviewer[] | null;
  readonly sandboxModes: readonly SandboxMode[] | null;
  readonly webSearchModes: readonly WebSearchMode[] | null;
  /** Features that users cannot switch. */
  readonly features: Readonly<Record<string, boolean>>;
  readonly residency: ResidencyRequirement | null;
  /** True when only the administrator's hooks run. */
  readonly managedHooksOnly: boolean | null;
  readonly hooks: Table;
  readonly additionalInstructions: string | null;
  /** Rules about commands, besides those of users. */
  readonly rules: readonly ManagedRule[];
  /** Requirements that this server does not enforce. */
  readonly unenforced: readonly string[];
}

/** Enforced requirements, including those that nothing here could violate: this server searches no web by itself. */
const enforced: ReadonlySet<string> = new Set([
  "additional_developer_instructions",
  "allow_managed_hooks_only",
  "allowed_approval_policies",
  "allowed_approvals_reviewers",
  "allowed_sandbox_modes",
  "allowed_web_search_modes",
  "features",
  "hooks",
  "rules",
]);

/** Reads them; `undefined` where there are none. Throws a `ConfigError` for a file that cannot be read. */
export function readRequirements(files: ConfigFiles, path: string): Requirements | undefined {
  const values = files.read(path)?.values;
  if (values === undefined) return undefined;
  const list = <T>(key: string): readonly T[] | null => (Array.isArray(values[key]) ? (values[key] as T[]) : null);
  const features = isTable(values.features) ? Object.entries(values.features) : [];
  const { hooks } = values;
  return {
    path,
    approvalPolicies: list("allowed_approval_policies"),
    reviewers: list("allowed_approvals_reviewers"),
    sandboxModes: list("allowed_sandbox_modes"),
    webSearchModes: list("allowed_web_search_modes"),
    features: Object.fromEntries(features.filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean")),
    residency: values.enforce_residency === "us" ? "us" : null,
    managedHooksOnly: typeof values.allow_managed_hooks_only === "boolean" ? values.allow_managed_hooks_only : null,
    hooks: isTable(hooks) ? hooks : {},
    additionalInstructions:
      typeof values.additional_developer_instructions === "string" ? values.additional_developer_instructions : null,
    rules: readManagedRules(values.rules, path),
    unenforced: Object.keys(values).filter((key) => !enforced.has(key)),
  };
}

/** The requirements of this machine as the wire shows them. */
export function startupRequirements(path: string = defaultRequirementsFile): ConfigRequirements | null {
  const requirements = readRequirements(new ConfigFiles(), path);
  return requirements ? wireRequirements(requirements) : null;
}

/** For `configRequirements/read`. */
export function wireRequirements(given: Requirements): ConfigRequirements {
  return {
    modelProvider: null,
    modelProviders: null,
    allowedLoginMethods: ["api", "chatgpt"],
    cliAuthCredentialsStore: null,
    chatgptBaseUrl: null,
    additionalDeveloperInstructions: given.additionalInstructions,
    allowedApprovalPolicies: given.approvalPolicies && [...given.approvalPolicies],
    allowedApprovalsReviewers: given.reviewers && [...given.reviewers],
    allowedSandboxModes: given.sandboxModes && [...given.sandboxModes],
    allowedWindowsSandboxImplementations: null,
    allowedPermissionProfiles: null,
    defaultPermissions: null,
    allowedWebSearchModes: given.webSearchModes && [...given.webSearchModes],
    allowManagedHooksOnly: given.managedHooksOnly,
    allowBrowserAndComputerUse: null,
    allowAppshots: null,
    allowRemoteControl: null,
    computerUse: null,
    browserUse: null,
    inAppBrowser: null,
    featureRequirements: Object.keys(given.features).length > 0 ? { ...given.features } : null,
    hooks: null,
    enforceResidency: given.residency,
    network: null,
    application: null,
    autoReview: null,
    models: null,
    sqliteHome: null,
    logDir: null,
    modelCatalogJson: null,
    checkForUpdateOnStartup: null,
    allowLoginShell: null,
    feedback: null,
    otel: null,
  };
}

/** The settings that requirements restrict. */
export interface Choices {
  readonly approvalPolicy: AskForApproval;
  readonly approvalsReviewer: ApprovalsReviewer;
  readonly sandboxPolicy: SandboxPolicy;
}

/** The choices that are not allowed, as messages. */
export function violations(choices: Choices, given: Requirements): string[] {
  const problem = (key: string, value: string, allowed: readonly unknown[]) =>
    `invalid value for \`${key}\`: \`${value}\` is not in the allowed set [${allowed.map(nameOf).join(", ")}] (set by ${given.path})`;
  const { approvalPolicies, sandboxModes, reviewers } = given;
  const policy = nameOf(choices.approvalPolicy);
  const mode = modeOf(choices.sandboxPolicy);
  return [
    ...(approvalPolicies && !approvalPolicies.map(nameOf).includes(policy)
      ? [problem("approval_policy", policy, approvalPolicies)]
      : []),
    ...(sandboxModes && mode !== null && !sandboxModes.includes(mode)
      ? [problem("sandbox_mode", mode, sandboxModes)]
      : []),
    ...(reviewers && !reviewers.includes(choices.approvalsReviewer)
      ? [problem("approvals_reviewer", choices.approvalsReviewer, reviewers)]
      : []),
  ];
}

/** The choices with what is not allowed replaced by what is. */
export function constrained<T extends Choices>(choices: T, given: Requirements): T {
  const { approvalPolicies, sandboxModes, reviewers } = given;
  const policies = approvalPolicies?.map(nameOf);
  const mode = modeOf(choices.sandboxPolicy);
  const isBarred = sandboxModes !== null && mode !== null && !sandboxModes.includes(mode);
  return {
    ...choices,
    ...(policies &&
      !policies.includes(nameOf(choices.approvalPolicy)) && { approvalPolicy: approvalPolicies?.[0] ?? "on-request" }),
    ...(reviewers && !reviewers.includes(choices.approvalsReviewer) && { approvalsReviewer: reviewers[0] ?? "user" }),
    // The least that is allowed, not the first that is named.
    ...(isBarred && { sandboxPolicy: least(sandboxModes) }),
  };
}

function least(modes: readonly SandboxMode[]): SandboxPolicy {
  if (modes.includes("read-only") || modes.length === 0) return { type: "readOnly", networkAccess: false };
  if (modes.includes("danger-full-access") && !modes.includes("workspace-write")) return { type: "dangerFullAccess" };
  const shut = { networkAccess: false, excludeTmpdirEnvVar: false, excludeSlashTmp: false };
  return { type: "workspaceWrite", writableRoots: [], ...shut };
}

/** The mode of a policy; `null` for an externally enforced one. */
function modeOf({ type }: SandboxPolicy): SandboxMode | null {
  if (type === "readOnly") return "read-only";
  if (type === "workspaceWrite") return "workspace-write";
  return type === "dangerFullAccess" ? "danger-full-access" : null;
}

const nameOf = (value: unknown): string => (typeof value === "string" ? value : "granular");
