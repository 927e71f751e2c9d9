import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { commandEnvironment, environmentPolicy } from "../../src/exec/environment.ts";

const server = {
  PATH: "/bin",
  HOME: "/root",
  USER: "me",
  OPENAI_API_KEY: "k",
  My_Secret: "s",
  GITHUB_TOKEN: "t",
  EDITOR: "vi",
  GONE: undefined,
};
const made = (policy: object, never: string[] = []) =>
  commandEnvironment(environmentPolicy({ shell_environment_policy: policy }), server, never);

describe("the environment of commands", () => {
  test("by default all but what looks like a secret is passed on", () => {
    assert.deepEqual(made({}), { PATH: "/bin", HOME: "/root", USER: "me", EDITOR: "vi" });
    assert.deepEqual(commandEnvironment(environmentPolicy({}), server), made({}));
  });

  test("every key of the policy holds", () => {
    assert.deepEqual(made({ inherit: "core" }), { PATH: "/bin", HOME: "/root", USER: "me" });
    assert.deepEqual(made({ inherit: "none", set: { A: "1", N: 5 } }), { A: "1", N: "5" });
    assert.deepEqual(Object.keys(made({ ignore_default_excludes: true })).length, 7);
    assert.deepEqual(made({ exclude: ["h*", "EDIT?R"] }), { PATH: "/bin", USER: "me" });
    assert.deepEqual(made({ include_only: ["PATH", "A"], set: { A: "1" } }), { PATH: "/bin", A: "1" });
  });

  test("the key of the model's provider is kept back whatever the policy says", () => {
    const env = made({ ignore_default_excludes: true, set: { OPENAI_API_KEY: "x" } }, ["OPENAI_API_KEY", "EDITOR"]);
    assert.deepEqual(Object.keys(env).sort(), ["GITHUB_TOKEN", "HOME", "My_Secret", "PATH", "USER"]);
  });
});
