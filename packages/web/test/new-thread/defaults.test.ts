import assert from "node:assert/strict";
import { test } from "node:test";
import type { Config } from "@quire/protocol";
import { approvalLabel, sandboxLabel } from "../../src/composer/permissions.ts";
import { permissionDefaults } from "../../src/new-thread/defaults.ts";

/** What the pickers of a new thread say. */
function says(config: Config, cwd = "/work/app"): readonly string[] {
  const { sandbox, approvalPolicy } = permissionDefaults(config, cwd);
  return [sandboxLabel(sandbox), approvalLabel(approvalPolicy)];
}
const trusting = (folder: string, level: string): Config => ({ projects: { [folder]: { trust_level: level } } });

test("a new thread shows what it may do also where nothing is configured", () => {
  assert.deepEqual(says({}), ["Read only", "Ask when needed"]);
  assert.deepEqual(says({ sandbox_mode: null, approval_policy: null, projects: null }), [
    "Read only",
    "Ask when needed",
  ]);
});

test("the trust in a folder, or in one above it, decides where nobody chose", () => {
  assert.deepEqual(says(trusting("/work/app", "trusted")), ["Workspace", "Ask when needed"]);
  assert.deepEqual(says(trusting("/work", "trusted"), "/work/app/src"), ["Workspace", "Ask when needed"]);
  assert.deepEqual(says(trusting("/work/ap", "trusted")), ["Read only", "Ask when needed"]);
  assert.deepEqual(says(trusting("/work/app", "untrusted")), ["Read only", "Ask always"]);
});

test("what is configured is shown, whatever the trust", () => {
  const config: Config = {
    ...trusting("/work/app", "untrusted"),
    ...{ sandbox_mode: "workspace-write", approval_policy: "never" },
    sandbox_workspace_write: { network_access: true, writable_roots: ["/cache"] },
  };
  assert.deepEqual(says(config), ["Workspace + network", "Never ask"]);
  assert.deepEqual(says({ default_permissions: ":danger-full-access" }), ["Full access", "Ask when needed"]);
});

test("permissions that only the server can read are not guessed", () => {
  assert.equal(permissionDefaults({ default_permissions: "my-profile" }, "/work").sandbox, null);
});
