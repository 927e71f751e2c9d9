import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { testServer } from "../support/test-server.ts";
import { token } from "./oauth-server.ts";

/** A directory of apps in two pages, and a home that is logged in there. */
async function directory(status = 200) {
  const folder = await tempDir("quire-apps-");
  const asked: string[] = [];
  const backend = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== "/backend-api/connectors/directory/list") return Response.json({}, { status: 404 });
      asked.push(`${request.headers.get("chatgpt-account-id")} ${searchParams.get("token")}`);
      const first = { apps: [{ id: "one", name: "One App", description: "1" }, { id: "nameless" }], nextToken: "2" };
      const second = { apps: [{ id: "two", name: "Two", logo_url: "https://x/l.png" }], nextToken: null };
      return Response.json(searchParams.get("token") === "2" ? second : first, { status });
    },
  });
  const config = `chatgpt_base_url = "http://127.0.0.1:${backend.port}/backend-api"\nmodel_provider = "openai"\n`;
  writeFileSync(join(folder.path, "config.toml"), config);
  const access = token("apps");
  const tokens = { id_token: access, access_token: access, refresh_token: "r", account_id: "acc" };
  writeFileSync(join(folder.path, "auth.json"), JSON.stringify({ auth_mode: "chatgpt", tokens }));
  const server = await testServer({ home: folder.path });
  return {
    client: server.client,
    asked,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await backend.stop(true);
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("the account's directory of apps is listed page by page, and everybody is told all of it", async () => {
  await using place = await directory();
  const page = await place.client.request("app/list", { limit: 1 });
  assert.deepEqual([page.data[0].id, page.nextCursor], ["one", "1"]);
  assert.equal(page.data[0].installUrl, "https://chatgpt.com/apps/one-app/one");
  const told = await place.client.waitFor("app/list/updated");
  assert.deepEqual(
    (told.data as { id: string; isAccessible: boolean }[]).map(({ id, isAccessible }) => [id, isAccessible]),
    [
      ["one", false],
      ["two", false],
    ],
  );
  const rest = await place.client.request("app/list", { cursor: page.nextCursor });
  assert.deepEqual([rest.data.length, rest.data[0].logoUrl, rest.nextCursor], [1, "https://x/l.png", null]);
  assert.deepEqual(place.asked.slice(0, 2), ["acc null", "acc 2"]);
});

test("a directory that fails is named as such", async () => {
  await using place = await directory(500);
  await assert.rejects(place.client.request("app/list", {}), /failed to list apps: request failed with status 500/);
});
