import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { describe, test } from "node:test";
import { eventually, mockResponses, reply } from "@quire/testkit";
import { launcher, place, slow } from "../support/quire.ts";

describe("what a command prints", () => {
  test("is whole for a reader that begins when all has been said", slow, async () => {
    const text = "line\n".repeat(400_000);
    await using mock = await mockResponses();
    mock.script(reply().text(text));
    await using dir = await place(mock);
    const child = spawn(launcher, ["run", "hi"], { cwd: dir.cwd, env: dir.env, stdio: ["ignore", "pipe", "pipe"] });
    let notes = "";
    child.stderr.on("data", (chunk) => {
      notes += chunk;
    });
    await eventually(() => /completed/.test(notes), { what: "the end of the turn" });
    let read = "";
    child.stdout.on("data", (chunk) => {
      read += chunk;
    });
    assert.equal((await once(child, "close"))[0], 0);
    assert.equal(read.length, text.length);
  });

  test("is not taken for whole where the disk was full", { ...slow, skip: !existsSync("/dev/full") }, async () => {
    await using dir = await place();
    for (const args of ["models", "--help", "run hello"]) {
      const child = spawn("sh", ["-c", `"$0" ${args} > /dev/full`, launcher], { cwd: dir.cwd, env: dir.env });
      let said = "";
      child.stderr.on("data", (chunk) => {
        said += chunk;
      });
      assert.equal((await once(child, "close"))[0], 1, args);
      assert.match(said, /Error: output is incomplete: ENOSPC/);
    }
  });
});
