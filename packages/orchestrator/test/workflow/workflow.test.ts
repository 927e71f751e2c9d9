import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { dryRun, previewAgreement, TrackerError, trackerAdapters, WorkflowError } from "@quire/orchestrator";
import { eventually, tempDir } from "@quire/testkit";
import { Agreement } from "../../src/workflow/agreement.ts";
import type { WorkflowConfig } from "../../src/workflow/config.ts";
import { makeWorkflow, workflowPath } from "../../src/workflow/load-workflow.ts";
import { agreementFile } from "../../src/workflow/workflow-files.ts";
import { WorkflowStore } from "../../src/workflow/workflow-store.ts";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";

const adapters = { ...trackerAdapters, memory: new MemoryTracker().adapter };
const log = () => {};

/** Loads a text as the workflow of a new folder. */
async function load(text: string, env: Record<string, string> = {}) {
  await using dir = await tempDir();
  const path = join(dir.path, "WORKFLOW.md");
  writeFileSync(path, text);
  return { ...makeWorkflow(path, text, { adapters, env, log }), dir: dir.path };
}

const minimal = "tracker:\n  kind: memory\n";
const configOf = async (yaml: string, env?: Record<string, string>): Promise<WorkflowConfig> =>
  (await load(`---\n${yaml}\n---\nbody`, env)).config;
const code = (wanted: string) => (error: unknown) => {
  assert.ok(error instanceof WorkflowError || error instanceof TrackerError, String(error));
  assert.equal(error.code, wanted);
  return true;
};

describe("17.1 the workflow file", () => {
  test("an explicit path goes before WORKFLOW.md of the current folder", () => {
    assert.equal(workflowPath("ops/flow.md", "/here"), "/here/ops/flow.md");
    assert.equal(workflowPath("/there/flow.md", "/here"), "/there/flow.md");
    assert.equal(workflowPath(undefined, "/here"), "/here/WORKFLOW.md");
  });

  test("a file that is not there is a missing_workflow_file, and the error says what to do", async () => {
    await using dir = await tempDir();
    const reading = dryRun({ workflow: join(dir.path, "none.md"), adapters });
    await assert.rejects(
      reading,
      (error) => code("missing_workflow_file")(error) && /quire orchestrate PATH/.test((error as Error).message),
    );
  });

  test("a folder, or a file too large to be one, is a missing_workflow_file", async () => {
    await using dir = await tempDir();
    mkdirSync(join(dir.path, "folder"));
    writeFileSync(join(dir.path, "large.md"), "x".repeat(2 * 1024 * 1024));
    for (const name of ["folder", "large.md"]) {
      await assert.rejects(dryRun({ workflow: join(dir.path, name), adapters }), code("missing_workflow_file"));
    }
  });

  for (const [what, text] of [
    ["broken YAML", "---\ntracker: [\n---\nbody"],
    ["a front matter that is not closed", "---\ntracker:\n  kind: memory\n"],
    ["a key given twice", "---\ntracker: {kind: memory}\ntracker: {kind: memory}\n---\n"],
  ] as const) {
    test(`${what} is a workflow_parse_error`, async () => {
      await assert.rejects(load(text), code("workflow_parse_error"));
    });
  }

  for (const yaml of ["- a\n- b", "just text", "42"]) {
    test(`a front matter that is ${JSON.stringify(yaml)} is a workflow_front_matter_not_a_map`, async () => {
      await assert.rejects(load(`---\n${yaml}\n---\nbody`), code("workflow_front_matter_not_a_map"));
    });
  }

  test("without a front matter there are no settings, so the tracker is missed", async () => {
    await assert.rejects(load("Just a prompt"), code("invalid_workflow_config"));
    await assert.rejects(load("---\n# nothing\n---\nJust a prompt"), code("invalid_workflow_config"));
  });

  test("CRLF, a byte order mark and blank lines around the prompt do no harm", async () => {
    const { prompt } = await load(
      `\uFEFF---\r\n${minimal.replaceAll("\n", "\r\n")}---\r\n\r\n  Hello {{ issue.identifier }}\r\n\r\n`,
    );
    assert.equal(prompt.render({ issue: issueOf("A"), attempt: 0 }), "Hello A");
  });
});

describe("17.1 settings", () => {
  test("Linear's settings may stand beside the provider, which comes first", async () => {
    const text =
      '---\ntracker: {kind: linear, project_slug: flat, api_key: "$OWN_KEY", provider: {project_slug: "nested"}}\n---\n';
    const { config, warnings } = await load(text, { OWN_KEY: "lin_api_0123456789" });
    assert.deepEqual(config.tracker.provider, { project_slug: "nested", api_key: "$OWN_KEY" });
    assert.deepEqual(warnings, []);
  });

  test("a setting that is mistyped is warned of by name", async () => {
    const { warnings } = await load(
      "---\ntracker: {kind: memory, required_label: [x]}\nagents: {max_turns: 3}\nhooks: {after_creat: true}\n---\n",
    );
    assert.deepEqual(
      warnings.map((warning) => warning.replace(/:.*/, "")),
      ["agents", "tracker.required_label", "hooks.after_creat"].map(
        (name) => `${name} is not a setting and has no effect`,
      ),
    );
  });

  test("what is not given has its default", async () => {
    const {
      workspaceRoot,
      budget,
      worker: _worker,
      ...config
    } = await configOf(minimal, {
      HOME: "/home/me",
      XDG_STATE_HOME: "relative",
    });
    assert.match(workspaceRoot, /^\/home\/me\/\.local\/state\/quire\/workspaces\/[\w-]+-[0-9a-f]{12}$/);
    assert.match(
      (await configOf(minimal, { XDG_STATE_HOME: "/state" })).workspaceRoot,
      /^\/state\/quire\/workspaces\//,
    );
    const none = { runs: null, turns: null, tokens: null, usd: null };
    assert.deepEqual(budget, {
      perIssue: none,
      perDay: none,
      price: { input: 0, output: 0 },
      sameFailures: null,
      guarded: {},
    });
    assert.deepEqual(config, {
      tracker: {
        kind: "memory",
        provider: {},
        requiredLabels: [],
        activeStates: ["Todo", "In Progress"],
        terminalStates: ["Done"],
      },
      pollIntervalMs: 30_000,
      deliver: null,
      notify: null,
      log: null,
      hooks: { afterCreate: null, beforeRun: null, afterRun: null, beforeRemove: null, timeoutMs: 60_000 },
      agent: { maxConcurrentAgents: 10, maxTurns: 20, maxRetryBackoffMs: 300_000, maxConcurrentAgentsByState: {} },
      codex: {
        command: "quire app-server",
        approvalPolicy: "never",
        threadSandbox: "workspace-write",
        turnSandboxPolicy: undefined,
        autoApprove: ["mcp_tools"],
        turnTimeoutMs: 3_600_000,
        readTimeoutMs: 5000,
        stallTimeoutMs: 300_000,
      },
      serverPort: null,
      webhook: null,
      machines: null,
    });
  });

  test("everything can be given, numbers also as text; unknown keys are ignored", async () => {
    const config = await configOf(`
tracker: {kind: memory, provider: {own: {deep: 1}, token: $TOKEN}, required_labels: [a, 2], active_states: [x], terminal_states: [y]}
polling: {interval_ms: "1000"}
workspace: {root: /srv/ws}
hooks: {after_create: a, before_run: b, after_run: c, before_remove: d, timeout_ms: 5}
agent: {max_concurrent_agents: 3, max_turns: 4, max_retry_backoff_ms: 5}
codex:
  command: FOO=1 codex app-server --flag "a b" | tee log
  approval_policy: {reject: {rules: true}}
  thread_sandbox: read-only
  turn_sandbox_policy: {type: readOnly}
  turn_timeout_ms: 6
  read_timeout_ms: 7
  stall_timeout_ms: -1
server: {port: 0}
unheard: {of: 1}`);
    assert.deepEqual(config.tracker.provider, { own: { deep: 1 }, token: "$TOKEN" });
    assert.deepEqual(config.tracker.requiredLabels, ["a", "2"]);
    assert.equal(config.pollIntervalMs, 1000);
    assert.equal(config.codex.command, 'FOO=1 codex app-server --flag "a b" | tee log');
    assert.deepEqual(config.codex.approvalPolicy, { reject: { rules: true } });
    assert.deepEqual(config.codex.turnSandboxPolicy, { type: "readOnly" });
    assert.deepEqual([config.codex.stallTimeoutMs, config.serverPort, config.hooks.timeoutMs], [-1, 0, 5]);
  });

  test("a tracker that is not known is told with those that are", async () => {
    await assert.rejects(configOf("tracker: {kind: asana}"), (error) => {
      assert.match((error as Error).message, /folder, github, .*linear/);
      return code("unsupported_tracker_kind")(error);
    });
    await assert.rejects(configOf("tracker: {kind: toString}"), code("unsupported_tracker_kind"));
  });

  test("states that neither the workflow nor the adapter names are missed", async () => {
    const { adapter } = new MemoryTracker();
    const bare = { ...adapter, profile: { ...adapter.profile, defaultTerminalStates: undefined } };
    await using dir = await tempDir();
    const path = join(dir.path, "WORKFLOW.md");
    writeFileSync(path, "");
    const make = () => makeWorkflow(path, `---\n${minimal}---\n`, { adapters: { memory: bare }, env: {}, log });
    assert.throws(make, code("invalid_workflow_config"));
  });

  for (const yaml of [
    "polling: {interval_ms: 0}",
    "polling: {interval_ms: soon}",
    "agent: {max_turns: 0}",
    "agent: {max_concurrent_agents: 1.5}",
    "hooks: {timeout_ms: -1}",
    "hooks: {after_create: 7}",
    "codex: {command: '  '}",
    "codex: []",
    "server: {port: 70000}",
    "workspace: {root: $NOT_SET}",
  ]) {
    test(`${yaml} is refused by name`, async () => {
      await assert.rejects(configOf(`${minimal}${yaml}`), (error) => {
        const [, section, key] = /^(\w+): (?:\{(\w+))?/.exec(yaml) ?? [];
        assert.match((error as Error).message, new RegExp(key === undefined ? `${section}` : `${section}\\.${key}`));
        return code("invalid_workflow_config")(error);
      });
    });
  }

  test("limits by state are compared without case and blanks; those that make no sense are ignored", async () => {
    const { agent } = await configOf(
      `${minimal}agent: {max_concurrent_agents_by_state: {" In Progress ": 2, TODO: "3", a: 0, b: -1, c: x, d: 1.5}}`,
    );
    assert.deepEqual(agent.maxConcurrentAgentsByState, { "in progress": 2, todo: 3 });
  });

  test("a variable stands for a path or a secret, and an empty secret is a missing one", async () => {
    assert.equal((await configOf(`${minimal}workspace: {root: $WS/sub}`, { WS: "/srv" })).workspaceRoot, "/srv/sub");
    const github =
      "tracker: {kind: github, provider: {repository: o/r, repo: o/r, owner: o, token: $TOKEN, api_token: $TOKEN}}";
    await assert.rejects(configOf(github, { TOKEN: "" }), (error) => error instanceof TrackerError);
  });

  test("~ is the home, and a relative path starts at the workflow file", async () => {
    assert.equal(
      (await configOf(`${minimal}workspace: {root: ~/ws}`, { HOME: "/home/me" })).workspaceRoot,
      "/home/me/ws",
    );
    const { config, dir } = await load(`---\n${minimal}workspace: {root: ../ws}\n---\n`);
    assert.equal(config.workspaceRoot, join(dir, "..", "ws"));
  });

  test("the environment overrides nothing that the workflow says", async () => {
    const env = { QUIRE_CODEX_COMMAND: "other", CODEX_COMMAND: "other", SYMPHONY_WORKSPACE_ROOT: "/other" };
    assert.equal((await configOf(minimal, env)).codex.command, "quire app-server");
  });

  test("hosts are read with their limit and folder, and what is no host is refused", async () => {
    const workers = async (yaml: string) => (await configOf(`tracker: {kind: memory}\nworker: ${yaml}`)).worker;
    const { root: fallback, ...none } = await workers("{}");
    assert.deepEqual(none, { sshHosts: [], maxPerHost: null });
    assert.match(fallback, /^~\/\.local\/state\/quire\/workspaces\/.+/);
    assert.deepEqual(
      await workers('{ssh_hosts: [a, "ann@10.0.0.2:2222", a], max_concurrent_agents_per_host: 2, root: ~/w}'),
      {
        sshHosts: ["a", "ann@10.0.0.2:2222"],
        maxPerHost: 2,
        root: "~/w",
      },
    );
    for (const bad of ["-oProxyCommand=id", "a b", "a;id", "", "a:99999999", "ssh://a"]) {
      await assert.rejects(workers(`{ssh_hosts: [${JSON.stringify(bad)}]}`), code("invalid_workflow_config"), bad);
    }
    for (const bad of ["{ssh_hosts: a}", "{max_concurrent_agents_per_host: 0}", "{root: relative}"]) {
      await assert.rejects(workers(bad), code("invalid_workflow_config"), bad);
    }
  });
});

describe("17.1 the prompt", () => {
  const render = async (body: string, attempt = 0) =>
    (await load(`---\n${minimal}---\n${body}`)).prompt.render({
      issue: issueOf("A-1", { labels: ["x", "y"], blockedBy: [{ id: "1", identifier: "B", state: null }] }),
      attempt,
    });

  test("it sees the issue with all its parts, and the attempt", async () => {
    const body =
      "{{ issue.identifier }}|{{ issue.branch_name }}|{% for l in issue.labels %}{{ l }};{% endfor %}|{{ issue.blocked_by[0].identifier }}|{{ attempt }}";
    assert.equal(await render(body), "A-1||x;y;|B|");
    assert.equal(await render(body, 2), "A-1||x;y;|B|2");
    assert.equal(await render("{% if attempt %}again{% else %}first{% endif %}"), "first");
  });

  for (const body of [
    "{{ nobody }}",
    "{{ issue.nothing }}",
    "{{ issue.title | shout }}",
    "{% render 'other' %}",
    "{{ issue.constructor }}",
  ]) {
    test(`${body} fails the attempt`, async () => {
      await assert.rejects(
        render(body),
        (error) => error instanceof WorkflowError && error.code.startsWith("template_"),
      );
    });
  }

  test("what is no template is a template_parse_error of the attempt, and warned of at once", async () => {
    await assert.rejects(render("{% if %}{{ "), code("template_parse_error"));
    assert.equal((await load(`---\n${minimal}---\n{% for %}`)).warnings.length, 1);
  });

  test("a prompt that would never end, or never stop growing, fails", async () => {
    await assert.rejects(render("{% for i in (1..100000000) %}{{ i }}{% endfor %}"), code("template_render_error"));
  });

  test("a workflow without a prompt has one that names the issue", async () => {
    assert.match(await render(""), /A-1: Title of A-1/);
  });
});

describe("17.1 changes of the file", () => {
  test("a change is noticed and taken up, also when the file is replaced", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "WORKFLOW.md");
    const text = (ms: number) => `---\n${minimal}polling: {interval_ms: ${ms}}\n---\nbody`;
    writeFileSync(path, text(1000));
    using store = new WorkflowStore(path, { adapters, env: {}, log });
    let changes = 0;
    store.watch(() => changes++);
    writeFileSync(path, text(2000));
    await eventually(() => changes === 1 && store.current.config.pollIntervalMs === 2000);
    writeFileSync(join(dir.path, "new"), text(3000));
    renameSync(join(dir.path, "new"), path);
    await eventually(() => changes === 2 && store.current.config.pollIntervalMs === 3000);
  });

  test("a change that cannot be used keeps the last good one, and says why until it is mended", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "WORKFLOW.md");
    const good = `---\n${minimal}---\nbody`;
    writeFileSync(path, good);
    using store = new WorkflowStore(path, { adapters, env: {}, log });
    const first = store.current;
    for (const [text, wanted] of [
      ["---\n: [\n---", "workflow_parse_error"],
      [`---\n${minimal}polling: {interval_ms: no}\n---`, "invalid_workflow_config"],
      ["---\ntracker: {kind: asana}\n---", "unsupported_tracker_kind"],
    ] as const) {
      writeFileSync(path, text);
      assert.equal(store.reload(), true);
      assert.equal(store.reload(), false, "told once");
      assert.equal(store.error?.code, wanted);
      assert.equal(store.current, first);
    }
    rmSync(path);
    assert.equal(store.reload(), true);
    assert.equal(store.error?.code, "missing_workflow_file");
    writeFileSync(path, good);
    assert.equal(store.reload(), true);
    assert.equal(store.error, null);
    assert.equal(store.current, first);
  });

  test("a change of what runs waits until a person agrees; the prompt and limits need nobody", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "WORKFLOW.md");
    const stateFile = join(dir.path, "state.sqlite");
    const text = (hook: string, ms: number) =>
      `---\n${minimal}hooks: {before_run: "${hook}"}\npolling: {interval_ms: ${ms}}\n---\nbody ${ms}`;
    const context = { adapters, env: {}, log };
    const open = () => new WorkflowStore(path, context, new Agreement(agreementFile(stateFile)));
    writeFileSync(path, text("true", 1000));
    using store = open();
    writeFileSync(path, text("true", 2000));
    assert.ok(store.reload());
    assert.equal(store.current.config.pollIntervalMs, 2000);
    writeFileSync(path, text("id", 3000));
    assert.ok(store.reload());
    assert.equal(store.reload(), false, "told once");
    assert.equal(store.error?.code, "workflow_not_agreed");
    assert.match(
      store.error?.message ?? "",
      /since you approved it: hooks\.before_run \(changed\)\. Review it, then run: quire orchestrate --agree '/,
    );
    assert.equal(store.current.config.hooks.beforeRun, "true");
    assert.throws(() => open(), code("workflow_not_agreed"));
    const preview = previewAgreement({ workflow: path, adapters, env: {}, stateFile });
    assert.deepEqual(preview.changes, [{ name: "hooks.before_run", change: "changed" }]);
    preview.agree();
    assert.ok(store.reload());
    assert.equal(store.error, null);
    assert.equal(store.current.config.hooks.beforeRun, "id");
    open()[Symbol.dispose]();
  });

  test("what is shown for agreement holds no credential", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "WORKFLOW.md");
    writeFileSync(path, "---\ntracker: {kind: github, provider: {repo: o/n, token: ghp_secret}}\n---\n");
    const { settings, agree } = previewAgreement({
      workflow: path,
      adapters: trackerAdapters,
      env: {},
      stateFile: join(dir.path, "state.sqlite"),
    });
    agree();
    assert.ok(settings.some(({ name }) => name === "tracker.provider.token"));
    assert.ok(!JSON.stringify(settings).includes("ghp_secret"));
    const kept = join(dir.path, "state.agreed.json");
    assert.ok(!readFileSync(kept, "utf8").includes("ghp_secret"));
    assert.equal(statSync(kept).mode & 0o777, 0o600);
  });
});
