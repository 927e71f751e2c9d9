import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import { gate, reply, skipWithoutCodex } from "@quire/testkit";
import { becomes } from "../support/soon.ts";
import { openStage } from "./support/stage.ts";

/** The gateway tries again after 1, 2, 4, 8 and more seconds, twice here: a server that is slow to start waits long. */
const patient = { timeout: 150_000 };

for (const version of [undefined, codexVersion, "0.118.0"]) {
  const skip = version === undefined ? false : await skipWithoutCodex(version);
  describe(version === undefined ? "on our server" : `on Codex ${version}`, { skip }, () => {
    test("a server that is killed and comes back: its threads are found on disk, and go on", patient, async () => {
      await using stage = await openStage({ codex: version, apart: true });
      stage.model("Remember the tides.", reply().text("Noted."), reply().text(["I was ", gate(), "cut off"]));
      const screen = await stage.tab();
      await screen.begin("Remember the tides.");
      await screen.said("Noted.").waitFor();
      await screen.ended();
      await stage.stored("Remember the tides.");
      await screen.send("Go on.");
      await screen.said("I was").waitFor();
      await stage.killServer();
      await screen.threads
        .getByText(/Reconnecting, try|Not connected/)
        .first()
        .waitFor();
      await screen.page.getByText(/is not connected\. What you write is kept/).waitFor();
      // Nothing counts on, and there is nothing to stop.
      await screen.said(/^Connection lost/).waitFor();
      assert.equal(await screen.button("Stop").count(), 0);
      assert.equal(await screen.log.getByText("Working", { exact: true }).count(), 0);
      stage.model("What did I say?", reply().text("To remember the tides."));
      await stage.startServer();
      await screen.hub();
      if (version !== "0.118.0") await screen.said("The server ended during this turn.").waitFor();
      await screen.send("What did I say?");
      await screen.said("To remember the tides.").waitFor();
      await stage.stored("What did I say?");
      await becomes(() => screen.thread(/tides/).count(), 1);

      // A browser that was never here finds the thread in the list, and reads it from disk.
      await stage.killServer();
      await screen.page.getByText(/is not connected\. What you write is kept/).waitFor();
      await stage.startServer();
      const other = await stage.tab();
      await other.hub();
      await other.thread(/tides/).click();
      await other.said("Noted.").waitFor();
      await other.said("To remember the tides.").waitFor();
      stage.model("And again?", reply().text("As I said."));
      await other.send("And again?");
      await other.said("As I said.").waitFor();
      assert.deepEqual([...screen.problems, ...other.problems], []);
    });
  });
}

test("when Quire itself ends, no server is shown as connected, and nothing as working", async () => {
  await using stage = await openStage();
  stage.model("Count the stars.", reply().text(["One, ", gate(), "two"]));
  const screen = await stage.tab();
  await screen.begin("Count the stars.");
  await screen.said("One,").waitFor();
  await stage.endGateway();
  await screen.page.getByText("Not connected to Quire. What you see").waitFor();
  await screen.threads.locator(".sidebar-hub-name.is-disconnected").waitFor();
  assert.equal(await screen.threads.locator(".sidebar-hub-name.is-ready").count(), 0);
  await screen.said(/^Connection lost/).waitFor();
  assert.equal(await screen.button("Stop").count(), 0);
});
