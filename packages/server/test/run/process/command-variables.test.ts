import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { commandVariables, environmentPolicy } from "../../../src/run/process/command-variables.ts";
import { secretVariables } from "../../../src/run/process/secret-variables.ts";
import { providerRow } from "../../model/recording-sink.ts";

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
  commandVariables(environmentPolicy({ shell_environment_policy: policy }), server, never);

describe("the environment of commands", () => {
  test("by default all but what looks like a secret is passed on", () => {
    assert.deepEqual(made({}), { PATH: "/bin", HOME: "/root", USER: "me", EDITOR: "vi" });
    assert.deepEqual(commandVariables(environmentPolicy({}), server), made({}));
  });

  test("every key of the policy holds", () => {
    assert.deepEqual(made({ inherit: "core" }), { PATH: "/bin", HOME: "/root", USER: "me" });
    assert.deepEqual(made({ inherit: "none", set: { A: "1", N: 5 } }), { A: "1", N: "5" });
    assert.deepEqual(Object.keys(made({ ignore_default_excludes: true })).length, 7);
    assert.deepEqual(made({ exclude: ["h*", "EDIT?R"] }), { PATH: "/bin", USER: "me" });
    assert.deepEqual(made({ include_only: ["PATH", "A"], set: { A: "1" } }), { PATH: "/bin", A: "1" });
  });

  test("keys of providers are secret, also of those that are not in use", () => {
    const raw = {
      model_providers: {
        mine: { env_key: "MINE", env_http_headers: { "x-tenant": "TENANT" } },
        other: { env_key: "OTHER", env_http_headers: { "x-pass": "PASS" } },
        odd: "none",
      },
    };
    const provider = { ...providerRow("http://127.0.0.1"), envKey: "MINE", envHeaders: { "x-tenant": "TENANT" } };
    assert.deepEqual(
      new Set(secretVariables({ provider, raw })),
      new Set(["OPENAI_API_KEY", "MINE", "TENANT", "OTHER", "PASS"]),
    );
    assert.deepEqual(secretVariables({ provider: { ...provider, envKey: null, envHeaders: {} }, raw: {} }), [
      "OPENAI_API_KEY",
    ]);
  });

  test("the key of the model's provider is kept back whatever the policy says", () => {
    const env = made({ ignore_default_excludes: true, set: { OPENAI_API_KEY: "x" } }, ["OPENAI_API_KEY", "EDITOR"]);
    assert.deepEqual(Object.keys(env).sort(), ["GITHUB_TOKEN", "HOME", "My_Secret", "PATH", "USER"]);
  });
});
