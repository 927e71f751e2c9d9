import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { validateResult } from "@quire/protocol/validate";
import type { Page } from "playwright-core";
import { askedRequests } from "../stories/requests.ts";
import { becomes } from "../support/soon.ts";
import { callsOf, openStories, type Stories, showStory } from "../support/stories.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** What was sent for the one question of the story. */
async function answered(page: Page): Promise<unknown> {
  await page.waitForFunction(() => window.calls.some((call) => call.name === "answer"));
  const calls = await callsOf(page, "answer");
  assert.equal(calls.length, 1);
  return calls[0]?.[1];
}

/** Fails where the newest Codex would not take the reply. */
function assertFits(kind: string, result: unknown): void {
  const checked = validateResult(askedRequests[kind]?.method ?? "", result);
  assert.ok(checked.ok, `${kind}: ${JSON.stringify(checked)}`);
}

const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["npm", "test"] } };
const host = { host: "registry.npmjs.org", action: "allow" };
const asked = { fileSystem: { write: ["/home/ada/.npm"], read: ["/etc/hosts"] }, network: { enabled: true } };

/** Story, button, and the reply that Codex must get for it. */
const replies: readonly (readonly [story: string, button: string, result: unknown])[] = [
  ["command", "Approve", { decision: "accept" }],
  ["command", "Approve for session", { decision: "acceptForSession" }],
  ["command", "Always allow “npm test”", { decision: amendment }],
  ["command", "Decline", { decision: "decline" }],
  ["command", "Decline and stop", { decision: "cancel" }],
  ["plain", "Approve for session", { decision: "acceptForSession" }],
  [
    "network",
    "Always allow registry.npmjs.org",
    { decision: { applyNetworkPolicyAmendment: { network_policy_amendment: host } } },
  ],
  ["patch", "Approve", { decision: "accept" }],
  ["patch", "Approve for session", { decision: "acceptForSession" }],
  ["patch", "Decline", { decision: "decline" }],
  ["patch", "Decline and stop", { decision: "cancel" }],
  ["permissions", "Approve", { permissions: asked, scope: "turn" }],
  ["permissions", "Approve for session", { permissions: asked, scope: "session" }],
  ["permissions", "Decline", { permissions: {}, scope: "turn" }],
  ["legacyCommand", "Approve", { decision: "approved" }],
  ["legacyCommand", "Approve for session", { decision: "approved_for_session" }],
  ["legacyCommand&version=0.98.0", "Decline", { decision: "denied" }],
  ["legacyCommand&version=0.118.0", "Decline", { decision: "denied" }],
  ["legacyCommand&version=0.166.0", "Decline", { decision: { denied: { rejection: "rejected by user" } } }],
  ["legacyPatch", "Decline and stop", { decision: "abort" }],
  ["tool", "Approve", { action: "accept", content: {}, _meta: null }],
  ["tool", "Approve for session", { action: "accept", content: {}, _meta: { persist: "session" } }],
  ["tool", "Always allow this tool", { action: "accept", content: {}, _meta: { persist: "always" } }],
  ["tool", "Decline", { action: "decline", content: null, _meta: null }],
  ["tool", "Decline and stop", { action: "cancel", content: null, _meta: null }],
  ["odd", "Decline", { action: "decline", content: null, _meta: null }],
  ["url", "Done", { action: "accept", content: null, _meta: null }],
  ["script", "Decline", { action: "decline", content: null, _meta: null }],
];

for (const kind of [...new Set(replies.map(([story]) => story.split("&")[0] ?? ""))]) {
  test(`every answer to ${kind} travels in exactly the shape that it wants`, async () => {
    const page = await stories.open("approvals?ask=none");
    for (const [story, name, result] of replies.filter(([each]) => each.split("&")[0] === kind)) {
      // A word that means nothing makes every address a new one.
      await showStory(page, `approvals?ask=${story}&by=${encodeURIComponent(name)}`);
      await button(page, name).click();
      assert.deepEqual(await answered(page), result, `${story}: ${name}`);
      // The shapes of the oldest servers are known only by what they are compared with above.
      if (!/version=0\.(98|118)/.test(story)) assertFits(kind, result);
    }
  });
}

test("a server that offers no more than yes and stop gets no approval for the session", async () => {
  const page = await stories.open("approvals?ask=more");
  await button(page, "Approve").waitFor();
  assert.equal(await button(page, "Approve for session").count(), 0);
  await page.getByRole("list", { name: "Asked for" }).last().getByText("Write in /usr/local/bin").waitFor();
  await page.getByRole("list", { name: "Asked for" }).last().getByText("Use the network").waitFor();
});

test("y, a and n answer from the keyboard, but not while a text is written", async () => {
  for (const [key, decision] of [
    ["y", "accept"],
    ["a", "acceptForSession"],
    ["n", "decline"],
  ] as const) {
    const page = await stories.open("approvals?ask=plain");
    const field = page.getByRole("textbox").first();
    await field.focus();
    await page.keyboard.press(key);
    await becomes(() => field.inputValue(), key);
    assert.deepEqual(await callsOf(page, "answer"), []);
    await field.blur();
    await button(page, "Approve").click({ trial: true });
    await page.keyboard.press(key);
    assert.deepEqual(await answered(page), { decision });
    await page.context().close();
  }
});

test("a patch shows its diff, its reason and the folder that is asked for", async () => {
  const page = await stories.open("approvals?ask=patch");
  const bar = page.getByRole("region", { name: "Change this file?" });
  await bar.getByText("The file is outside of the workspace.").waitFor();
  await bar.getByText("Write in /home/ada/engine/src for the rest of the session").waitFor();
  await bar.getByText("this.#report();").first().waitFor();
});

test("folders below the user's home are written with ~, and in full where the pointer rests", async () => {
  const page = await stories.open("approvals?ask=permissions&home=/home/ada");
  const bar = page.getByRole("region", { name: "Give more permissions?" });
  await bar.getByText("in ~/engine").waitFor();
  await bar.getByText("Write in ~/.npm").waitFor();
  await bar.getByText("Read /etc/hosts").waitFor();
  await bar.getByTitle("/home/ada/engine").waitFor();
  const card = page.getByRole("article", { name: "Give more permissions?" });
  await card.getByText("in ~/engine").waitFor();
});

test("after the answer the card says what was answered, and the bar is gone", async () => {
  const page = await stories.open("approvals?ask=command");
  await button(page, "Approve").click();
  await page.getByRole("article", { name: "Run this command?" }).getByText("Approved by you").waitFor();
  await page.getByRole("region").waitFor({ state: "detached" });
});

test("a question that was answered elsewhere is withdrawn, and the next one is shown", async () => {
  const page = await stories.open("approvals?ask=plain,patch");
  await page.getByRole("region", { name: "Run this command?" }).getByText("1 of 2").waitFor();
  await button(page, "Answer the first elsewhere").click();
  await page.getByRole("region", { name: "Change this file?" }).waitFor();
  await page
    .getByRole("article", { name: "Run this command?" })
    .getByText("Answered elsewhere, in another window")
    .waitFor();
  await page.getByRole("region", { name: "Run this command?" }).waitFor({ state: "detached" });
  assert.deepEqual(await callsOf(page, "answer"), []);
});

test("of several questions any can be answered first", async () => {
  const page = await stories.open("approvals?ask=plain,patch");
  await button(page, "Next question").click();
  await page.getByRole("region", { name: "Change this file?" }).waitFor();
  await button(page, "Decline").click();
  await page.getByRole("region", { name: "Run this command?" }).waitFor();
  await becomes(async () => (await callsOf(page, "answer")).map(([id]) => id), ["r-patch"]);
});

test("an answer that does not arrive leaves the question, with the reason", async () => {
  const page = await stories.open("approvals?ask=plain&failing");
  await button(page, "Approve").click();
  await page.getByRole("alert").getByText("The server is gone").waitFor();
  await becomes(() => button(page, "Approve").isEnabled(), true);
});
