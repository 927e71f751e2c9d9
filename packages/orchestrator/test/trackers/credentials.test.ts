import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Orchestrator, type OrchestratorEvent, trackerAdapters } from "@quire/orchestrator";
import { eventually, tempDir } from "@quire/testkit";
import { fakeGithub, fakeToken, githubIssue } from "../support/fake-github.ts";
import { workflowText } from "../support/place.ts";

/** Writes down its environment, starts a thread, calls the tool in its first turn, and says what it was answered. */
const agent = `env > agent.env
while IFS= read -r line; do
  case $line in *'"id":'*) ;; *) continue ;; esac
  id=\${line#*\\"id\\":}; id=\${id%%[,\\}]*}
  case $line in
  *'"method":"thread/start"'*) echo "{\\"id\\":$id,\\"result\\":{\\"thread\\":{\\"id\\":\\"t\\"}}}" ;;
  *'"method":"turn/start"'*)
    echo "{\\"id\\":$id,\\"result\\":{\\"turn\\":{\\"id\\":\\"u\\"}}}"
    echo '{"id":77,"method":"item/tool/call","params":{"threadId":"t","turnId":"u","callId":"c","namespace":null,"tool":"github_api","arguments":{"method":"PATCH","path":"/repos/acme/app/issues/1","body":{"state":"closed"}}}}' ;;
  *'"id":77,'*)
    echo "$line" > answer.json
    echo '{"method":"turn/completed","params":{"threadId":"t","turn":{"id":"u","items":[],"status":"completed","error":null}}}' ;;
  *) echo "{\\"id\\":$id,\\"result\\":{\\"userAgent\\":\\"x/0.166.0\\"}}" ;;
  esac
done
`;

test("an agent changes its issue on GitHub, and neither it nor a hook ever has the credential", async () => {
  await using dir = await tempDir("quire-credentials-");
  await using github = fakeGithub([githubIssue(1)]);
  const agentFile = join(dir.path, "agent.sh");
  const workflow = join(dir.path, "WORKFLOW.md");
  writeFileSync(agentFile, agent);
  const front = {
    tracker: {
      kind: "github",
      provider: { repo: "acme/app", api_url: github.url, token: "$MY_TOKEN" },
      terminal_states: ["gone"],
    },
    workspace: { root: "workspaces" },
    hooks: { before_run: "env > hook.env" },
    agent: { max_turns: 1 },
    codex: { command: `sh '${agentFile}'`, read_timeout_ms: 60_000, approval_policy: "never" },
  };
  writeFileSync(workflow, workflowText(front));
  const secrets = {
    MY_TOKEN: fakeToken,
    GITHUB_TOKEN: "ghp_other",
    GH_TOKEN: "ghp_third",
    QUIRE_ORCHESTRATOR_TOKEN: "ghp_status",
  };
  const orchestrator = new Orchestrator({
    workflow,
    adapters: trackerAdapters,
    stateFile: join(dir.path, "state.sqlite"),
    env: { PATH: process.env.PATH, HOME: dir.path, KEPT: "kept", ...secrets },
    once: true,
  });
  const events: OrchestratorEvent[] = [];
  orchestrator.subscribe((event) => events.push(event));
  try {
    await orchestrator.start();
    await orchestrator.done;
    assert.equal(github.issues[0]?.state, "closed", JSON.stringify(events));
    const workspace = join(dir.path, "workspaces", "GH-1");
    await eventually(() => readFileSync(join(workspace, "answer.json"), "utf8").includes('"success":true'));
    for (const file of ["agent.env", "hook.env"]) {
      const env = readFileSync(join(workspace, file), "utf8");
      assert.match(env, /^KEPT=kept$/m);
      assert.doesNotMatch(env, /ghp_|MY_TOKEN|GITHUB_TOKEN|GH_TOKEN|ORCHESTRATOR_TOKEN/, file);
    }
    const said = `${readFileSync(join(workspace, "answer.json"), "utf8")}${JSON.stringify(events)}`;
    for (const secret of Object.values(secrets)) assert.ok(!said.includes(secret));
  } finally {
    await orchestrator.shutDown();
  }
});
