import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { patchGrammar } from "../../lib/shared-differences.ts";

/** A model of the catalogue: for another one Codex prints a warning. */
const setup = { modelName: "gpt-5.5", config: { "tools.update_plan.enabled": true } } as const;
const anywhere = ["exec", "--json", "--skip-git-repo-check"] as const;
const reworded = { at: /: stderr$/, reason: "Usage errors end with a tip and the remedy of our own." } as const;

function repository(cwd: string): void {
  execFileSync("git", ["init", "-q"], { cwd });
  writeFileSync(join(cwd, "a.txt"), "1\n");
}

const patch = "*** Begin Patch\n*** Add File: n.txt\n+x\n*** End Patch";
const busyTurn = () => [
  reply()
    .reasoning(["Let me see"])
    .text("First.")
    .functionCall("exec_command", { cmd: "echo hi; exit 3" }, { callId: "c1" }),
  reply().customToolCall("apply_patch", patch, { callId: "c2" }),
  reply().functionCall("update_plan", { plan: [{ step: "a", status: "completed" }] }, { callId: "c3" }),
  reply().functionCall("update_plan", { plan: [{ step: "b", status: "in_progress" }] }, { callId: "c4" }),
  reply().webSearch("cats").text("Done."),
];

/** Command lines on both: what is printed, the exit code, and what the model is asked. */
export const commandLines: readonly Scenario[] = [
  {
    name: "command-line/exec-json",
    covers: "`codex exec --json`: events of reasoning, messages, commands, patches, plans and searches",
    setup,
    run: async (stage) => {
      stage.model.script(...busyTurn());
      await stage.command([...anywhere, "go"]);
    },
    differences: [patchGrammar],
  },
  {
    name: "command-line/exec-text",
    covers: "`codex exec` for people: the same as text, with colors if they are asked for",
    setup,
    run: async (stage) => {
      stage.model.script(...busyTurn());
      await stage.command(["exec", "--skip-git-repo-check", "go"]);
      stage.model.script(reply().failed("server_error", "boom"));
      await stage.command(["exec", "--skip-git-repo-check", "--color", "always", "fails"]);
    },
    differences: [patchGrammar],
  },
  {
    name: "command-line/exec-prompt",
    covers:
      "`codex exec`: the prompt as an argument, from stdin, both, or none; threads resumed by id, --last or forked",
    setup,
    run: async (stage) => {
      const { stdout } = await stage.command([...anywhere, "-"], { stdin: "piped" });
      await stage.command([...anywhere, "both"], { stdin: "piped" });
      await stage.command([...anywhere]);
      const { thread_id } = JSON.parse(stdout.split("\n")[0] ?? "{}") as { thread_id: string };
      stage.model.script(reply().text("again"));
      await stage.command([...anywhere, "resume", thread_id, "more"]);
      await stage.command(["exec", "--skip-git-repo-check", "resume", "--last", "--json"], { stdin: "and more" });
      await stage.command([...anywhere, "fork", thread_id, "otherwise"]);
      await stage.command([...anywhere, "fork", thread_id]);
    },
    differences: [patchGrammar],
  },
  {
    name: "command-line/exec-failures",
    covers:
      "`codex exec`: exit codes of a model that fails, a wrong option, a missing schema, a folder that is no repository",
    setup,
    run: async (stage) => {
      stage.model.script(reply().failed("server_error", "boom"));
      await stage.command([...anywhere, "fails"]);
      await stage.command(["exec", "hello"]);
      await stage.command(["exec", "--bogus"]);
      await stage.command(["exec", "--sandbox", "bogus", "x"]);
      await stage.command([...anywhere, "--output-schema", "/nope.json", "x"], { ignoreStderr: true });
      await stage.command([...anywhere, "-C", "/nope", "x"], { ignoreStderr: true });
      await stage.command([...anywhere, "-c", "nonsense", "x"], { ignoreStderr: true });
      await stage.command([...anywhere, "resume", "00000000-0000-7000-8000-000000000000", "x"], { ignoreStderr: true });
    },
    differences: [
      patchGrammar,
      { ...reworded, at: "seen: codex exec --bogus: stderr" },
      {
        at: /-c nonsense x: exit code/,
        reason: "A wrong -c is a wrong command line, for every command: exit code 2.",
      },
    ],
  },
  {
    name: "command-line/exec-output",
    covers: "`codex exec`: the last message on stdout and in a file, a schema for it, options before the command",
    setup,
    run: async (stage) => {
      const schema = join(stage.cwd, "schema.json");
      writeFileSync(schema, '{"type":"object","properties":{"a":{"type":"string"}}}');
      stage.model.script(reply().text('{"a":"x"}'));
      const options = ["--skip-git-repo-check", "--output-schema", schema, "-o", "last.txt"];
      await stage.command(["-s", "read-only", "exec", ...options, "structured"]);
      stage.observe("last.txt", readFileSync(join(stage.cwd, "last.txt"), "utf8"));
    },
    differences: [patchGrammar],
  },
  {
    name: "command-line/exec-sandbox",
    covers: "`codex exec`: nobody is asked, whatever the configuration says, and the sandbox holds",
    setup: { ...setup, config: { ...setup.config, approval_policy: "on-request", sandbox_mode: "read-only" } },
    run: async (stage) => {
      const escalated = { cmd: "touch outside", sandbox_permissions: "require_escalated", justification: "why" };
      stage.model.script(reply().functionCall("exec_command", escalated, { callId: "c1" }));
      await stage.command([...anywhere, "outside"]);
      stage.model.script(reply().functionCall("exec_command", { cmd: "touch inside" }, { callId: "c2" }));
      await stage.command([...anywhere, "-s", "workspace-write", "inside"]);
    },
    differences: [patchGrammar],
  },
  {
    name: "command-line/review",
    covers: "`codex review` and `codex exec review`: of uncommitted changes, and by instructions",
    setup,
    run: async (stage) => {
      repository(stage.cwd);
      stage.model.script(reply().text("Looks good."), reply().text("Fine."));
      await stage.command(["review", "--uncommitted"]);
      await stage.command(["exec", "review", "--json", "look at a.txt"]);
      await stage.command(["review"]);
      await stage.command(["review", "--uncommitted", "--base", "main"], { ignoreStderr: true });
    },
    differences: [
      {
        at: /^model (input (lacks|adds): user|tool)/,
        reason: "A review is asked for in Quire's own words, with tools that only look.",
      },
      { at: /usage\.|stderr$/, reason: "The tokens of a review are counted and told." },
    ],
  },
  {
    name: "command-line/login",
    covers: "`codex login status`, `--with-api-key`, `logout`: exit codes and what is stored",
    run: async (stage) => {
      await stage.command(["login", "status"]);
      await stage.command(["login", "--with-api-key"], { stdin: "sk-test-1234567890abcdef\n", ignoreStderr: true });
      stage.observe("auth.json", JSON.parse(readFileSync(join(stage.home, "auth.json"), "utf8")));
      await stage.command(["login", "status"], { ignoreStderr: true });
      await stage.command(["logout"]);
      await stage.command(["login", "status"]);
    },
  },
  {
    name: "command-line/mcp",
    covers: "`codex mcp`: servers added, listed as a table and as JSON, shown and removed",
    run: async (stage) => {
      await stage.command(["mcp", "list"]);
      await stage.command(["mcp", "add", "files", "--env", "A=b", "--", "npx", "server", "--flag"]);
      await stage.command(["mcp", "add", "web", "--url", "https://example.com/mcp", "--bearer-token-env-var", "T"]);
      await stage.command(["mcp", "list"]);
      await stage.command(["mcp", "list", "--json"]);
      await stage.command(["mcp", "get", "files", "--json"]);
      await stage.command(["mcp", "add", "bad name", "--", "x"]);
      await stage.command(["mcp", "get", "nope"]);
      await stage.command(["mcp", "remove", "files"]);
      await stage.command(["mcp", "remove", "files"]);
    },
  },
  {
    name: "command-line/rest",
    covers: "`codex --version`, `sandbox`, and what needs a terminal: output and exit codes",
    setup: { config: { sandbox_mode: "read-only" } },
    run: async (stage) => {
      await stage.command(["--version"]);
      await stage.command(["sandbox", "--", "sh", "-c", "touch f || exit 4"], { ignoreStderr: true });
      await stage.command(["sandbox", "-P", ":workspace", "--", "sh", "-c", "echo out; touch f"]);
      await stage.command([], { ignoreStderr: true });
      await stage.command(["hello"], { ignoreStderr: true });
    },
  },
];
