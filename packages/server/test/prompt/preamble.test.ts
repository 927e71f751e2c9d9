import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { tempDir } from "@quire/testkit";
import { promptSource } from "../../src/prompt/index.ts";
import { contextIn, contextTexts, textsOf } from "./support.ts";

async function workspace() {
  const dir = await tempDir();
  const home = join(dir.path, "home");
  const cwd = join(dir.path, "work");
  mkdirSync(home);
  mkdirSync(join(cwd, ".git"), { recursive: true });
  return { home, cwd, [Symbol.asyncDispose]: () => dir.remove() };
}

describe("what stands before the history", () => {
  test("is the base prompt, then what the developer says, then where the model is", async () => {
    await using dir = await workspace();
    const preamble = promptSource(dir.home).preamble(contextIn(dir.cwd));
    const { sources } = preamble;
    const [base, developer, user, ...more] = contextTexts(preamble);
    assert.deepEqual([base?.role, developer?.role, user?.role, more], ["developer", "developer", "user", []]);
    for (const tool of ["exec_command", "write_stdin", "apply_patch <<'EOF'", "update_plan"]) {
      assert.ok(base?.texts[0]?.includes(tool), tool);
    }
    assert.equal(developer?.texts.length, 1);
    assert.match(
      developer?.texts[0] ?? "",
      /^<permissions instructions>\n.*danger-full-access[\s\S]*never[\s\S]*<\/permissions instructions>$/,
    );
    assert.match(user?.texts[0] ?? "", /^<environment_context>\n {2}<cwd>/);
    assert.deepEqual(sources, []);
  });

  test("takes a thread's own instructions before the configuration's, and these before ours", async () => {
    await using dir = await workspace();
    const prompts = promptSource(dir.home);
    const config = { baseInstructions: "CONFIG BASE", developerInstructions: "CONFIG DEV" };
    const own = contextTexts(
      prompts.preamble(contextIn(dir.cwd, { config, baseInstructions: "BASE", developerInstructions: "DEV" })),
    );
    assert.deepEqual(own[0]?.texts, ["BASE"]);
    assert.equal(own[1]?.texts[0], "DEV");
    const general = contextTexts(prompts.preamble(contextIn(dir.cwd, { config })));
    assert.deepEqual(general[0]?.texts, ["CONFIG BASE"]);
    assert.equal(general[1]?.texts[0], "CONFIG DEV");
  });

  test("says what the model may do and for what it must ask, for every policy", async () => {
    await using dir = await workspace();
    const prompts = promptSource(dir.home);
    const words = (settings: object) =>
      contextTexts(prompts.preamble(contextIn(dir.cwd, { settings })))[1]?.texts[0] ?? "";
    const roots = { type: "workspaceWrite", writableRoots: ["/extra"] };
    assert.match(
      words({ sandboxPolicy: roots, approvalPolicy: "on-request" }),
      /workspace-write.*`\/extra`[\s\S]*cannot use the network[\s\S]*require_escalated/,
    );
    assert.match(words({ sandboxPolicy: { ...roots, networkAccess: true } }), /Commands can use the network/);
    assert.match(
      words({ sandboxPolicy: { type: "readOnly" }, approvalPolicy: "untrusted" }),
      /read-only[\s\S]*untrusted/,
    );
    assert.match(
      words({ sandboxPolicy: { type: "externalSandbox", networkAccess: "enabled" } }),
      /Commands can use the network/,
    );
    assert.doesNotMatch(words({ approvalPolicy: "on-request" }), /require_escalated/);
    const granular = { mcp_elicitations: true, rules: true, sandbox_approval: false };
    assert.match(words({ approvalPolicy: { granular } }), /do not set `sandbox_permissions`/);
  });

  test("tells of plan mode, of a mode's own instructions and of the tone, where they were chosen", async () => {
    await using dir = await workspace();
    const prompts = promptSource(dir.home);
    const developer = (settings: object) =>
      contextTexts(prompts.preamble(contextIn(dir.cwd, { settings })))[1]?.texts.slice(1) ?? [];
    const mode = (kind: string, own: string | null) => ({
      mode: kind,
      settings: { model: "m", reasoning_effort: null, developer_instructions: own },
    });
    assert.match(
      developer({ collaborationMode: mode("plan", null) }).join(),
      /^<collaboration_mode>\n[\s\S]*plan mode[\s\S]*<proposed_plan>[\s\S]*<\/collaboration_mode>$/,
    );
    assert.deepEqual(developer({ collaborationMode: mode("plan", "MINE") }), [
      "<collaboration_mode>\nMINE\n</collaboration_mode>",
    ]);
    const [chosen = ""] = developer({ collaborationMode: mode("default", null) });
    assert.match(chosen, /^<collaboration_mode>\n[\s\S]*default mode/, "a chosen mode is told, also the default one");
    assert.deepEqual(developer({ collaborationMode: null }), []);
    assert.match(developer({ personality: "friendly" }).join(), /^<personality_spec>\n.*warm/);
    assert.match(developer({ personality: "pragmatic" }).join(), /matter-of-fact/);
    assert.deepEqual(developer({ personality: "none" }), []);
  });

  test("names folder, shell, date, zone and what can be reached, in tags that models know", async () => {
    await using dir = await workspace();
    const prompts = promptSource(dir.home);
    const context = (settings: object) =>
      contextTexts(prompts.preamble(contextIn(dir.cwd, { settings })))[2]?.texts[0] ?? "";
    const lines = context({}).split("\n");
    assert.equal(lines[1], `  <cwd>${dir.cwd}</cwd>`);
    assert.match(lines[2] ?? "", /^ {2}<shell>(ba|z)?sh<\/shell>$/);
    assert.match(lines[3] ?? "", /^ {2}<current_date>\d{4}-\d\d-\d\d<\/current_date>$/);
    assert.match(lines[4] ?? "", /^ {2}<timezone>\S+<\/timezone>$/);
    assert.equal(
      lines[5],
      `  <filesystem><workspace_roots><root>${dir.cwd}</root></workspace_roots><permission_profile type="disabled"><file_system type="unrestricted" /></permission_profile></filesystem>`,
    );
    assert.match(
      context({ sandboxPolicy: { type: "readOnly" } }),
      /type="restricted"><entry access="read"><special>:root<\/special><\/entry><\/file_system>/,
    );
    const writable = context({
      sandboxPolicy: { type: "workspaceWrite", excludeSlashTmp: true },
      runtimeWorkspaceRoots: ["/a", "/b<"],
    });
    assert.match(writable, /<root>\/a<\/root><root>\/b&lt;<\/root>/);
    assert.match(
      writable,
      new RegExp(`<entry access="write"><path>${dir.cwd}</path></entry><entry access="write"><special>:tmpdir`),
    );
    assert.match(writable, new RegExp(`<entry access="read"><path>${dir.cwd}/.git</path></entry>`));
  });
});

test("compaction asks for notes and hands them on; an interrupted turn leaves a mark", async () => {
  const { compaction, interrupted } = promptSource("/nonexistent");
  assert.match(compaction.instruction, /notes/);
  assert.match(compaction.summaryMessage("THE NOTES"), /\n\nTHE NOTES$/);
  assert.match(textsOf([interrupted])[0]?.texts[0] ?? "", /^<turn_aborted>\n[\s\S]*\n<\/turn_aborted>$/);
});
