/** Attacks: an agent's words in a merge request. */
import assert from "node:assert/strict";
import { attack } from "@quire/testkit/attack";
import { forges } from "../../src/forges/forges.ts";
import { DeliveryText } from "../../src/workflow/delivery-text.ts";
import { fakeGitlab, gitlabToken } from "../support/fake-gitlab.ts";
import { issueOf } from "../support/memory-tracker.ts";

const templates = { commit: undefined, title: undefined, body: undefined };

/** Whether GitLab obeys words that an agent or an issue brings into a merge request, as ours opens it or as they are. */
async function obeys(guarded: boolean, words: { readonly summary?: string; readonly title?: string }, later = false) {
  await using gitlab = fakeGitlab();
  const forge = forges
    .get("gitlab")
    ?.create(
      { project: "acme/tools/app", url: gitlab.url },
      { baseDir: "/nowhere", env: { GITLAB_TOKEN: gitlabToken } },
    );
  assert.ok(forge);
  const issue = issueOf("A", { title: words.title ?? "Fix" });
  const facts = { issue, summary: words.summary ?? null, runs: 1, turns: 1, tokens: 1, usd: null };
  const body = new DeliveryText(templates).body(facts);
  const text = { branch: "quire/A", base: "main", title: "A", sha: "aaa" };
  const pull = await forge.open({ ...text, body: later ? "" : guarded ? body : "" });
  if (guarded && later) await forge.edit(pull, { ...text, body });
  if (!guarded) {
    await fetch(`${gitlab.url}/api/v4/projects/acme%2Ftools%2Fapp/merge_requests/${pull.id}`, {
      method: "PUT",
      headers: { "private-token": gitlabToken },
      body: JSON.stringify({ description: body }),
    });
  }
  return gitlab.actions.length > 0;
}

attack("has its work merged by a quick action in its last words", (guarded) =>
  obeys(guarded, { summary: "Done.\n\n/merge" }),
);

attack("has its work approved by a quick action in its last words, when the request is brought up to date", (guarded) =>
  obeys(guarded, { summary: "Done.\n/approve\n/merge" }, true),
);

attack("has a quick action obeyed by blanks before it", (guarded) => obeys(guarded, { summary: "Done.\n \t/close" }));

attack("has a quick action obeyed by an issue's title of two lines", (guarded) =>
  obeys(guarded, { title: 'Fix\n/label ~"quire:todo"' }),
);
