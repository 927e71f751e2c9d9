import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { WorkflowAnswers } from "@quire/orchestrator";
import { visibleText } from "@quire/protocol";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { showHelp } from "../lib/show-help.ts";
import { choose, openQuestion } from "../orchestrate/init-questions.ts";

const trackers = ["folder", "github", "gitlab", "linear", "jira"] as const;
const merges = ["never", "approved", "green"] as const;

/** Forms of `--scope`. */
const scopes = {
  github: { form: /^[\w.-]+\/[\w.-]+$/, example: "OWNER/NAME" },
  gitlab: { form: /^(https?:\/\/[^/\s]+\/)?[\w.-]+(\/[\w.-]+)+$/, example: "GROUP/PROJECT, or its address" },
  linear: { form: /^\w+$/, example: "the key of a team, such as ENG" },
  jira: {
    form: /^https?:\/\/[^/\s]+\/(\S+\/)?[A-Za-z]\w*\/?$/,
    example: "the project's address, such as https://NAME.atlassian.net/browse/APP",
  },
} as const;

/** Hints that say how an issue of a tracker is worked on. */
const starts: Readonly<Partial<Record<(typeof trackers)[number], string>>> = {
  github: "An issue with the label quire:todo is worked on.\n",
  gitlab: "An issue with the label quire::todo is worked on.\n",
  jira: "An issue in the state To Do is worked on. Set JIRA_EMAIL and JIRA_API_TOKEN, or change the workflow.\n",
};

const flags = {
  tracker: {
    type: "text",
    value: "KIND",
    fallback: "asked for, else folder",
    help: "Where issues are: folder, github, gitlab, linear or jira.",
  },
  scope: {
    type: "text",
    value: "NAME",
    fallback: "the repository's name on GitHub or GitLab",
    help: "OWNER/NAME on GitHub, GROUP/PROJECT or its address on GitLab, a team's key in Linear, a project's address in Jira.",
  },
  repository: {
    type: "text",
    value: "PATH",
    fallback: "asked for, else this folder",
    help: "Path or address of the repository to work on.",
  },
  merge: {
    type: "text",
    value: "RULE",
    fallback: "asked for, else never",
    help: "never: you merge. approved: merged when its checks are green and somebody approved it. green: merged when its checks are green.",
  },
  offline: {
    type: "switch",
    help: "Use the offline model and write an issue, to try it all without a network or a key.",
  },
} as const satisfies Flags;

/** `quire orchestrate init`. */
export const orchestrateInitSpec: CommandSpec<typeof flags> = {
  name: "quire orchestrate init",
  summary: "Write a WORKFLOW.md that delivers: three questions",
  operands: "[FOLDER]",
  maxOperands: 1,
  flags,
  notes: "Writes into the current folder unless another is named, and never over a file that is there.",
  examples: [
    ["quire orchestrate init", "Answer three questions, then: quire orchestrate"],
    ["quire orchestrate init --offline --repository app.git --merge green", "Try it on a local bare repository."],
  ],
};

/** Writes a workflow after three questions. Returns the exit code. */
export async function orchestrateInit(args: readonly string[]): Promise<number> {
  const { flags: given, operands, help } = parseArguments(orchestrateInitSpec, args);
  if (help) return showHelp(orchestrateInitSpec);
  const folder = resolve(operands[0] ?? ".");
  const path = join(folder, "WORKFLOW.md");
  if (existsSync(path)) throw new Error(`${path} is there already: edit it, or name another folder`);
  const { draftWorkflow, inspectRepository } = await import("@quire/orchestrator");
  const tracker = oneOf(
    trackers,
    "--tracker",
    given.tracker ??
      (await choose("Where are your issues?", {
        folder: "Markdown files in a folder",
        github: "GitHub",
        gitlab: "GitLab",
        linear: "Linear",
        jira: "Jira",
      })),
  );
  const place =
    given.repository ?? (await openQuestion("Which repository do agents work on? A path or an address", "."));
  const repository = await inspectRepository(place, process.cwd());
  const merge = oneOf(
    merges,
    "--merge",
    given.merge ??
      (await choose("Who merges?", {
        never: "you",
        approved: "the orchestrator, when checks are green and somebody approved",
        green: "the orchestrator, when checks are green",
      })),
  );
  const scope = given.scope ?? (repository.forge?.kind === tracker ? repository.forge.name : null);
  if (tracker !== "folder" && !scopes[tracker].form.test(scope ?? "")) {
    throw new UsageError(`--scope is needed: ${scopes[tracker].example}`);
  }
  const answers: WorkflowAnswers = { tracker, scope, repository, merge, isOffline: given.offline };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, draftWorkflow(answers), { flag: "wx" });
  if (tracker === "folder") writeIssues(folder, given.offline);
  process.stdout.write(
    [
      `Wrote ${path}. Changes go to ${repository.remote} (${repository.base}).\n`,
      starts[tracker] ?? "",
      "Look at it, then: quire orchestrate\n",
    ]
      .map((line) => visibleText(line))
      .join(""),
  );
  return 0;
}

function oneOf<const T extends string>(all: readonly T[], flag: string, value: string): T {
  const found = all.find((one) => one === value);
  if (found === undefined) throw new UsageError(`${flag} must be one of ${all.join(", ")}`);
  return found;
}

/** Makes the folder of issues, with a first one to try it. */
function writeIssues(folder: string, withIssue: boolean): void {
  const issues = join(folder, "issues");
  mkdirSync(issues, { recursive: true });
  const first = join(issues, "TOUR-1.md");
  if (!withIssue || existsSync(first)) return;
  writeFileSync(first, "---\ntitle: Say hello\nstate: Todo\n---\n\nwrite: hello.txt\nHello from an agent.\n---\n");
}
