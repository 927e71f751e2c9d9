/** Requests to Amazon Bedrock. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { awsLines } from "../../../src/config/provider/aws-files.ts";
import { awsRegion } from "../../../src/config/provider/aws-region.ts";
import { AwsSigner } from "../../../src/model/aws/aws-signer.ts";
import { signV4 } from "../../../src/model/aws/sign-v4.ts";

const keys = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  sessionToken: null,
};
const vector = {
  url: "https://example.amazonaws.com/",
  headers: {},
  body: "",
  region: "us-east-1",
  service: "service",
  now: new Date("2015-08-30T12:36:00Z"),
};
const access = { profile: null, region: "us-east-1", refresh: null };
const request = { url: "https://host/v1/responses", headers: {}, body: "{}" };

test("a signature is the one that AWS's own test vectors expect", () => {
  const { authorization } = signV4(keys, vector);
  assert.equal(
    authorization,
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
  );
});

test("a signature stands for the address, the body and each header", () => {
  const signature = (change: Partial<typeof vector>) => signV4(keys, { ...vector, ...change }).authorization;
  const changed = [
    { body: "x" },
    { url: "https://example.amazonaws.com/a b" },
    { url: "https://example.amazonaws.com/?a=b" },
    { headers: { "x-own": "1" } },
    { region: "eu-west-1" },
  ].map(signature);
  assert.equal(new Set([...changed, signature({})]).size, 6);
});

test("keys are taken from where the user has them: variables, a profile, the AWS CLI", async () => {
  await using folder = await tempDir("quire-aws-");
  const signer = (env: Record<string, string>, profile: string | null = null) =>
    new AwsSigner({ ...access, profile }, { HOME: folder.path, PATH: folder.path, ...env }).headers(request);
  const variables = await signer({ AWS_ACCESS_KEY_ID: "FROMENV", AWS_SECRET_ACCESS_KEY: "s", AWS_SESSION_TOKEN: "t" });
  assert.match(variables.authorization ?? "", /Credential=FROMENV\//);
  assert.equal(variables["x-amz-security-token"], "t");
  assert.equal((await signer({ AWS_BEARER_TOKEN_BEDROCK: "b" })).authorization, "Bearer b");
  mkdirSync(join(folder.path, ".aws"));
  const stored = "[other]\naws_access_key_id = NO\n[work]\naws_access_key_id = FROMFILE\naws_secret_access_key = s\n";
  writeFileSync(join(folder.path, ".aws", "credentials"), stored);
  assert.match((await signer({}, "work")).authorization ?? "", /Credential=FROMFILE\//);
  await assert.rejects(signer({}, "sso"), /No AWS credentials for profile sso: `aws` was not found/);
  const cli = join(folder.path, "aws");
  writeFileSync(cli, '#!/bin/sh\necho \'{"AccessKeyId":"FROMCLI","SecretAccessKey":"s"}\'\n');
  chmodSync(cli, 0o755);
  assert.match((await signer({}, "sso")).authorization ?? "", /Credential=FROMCLI\//);
});

test("the region is the provider's, else that of the variables or of the profile", async () => {
  await using folder = await tempDir("quire-aws-");
  mkdirSync(join(folder.path, ".aws"));
  writeFileSync(
    join(folder.path, ".aws", "config"),
    "[default]\nregion = of-default\n[profile work]\nregion = of-work\n",
  );
  const env = { HOME: folder.path };
  const none = { profile: null, region: null, refresh: null };
  assert.equal(awsRegion({ ...none, region: "set" }, { ...env, AWS_REGION: "variable" }), "set");
  assert.equal(awsRegion(none, { ...env, AWS_REGION: "variable" }), "variable");
  assert.equal(awsRegion(none, env), "of-default");
  assert.equal(awsRegion({ ...none, profile: "work" }, { ...env, AWS_REGION: "variable" }), "of-work");
  assert.equal(awsRegion(none, { HOME: "/nowhere" }), null);
});

test("a pipe in the place of a user's AWS settings keeps nobody waiting", async () => {
  await using folder = await tempDir("quire-aws-");
  const pipe = join(folder.path, "config");
  assert.equal(Bun.spawnSync(["mkfifo", pipe]).exitCode, 0);
  assert.deepEqual(awsLines(pipe), []);
  assert.deepEqual(awsLines("/dev/tty"), []);
});
