import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnyMethods, Connection } from "@quire/jsonrpc";
import { testServer } from "../support/test-server.ts";

interface Started {
  readonly thread: { readonly id: string };
  readonly sandbox: { readonly type: string };
  readonly approvalPolicy: string;
}

test("policies may be spelled as the documents of earlier versions have them", async () => {
  await using host = await testServer({ model: "offline" });
  const client = (await host.connect()) as unknown as Connection<AnyMethods>;
  const started = async (params: object) => (await client.request("thread/start", params)) as Started;
  const one = await started({ sandbox: "workspaceWrite", approvalPolicy: "unlessTrusted" });
  assert.deepEqual([one.sandbox.type, one.approvalPolicy], ["workspaceWrite", "untrusted"]);
  const two = await started({ sandbox: "readOnly", approvalPolicy: "onRequest" });
  assert.deepEqual([two.sandbox.type, two.approvalPolicy], ["readOnly", "on-request"]);
  await assert.rejects(started({ sandbox: "constructor" }), /sandbox/);
  const { data } = (await client.request("thread/loaded/list", undefined)) as { data: string[] };
  assert.deepEqual(new Set(data), new Set([one.thread.id, two.thread.id]));
});
