import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "@quire/testkit";
import { oauthMcpServer } from "@quire/testkit/oauth-mcp-server";
import { logIn } from "../../lib/chatgpt-login.ts";
import type { Scenario } from "../../lib/scenario.ts";
import { patchGrammar } from "../../lib/shared-differences.ts";

const setup = { modelName: "gpt-5.5" } as const;
const anywhere = ["exec", "--json", "--skip-git-repo-check"] as const;
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function git(cwd: string, ...args: string[]): void {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd });
}

const patch = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-1\n+2\n";

/** Codex Cloud with one task that has changes, one that clashes, and one without any. */
function cloud(): Disposable & { readonly url: string } {
  const diffs = new Map([
    ["good", patch],
    ["bad", patch.replace("-1", "-9")],
  ]);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url, headers }) => {
      if (headers.get("authorization") === null) return new Response("{}", { status: 401 });
      const diff = diffs.get(new URL(url).pathname.replace("/backend-api/wham/tasks/", ""));
      const output = [{ type: "message" }, { type: "pr", output_diff: { diff } }];
      return Response.json({ current_diff_task_turn: diff === undefined ? null : { output_items: output } });
    },
  });
  return { url: `${server.url}backend-api`, [Symbol.dispose]: () => void server.stop(true) };
}

/** Further command lines on both: what each option does, and commands that ask no model. */
export const commandLinesMore: readonly Scenario[] = [
  {
    name: "command-line/exec-options",
    covers:
      "`codex exec`: `-C`, `--add-dir`, `-m`, `-c`, `-i`, `--ephemeral`, `--thread-source`, `--color`, `--experimental-json`",
    setup,
    run: async (stage) => {
      mkdirSync(join(stage.cwd, "other"));
      writeFileSync(join(stage.cwd, "p.png"), Buffer.from(png, "base64"));
      stage.model.script(reply().functionCall("exec_command", { cmd: "pwd; touch made" }, { callId: "c1" }));
      await stage.command([...anywhere, "-s", "workspace-write", "-C", "other", "elsewhere"]);
      const more = ["--add-dir", "other", "-m", "gpt-5.5", "-c", "model_reasoning_effort=high"];
      await stage.command(["exec", "--experimental-json", "--skip-git-repo-check", ...more, "options"]);
      await stage.command([...anywhere, "-i", "p.png", "--", "look"]);
      await stage.command([...anywhere, "-i", "nope.png", "--", "look"], { ignoreStderr: true });
      const { stdout } = await stage.command([...anywhere, "--ephemeral", "--thread-source", "user", "forget"]);
      const { thread_id } = JSON.parse(stdout.split("\n")[0] ?? "{}") as { thread_id: string };
      await stage.command([...anywhere, "resume", thread_id, "more"], { ignoreStderr: true });
      await stage.command(["e", "--skip-git-repo-check", "--color", "never", "short"]);
      await stage.command(["exec", "--color", "sometimes", "x"], { ignoreStderr: true });
      await stage.command(["-m", "gpt-5.5", "-C", "other", "exec", "--json", "--skip-git-repo-check", "before"]);
      await stage.command(["--json", "exec", "before"], { ignoreStderr: true });
      await stage.command([...anywhere, "-o", "/nope/last.txt", "out"], { ignoreStderr: true });
      await stage.command([...anywhere, "--output-schema", "p.png", "x"], { ignoreStderr: true });
      await stage.command([...anywhere, "--strict-config", "-c", "nonsense.key=1", "x"], { ignoreStderr: true });
      await stage.command(["exec", "--version"]);
    },
    differences: [patchGrammar],
  },
  {
    name: "command-line/exec-last",
    covers: "`codex exec resume --last`: of this folder, or with `--all` of any; without a name or with an unknown one",
    setup,
    run: async (stage) => {
      mkdirSync(join(stage.cwd, "other"));
      stage.model.script(...["one", "two", "three", "four", "five"].map((words) => reply().text(words)));
      await stage.command([...anywhere, "first"]);
      await stage.command([...anywhere, "-C", "other", "second"]);
      await stage.command([...anywhere, "resume", "--last", "third"]);
      await stage.command([...anywhere, "-C", "other", "resume", "--last", "fourth"]);
      await stage.command([...anywhere, "resume", "--last", "--all", "fifth"]);
      await stage.command([...anywhere, "resume", "--last"]);
      await stage.command([...anywhere, "resume"]);
      await stage.command([...anywhere, "resume", "no such name", "x"], { ignoreStderr: true });
    },
    differences: [patchGrammar],
  },
  {
    name: "command-line/exec-links",
    covers: "`codex exec -o FILE --output-schema FILE` where the model has left links in the places of the files",
    setup,
    run: async (stage) => {
      const [profile, schema] = [join(stage.cwd, "profile"), join(stage.cwd, "secret.json")];
      writeFileSync(profile, "");
      writeFileSync(schema, '{"type":"object","properties":{},"required":[],"additionalProperties":false}');
      symlinkSync(profile, join(stage.cwd, "last.txt"));
      symlinkSync(schema, join(stage.cwd, "schema.json"));
      await stage.command([...anywhere, "-o", "last.txt", "say it"], { ignoreStderr: true });
      stage.observe("profile", readFileSync(profile, "utf8"));
      await stage.command([...anywhere, "--output-schema", "schema.json", "say it"], { ignoreStderr: true });
    },
    differences: [
      {
        at: /^(model requests|seen: codex exec .* --output-schema)/,
        reason: "No schema is read by a link that the model may have made: what it leads to would go to the model.",
      },
    ],
  },
  {
    name: "command-line/review-targets",
    covers: "`codex review` of a branch, of a commit, of what is not there, by instructions from stdin; `-o`",
    setup,
    run: async (stage) => {
      const file = join(stage.cwd, "a.txt");
      git(stage.cwd, "init", "-q", "-b", "main");
      writeFileSync(file, "1\n");
      git(stage.cwd, "add", ".");
      git(stage.cwd, "commit", "-qm", "one");
      git(stage.cwd, "checkout", "-qb", "side");
      writeFileSync(file, "2\n");
      git(stage.cwd, "commit", "-qam", "two");
      stage.model.fallback(() => reply().text("Looks good."));
      await stage.command(["review", "--base", "main"], { ignoreStderr: true });
      await stage.command(["review", "--commit", "HEAD", "--title", "T"], { ignoreStderr: true });
      await stage.command(["exec", "review", "--base", "main", "--json", "-o", "last.txt"], { ignoreStderr: true });
      stage.observe("last.txt", readFileSync(join(stage.cwd, "last.txt"), "utf8"));
      await stage.command(["review", "--base", "nope"], { ignoreStderr: true });
      await stage.command(["review", "-"], { stdin: "by the book", ignoreStderr: true });
    },
    differences: [
      {
        at: /^model (input (lacks|adds): user|tool)/,
        reason: "A review is asked for in Quire's own words, with tools that only look.",
      },
      { at: /usage\./, reason: "The tokens of a review are counted and told." },
    ],
  },
  {
    name: "command-line/apply",
    covers: "`codex apply`: changes of a cloud task, which clash, or which there are none; without a task or a login",
    run: async (stage) => {
      using tasks = cloud();
      const file = join(stage.cwd, "a.txt");
      git(stage.cwd, "init", "-q");
      writeFileSync(file, "1\n");
      git(stage.cwd, "add", ".");
      git(stage.cwd, "commit", "-qm", "one");
      const command = ["apply", "-c", `chatgpt_base_url=${JSON.stringify(tasks.url)}`];
      const quiet = { ignoreStderr: true };
      await stage.command(["apply"], quiet);
      const codes: (number | null)[] = [(await stage.run([...command, "good"])).code];
      logIn(stage);
      for (const task of ["bad", "none", "good"]) codes.push((await stage.run([...command, task])).code);
      stage.observe("exit codes", codes);
      stage.observe("a.txt", readFileSync(file, "utf8"));
    },
  },
  {
    name: "command-line/mcp-logins",
    covers: "`codex mcp add --url`: options of OAuth clients, and which servers of a list need a login",
    setup: { config: { mcp_oauth_credentials_store: "file" } },
    run: async (stage) => {
      await using web = await oauthMcpServer();
      using none = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("", { status: 404 }) });
      const quiet = { ignoreStderr: true };
      const add = (name: string, ...args: readonly string[]) => stage.command(["mcp", "add", name, ...args], quiet);
      await add("none", "--url", `${none.url}mcp`, "--oauth-resource", "https://r.example");
      const client = ["--oauth-client-id", "mine", "--oauth-client-secret", "hush"];
      const { stdout } = await stage.run(["mcp", "add", "client", "--url", `${none.url}mcp`, ...client]);
      const id = new Bun.CryptoHasher("sha256").update(`${none.url}mcp`).digest("base64url").slice(0, 12);
      stage.observe("callback", stdout.includes(`http://127.0.0.1/callback/${id}`));
      await add("unsure", "--url", "nonsense");
      await add("token", "--url", web.url, "--bearer-token-env-var", "T");
      const toml = readFileSync(join(stage.home, "config.toml"), "utf8");
      for (const line of ['client_id = "mine"', 'client_secret = "hush"', 'oauth_resource = "https://r.example"'])
        stage.observe(line, toml.includes(line));
      writeFileSync(join(stage.home, "config.toml"), `${toml}\n[mcp_servers.wants]\nurl = "${web.url}"\n`);
      const listed = JSON.parse((await stage.run(["mcp", "list", "--json"])).stdout) as Record<string, unknown>[];
      for (const { name, auth_status } of listed) stage.observe(`auth of ${name}`, auth_status);
      await add("a", "--oauth-client-id", "x", "--", "npx");
      await add("a", "--url", web.url, "--oauth-client-secret", "x");
      await add("a", "--url", web.url, "--oauth-client-registration", "x");
      await stage.command(["mcp", "login", "none"], quiet);
    },
  },
  {
    name: "command-line/settings",
    covers: "`codex features`, `completion`, `debug models`, `mcp login` and `logout`: exit codes and what is stored",
    setup: {
      config: { mcp_oauth_credentials_store: "file" },
      toml: '[mcp_servers.web]\nurl = "https://example.com/mcp"\n[mcp_servers.files]\ncommand = "x"\n',
    },
    run: async (stage) => {
      const quiet = { ignoreStderr: true };
      await stage.command(["features", "enable", "nope"]);
      await stage.command(["features", "enable", "goals"]);
      stage.observe("config.toml", readFileSync(join(stage.home, "config.toml"), "utf8").includes("goals = true"));
      await stage.command(["features", "disable", "goals"]);
      const wrong = [["features"], ["features", "enable"], ["mcp"], ["debug"], ["completion", "nope"]];
      for (const args of wrong) await stage.command(args, quiet);
      await stage.command(["login", "--api-key", "sk-test"], quiet);
      for (const args of [
        ["features", "list"],
        ["debug", "models"],
        ["completion", "bash"],
      ])
        stage.observe(args.join(" "), (await stage.run(args)).code);
      const slugs = JSON.parse((await stage.run(["debug", "models"])).stdout) as { models: { slug: string }[] };
      stage.observe(
        "gpt-5.5",
        slugs.models.some(({ slug }) => slug === "gpt-5.5"),
      );
      const [feature = ""] = (await stage.run(["features", "list"])).stdout
        .split("\n")
        .filter((line) => /^goals\b/.test(line));
      stage.observe("goals", feature.split(/ {2,}/));
      for (const name of ["files", "nope"]) {
        await stage.command(["mcp", "login", name], quiet);
        await stage.command(["mcp", "logout", name], quiet);
      }
      await stage.command(["mcp", "logout", "web"]);
      await stage.command(["mcp", "logout"], quiet);
    },
  },
];
