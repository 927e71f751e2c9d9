/**
 * Has the uncommitted changes of the current git repository reviewed.
 * Run it: npx bun examples/05-review.ts
 */
import { CodexClient } from "@quire/client";

await using codex = await CodexClient.spawn();
const thread = await codex.thread({ sandbox: "read-only", approvalPolicy: "never" });

// Other targets: { type: "baseBranch", branch }, { type: "commit", sha }, { type: "custom", instructions }.
const { reviewText, turn } = await thread.review({ target: { type: "uncommittedChanges" } });
console.log(`Review ${turn.status}:`);
console.log(reviewText);
