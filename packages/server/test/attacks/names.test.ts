/** Attacks: names that every object knows. */
import { RpcError } from "@quire/jsonrpc";
import { attack } from "@quire/testkit/attack";
import { customPolicy } from "../../src/config/custom-profiles.ts";
import { mergeTables, ownValue } from "../../src/lib/table.ts";
import { isWholeItem } from "../../src/model/responses/response-item.ts";
import { testServer } from "../support/test-server.ts";

const tables: Readonly<Record<string, unknown>> = {};

/** The code that a server answers with, or one that looks names up in a plain object. */
async function answers(guarded: boolean, method: string, params: unknown = {}): Promise<number | undefined> {
  if (!guarded) {
    const handler = tables[method.split("/", 1)[0] ?? ""];
    return handler === undefined ? -32601 : -32603;
  }
  await using server = await testServer({ model: "offline" });
  const client = await server.connect();
  return await client.request(method as never, params as never).then(
    () => undefined,
    (error: unknown) => (RpcError.is(error) ? error.code : -32603),
  );
}

attack("calls a method named __proto__", async (guarded) => (await answers(guarded, "__proto__")) === -32603);
attack("calls a method named constructor", async (guarded) => (await answers(guarded, "constructor")) === -32603);
attack("calls a method named toString", async (guarded) => (await answers(guarded, "toString")) === -32603);
attack(
  "calls a method in a group named hasOwnProperty",
  async (guarded) => (await answers(guarded, "hasOwnProperty/start")) === -32603,
);

attack("has an approval policy be looked up by a text that it makes itself", async (guarded) => {
  const params = { approvalPolicy: { toString: { polluted: true } } };
  if (guarded) return (await answers(true, "thread/start", params)) === -32603;
  try {
    return tables[params.approvalPolicy as never] !== undefined;
  } catch {
    return true;
  }
});

attack("has an item of a kind named __defineGetter__ end the turn", (guarded) => {
  const item = { type: "__defineGetter__" };
  try {
    if (guarded) return !isWholeItem(item);
    return (tables as Readonly<Record<string, (item: unknown) => boolean>>)[item.type]?.(item) === true;
  } catch {
    return true;
  }
});

attack("writes a setting named constructor that counts as overridden by nobody", async (guarded) => {
  const origins: Readonly<Record<string, { readonly name: { readonly type: string } }>> = {};
  const origin = guarded ? ownValue(origins, "constructor") : origins.constructor;
  return origin !== undefined;
});

attack("names a permission profile __proto__, which is nobody's", (guarded) => {
  const rows: Readonly<Record<string, unknown>> = {};
  const name = "__proto__";
  if (!guarded) return typeof rows[name] === "object";
  return customPolicy({ permissions: rows }, name) !== undefined;
});

attack("sets what all tables inherit by a table named __proto__ in a config", (guarded) => {
  const over = Bun.TOML.parse('[__proto__]\nsandbox_mode = "danger-full-access"\n') as Readonly<
    Record<string, unknown>
  >;
  const merged = guarded ? mergeTables({ model: "x" }, over) : Object.assign({ model: "x" }, over);
  return (merged as { sandbox_mode?: unknown }).sandbox_mode !== undefined;
});
