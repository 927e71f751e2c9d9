import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { httpError, reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { replyWords } from "../../lib/shared-differences.ts";
import { requestEach, runTurn, startThread } from "../../lib/steps.ts";

const expired = (type: string) => ({ message: "The security token included in the request is expired", __type: type });

/** Amazon Bedrock, played by the scripted model, with an AWS CLI that only takes notes. */
export const bedrock: readonly Scenario[] = [
  {
    name: "bedrock/recovery",
    covers:
      "`modelProvider/authRecoveryStarted`, `authRecoveryCompleted`: keys that AWS no longer takes, and `auth_refresh`",
    setup: {
      config: { model_provider: "amazon-bedrock" },
      env: { PATH: join(import.meta.dirname, "..", "..", "lib", "fake-bin") },
    },
    run: async (stage) => {
      const user = dirname(stage.home);
      mkdirSync(join(user, ".aws"));
      const keys = "aws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = secret\naws_session_token = session\n";
      writeFileSync(join(user, ".aws", "credentials"), `[work]\n${keys}`);
      writeFileSync(join(user, ".aws", "config"), "[profile work]\nregion = eu-west-1\n");
      const settings = [
        "[model_providers.amazon-bedrock]",
        `base_url = "${stage.model.url}"`,
        "[model_providers.amazon-bedrock.aws]",
        'profile = "work"',
        'auth_refresh = { command = "aws", args = ["sso", "login"] }',
      ];
      appendFileSync(join(stage.home, "config.toml"), settings.join("\n"));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      stage.model.script(httpError(403, expired("ExpiredTokenException")), reply().text("one"));
      await runTurn(peer, thread, "a");
      stage.model.script(httpError(401, { message: "who?" }), reply().text("two"));
      await runTurn(peer, thread, "b");
      writeFileSync(join(user, "aws-fails"), "");
      stage.model.script(httpError(403, expired("UnrecognizedClientException")), reply().text("three"));
      await runTurn(peer, thread, "c");
      rmSync(join(user, "aws-fails"));
      stage.model.script(httpError(403, expired("AccessDeniedException")), reply().text("four"));
      await runTurn(peer, thread, "d");
      stage.observe("aws", readFileSync(join(user, "aws.log"), "utf8"));
      stage.observe(
        "tokens",
        stage.model.requests.map(({ headers }) => headers["x-amz-security-token"]),
      );
    },
  },
  {
    name: "bedrock/setup",
    covers: "`account/bedrock/setup`: a profile that is chosen, and what cannot be",
    run: async (stage) => {
      const user = dirname(stage.home);
      mkdirSync(join(user, ".aws"));
      const keys = "aws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = secret\n";
      writeFileSync(join(user, ".aws", "credentials"), `[work]\n${keys}`);
      const peer = await stage.connect();
      await requestEach(peer, "account/bedrock/setup", [
        { type: "profile", profile: "", region: "us-west-2" },
        { type: "profile", profile: "work", region: "" },
        { type: "profile", profile: "nobody", region: "us-west-2" },
        { type: "environment", region: "us-west-2" },
        { type: "profile", profile: "work", region: "us-west-2" },
      ]);
      await peer.request("account/read", {});
      const { model_provider, model_providers } = Bun.TOML.parse(
        readFileSync(join(stage.home, "config.toml"), "utf8"),
      ) as { readonly model_provider?: unknown; readonly model_providers?: Readonly<Record<string, unknown>> };
      stage.observe("config", [model_provider, model_providers?.["amazon-bedrock"]]);
    },
    differences: [replyWords],
  },
];
