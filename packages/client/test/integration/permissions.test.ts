import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClientWarning, type PermissionsApproval, policies } from "@quire/client";
import { isWithin, reply } from "@quire/testkit";
import { sharedAsker } from "./shared-server.ts";
import { type Fixture, onEachCodex, spawned } from "./support.ts";

const wanted = { file_system: { read: ["/etc"], write: ["/srv/cache"] }, network: { enabled: true } };

/** What came of a model's request for more permissions. */
interface Outcome {
  /** What the model was told. */
  readonly granted: unknown;
  readonly warnings: ClientWarning[];
  readonly cwd: string;
}

/** The server offers it as a tool to ask for permissions, once that is enabled. */
const setup = { config: { "features.request_permissions_tool": true } };

/** Has the model ask for permissions. */
async function request({ mock, client, codex }: Fixture): Promise<Outcome> {
  const warnings: ClientWarning[] = [];
  client.on("warning", (warning) => warnings.push(warning));
  mock.script(
    reply().functionCall("request_permissions", { reason: "to fill it", permissions: wanted }, { callId: "call-1" }),
    reply().text("Thanks."),
  );
  const thread = await client.thread({ approvalPolicy: "on-request", sandbox: "workspace-write" });
  const { agentMessage } = await thread.run("fill the cache");
  assert.equal(agentMessage, "Thanks.");
  const granted: unknown = JSON.parse(mock.last?.functionOutput("call-1") ?? "");
  return { granted, warnings, cwd: codex.cwd };
}

const nothing = { permissions: { network: null, file_system: null }, scope: "turn" };

await onEachCodex("permissions", "0.113.0", (version) => {
  const asking = sharedAsker(version, setup);

  test("what is asked for is shown, and only what is granted is granted, as long as it was said", async () => {
    const asked: PermissionsApproval[] = [];
    const permit = (approval: PermissionsApproval) => {
      asked.push(approval);
      return approval.grant({ fileSystem: { write: ["/srv/cache"] } }, { scope: "session" });
    };
    const { granted, warnings, cwd } = await request(asking({ onApproval: { permissions: permit } }));
    const [approval] = asked;
    assert.equal(asked.length, 1);
    assert.equal(approval?.reason, "to fill it");
    assert.equal(approval?.itemId, "call-1");
    assert.equal(approval?.cwd, isWithin(version, { until: "0.120.0" }) ? undefined : cwd, "0.120 does not say where");
    assert.deepEqual(approval?.permissions.network, { enabled: true });
    assert.deepEqual(approval?.permissions.fileSystem?.read, ["/etc"]);
    assert.deepEqual(approval?.permissions.fileSystem?.write, ["/srv/cache"]);
    const { permissions, scope } = granted as { permissions: { network: unknown; file_system: object }; scope: string };
    assert.equal(scope, "session");
    assert.equal(permissions.network, null);
    assert.deepEqual({ read: null, ...permissions.file_system }, { read: null, write: ["/srv/cache"] });
    assert.deepEqual(warnings, []);
  });

  test("accept grants all of it for the turn, acceptForSession for longer", async () => {
    const once = await request(asking({ onApproval: (approval) => approval.accept() }));
    assert.deepEqual(once.granted, { permissions: wanted, scope: "turn" });
    const session = await request(asking({ onApproval: () => "acceptForSession" }));
    assert.deepEqual(session.granted, { permissions: wanted, scope: "session" });
  });

  test("declined and cancelled requests grant nothing", async () => {
    for (const decision of ["decline", "cancel"] as const) {
      assert.deepEqual((await request(asking({ onApproval: () => decision }))).granted, nothing);
    }
  });

  test("where nobody answers nothing is granted, with a warning", async () => {
    await using fixture = await spawned(version, {}, setup);
    const { granted, warnings } = await request(fixture);
    assert.deepEqual(granted, nothing);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ["declined"],
    );
  });

  test("policies answer without warnings", async () => {
    const accepted = await request(asking(policies.acceptAll));
    assert.deepEqual(accepted.granted, { permissions: wanted, scope: "session" });
    const declined = await request(asking(policies.nonInteractive));
    assert.deepEqual(declined.granted, nothing);
    assert.deepEqual([...accepted.warnings, ...declined.warnings], []);
  });
});
