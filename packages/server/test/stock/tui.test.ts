/** Codex's own terminal client on our server: a user notices no difference. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import { eventually, gate, reply, skipWithoutCodex } from "@quire/testkit";
import { listening, patient, stage, stepMs } from "./support/stage.ts";
import { skipWithoutTmux, type Terminal } from "./support/terminal.ts";
import { ready, tui } from "./support/tui.ts";

const skip = skipWithoutTmux() || (await skipWithoutCodex(codexVersion));

/** The line below the composer; the list of commands has these words, too. */
const inPlanMode = /Plan mode \(shift\+tab/;

describe("Codex's TUI", { skip }, () => {
  test("a user starts, talks, sees the status, and chooses another model for good", patient, async () => {
    await using set = await stage();
    await using server = await listening(set);
    await using screen = await tui(set, server);
    await screen.shows(ready);
    set.mock.script(reply().text("Good morning to you.", { chunks: 5 }));
    await screen.enter("hello there");
    await screen.shows(/• Good morning to you\.[\s\S]*Worked for/);

    await screen.enter("/status");
    const status = await screen.shows(/Context window:/);
    assert.match(status, /Model provider:\s+mock/);
    assert.match(status, /Permissions:\s+Workspace/);
    assert.match(status, /Token usage:\s+110 total/);
    assert.ok(status.includes(set.cwd), status);

    await screen.enter("/model");
    await screen.shows(/Select Model and Effort[\s\S]*mock-model[\s\S]*GPT-6\.1-Sol/);
    await screen.answer(/Select Model and Effort/, "2");
    await screen.answer(/Select Reasoning Level/, "Enter");
    await screen.shows(/Model changed to gpt-6\.1-sol/);
    await eventually(() => /^model = "gpt-6.1-sol"$/m.test(readFileSync(join(set.home, "config.toml"), "utf8")));
    set.mock.script(reply().text("Still here."));
    await screen.enter("and again");
    await screen.shows(/• Still here\./);
    assert.equal(set.last.body.model, "gpt-6.1-sol");
  });

  test("a command waits for the user's consent, a patch shows its diff, a plan its steps", patient, async () => {
    await using set = await stage();
    await using server = await listening(set);
    await using screen = await tui(set, server);
    await screen.shows(ready);
    const escalated = {
      cmd: "echo out of the box",
      sandbox_permissions: "require_escalated",
      justification: "because",
    };
    set.mock.script(reply().functionCall("exec_command", escalated), reply().text("It ran."));
    await screen.enter("run it");
    await screen.shows(
      /Would you like to run the following command\?[\s\S]*Reason: because[\s\S]*\$ echo out of the box/,
    );
    await screen.answer(/Press enter to confirm/, "y");
    await screen.shows(
      /You approved codex to run echo out of the box[\s\S]*└ out of the box[\s\S]*• It ran\.[\s\S]*Worked for/,
    );

    set.mock.script(reply().functionCall("exec_command", escalated));
    await screen.enter("run it once more");
    await screen.answer(/Press enter to confirm/, "Escape");
    // The TUI says at once that it was cancelled; what is entered before the turn has ended would still go into it.
    await screen.shows(/You canceled[\s\S]*Conversation interrupted/);

    const patch = "*** Begin Patch\n*** Add File: notes.txt\n+first line\n+second line\n*** End Patch";
    set.mock.script(
      reply().functionCall("exec_command", { cmd: `apply_patch <<'EOF'\n${patch}\nEOF` }),
      reply().text("It is written."),
    );
    await screen.enter("write it down");
    await screen.shows(
      /• Added notes\.txt \(\+2 -0\)[\s\S]*1 \+first line[\s\S]*2 \+second line[\s\S]*It is written\.[\s\S]*Worked for/,
    );
    assert.equal(readFileSync(join(set.cwd, "notes.txt"), "utf8"), "first line\nsecond line\n");

    const plan = [
      { step: "look around", status: "completed" },
      { step: "do the work", status: "in_progress" },
    ];
    set.mock.script(reply().functionCall("update_plan", { explanation: "Two steps", plan }), reply().text("Planned."));
    await screen.enter("make a plan");
    await screen.shows(/Updated Plan · 1\/2 complete[\s\S]*□ do the work[\s\S]*✔ look around[\s\S]*Planned\./);
  });

  test("in plan mode a proposed plan is shown as such, and carried out when the user agrees", patient, async () => {
    await using set = await stage();
    await using server = await listening(set);
    await using screen = await tui(set, server);
    await screen.shows(ready);
    set.mock.script(reply().text("Good morning to you."));
    await screen.enter("hello there");
    await screen.shows(/• Good morning to you\.[\s\S]*Worked for/);
    await screen.enter("/plan");
    await screen.shows(inPlanMode);
    const block = "<proposed_plan>\n# Paint it\n\n- buy paint\n- paint\n</proposed_plan>";
    set.mock.script(reply().text(`So be it.\n${block}\n`, { chunks: 7 }), reply().text("Painted."));
    await screen.enter("make a plan");
    const shown = await screen.shows(/Proposed Plan[\s\S]*Paint it[\s\S]*buy paint[\s\S]*Implement this plan\?/);
    assert.doesNotMatch(shown, /proposed_plan/);
    await screen.answer(/Implement this plan\?/, "1");
    await screen.shows(/• Painted\./);
    assert.match(JSON.stringify(set.last.body.input), /default mode/);
  });

  test("an approved plan is carried into a thread that knows nothing else", patient, async () => {
    await using set = await stage();
    await using server = await listening(set);
    await using screen = await tui(set, server);
    await screen.shows(ready);
    await screen.enter("/plan");
    await screen.shows(inPlanMode);
    const block = "<proposed_plan>\n# Paint it\n\n- buy paint\n</proposed_plan>";
    set.mock.script(reply().text(`So be it.\n${block}\n`), reply().text("Painted."));
    await screen.enter("make a plan");
    await screen.answer(/Implement this plan\?[\s\S]*clear context and implement/, "2");
    // It would warn if the server were not of its version.
    assert.doesNotMatch(await screen.shows(/• Painted\./), /warning/i);
    const input = JSON.stringify(set.last.body.input);
    assert.match(input, /buy paint|Read the approved plan at \/\S+ and implement it/);
    assert.doesNotMatch(input, /make a plan/);
  });

  test("a user sees which switches there are to try, and no effort where none is set", patient, async () => {
    await using set = await stage();
    await using server = await listening(set);
    await using screen = await tui(set, server);
    await screen.shows(ready);
    await screen.enter("/experimental");
    await screen.answer(/Time of day/, "Escape");
    await screen.shows(ready);
    await screen.enter("/status");
    const status = await screen.shows(/Model provider:/);
    assert.doesNotMatch(status, /reasoning medium/);
  });

  test("Escape ends a turn with its command, and a command of the user's own runs", patient, async () => {
    await using set = await stage({ approvalPolicy: "never", sandboxMode: "danger-full-access" });
    await using server = await listening(set);
    await using screen = await tui(set, server);
    await screen.shows(ready);
    const late = join(set.cwd, "late");
    const slow = { cmd: `touch begun; sleep 60; touch ${late}`, yield_time_ms: 30_000 };
    set.mock.script(reply().functionCall("exec_command", slow));
    await screen.enter("take your time");
    await eventually(() => existsSync(join(set.cwd, "begun")), { timeoutMs: stepMs });
    await screen.shows(/esc to interrupt/);
    await screen.press("Escape");
    await screen.shows(/Conversation interrupted/);

    await screen.press("!");
    await screen.shows(/Shell mode/);
    await screen.enter("echo by my own hand");
    await screen.shows(/You ran echo by my own hand[\s\S]*└ by my own hand/);
    set.mock.script(reply().text("Seen."));
    await screen.enter("what did I run");
    await screen.shows(/• Seen\./);
    const told = JSON.stringify(set.last.body.input);
    assert.match(told, /<user_shell_command>/);
    assert.ok(told.includes("echo by my own hand"), told);
    assert.equal(existsSync(late), false);
  });

  test("a user goes on with a thread after the server was killed in the middle of a turn", patient, async () => {
    await using set = await stage();
    const hold = gate();
    const first = await listening(set);
    await using screen = await tui(set, first);
    await screen.shows(ready);
    set.mock.script(reply().text("The word is plum."), reply().text(["half of", hold]));
    await screen.enter("tell me the word");
    await screen.shows(/• The word is plum\.[\s\S]*Worked for/);
    await screen.enter("and now slowly");
    await screen.shows(/• half of/);
    await first.kill();
    await screen.shows(/Reconnecting/);

    await using second = await listening(set, first.port);
    await screen.shows(/Conversation interrupted[\s\S]*Ask Codex to do anything/);
    set.mock.script(reply().text("It was plum."));
    await screen.enter("which word was it");
    await screen.shows(/• It was plum\.[\s\S]*Worked for/);
    assert.ok(JSON.stringify(set.last.body.input).includes("The word is plum."));

    await using other = await tui(set, second, "resume", "--last");
    await other.shows(/The word is plum\.[\s\S]*It was plum\.[\s\S]*Ask Codex/);
  });

  test("a user sees that settings of a trusted project came later, and what to do", patient, async () => {
    await using set = await stage();
    await using server = await listening(set);
    const hello = async (screen: Terminal) => {
      await screen.shows(ready);
      set.mock.script(reply().text("Good morning."));
      await screen.enter("hello there");
      await screen.shows(/• Good morning\./);
    };
    {
      await using screen = await tui(set, server);
      await hello(screen);
    }
    mkdirSync(join(set.cwd, ".codex"));
    writeFileSync(join(set.cwd, ".codex/config.toml"), 'sandbox_mode = "danger-full-access"\n');
    await using screen = await tui(set, server);
    await hello(screen);
    await screen.enter("/status");
    assert.match(await screen.shows(/Context window:/), /Permissions:\s+Workspace/);
    await screen.answer(/1 warning · f2 to view/, "F2");
    await screen.shows(/is left out: it came after[\s\S]*quire trust/);
  });
});
