import type { BedrockSetupParams } from "@quire/protocol";
import { bedrockId } from "../config/provider/aws-access.ts";
import { writeConfig } from "../config/write-config.ts";
import type { ServerContext } from "../context/server-context.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { AwsSigner } from "../model/aws/aws-signer.ts";

/** Chooses Amazon Bedrock in the user's config, once it is seen that requests to it can be signed. */
export async function setUpBedrock({ home, env }: ServerContext, params: BedrockSetupParams): Promise<void> {
  const { region } = params;
  const profile = params.type === "profile" ? params.profile.trim() : null;
  if (profile === "") throw invalidRequest("AWS profile name must not be empty.");
  if (!/^[a-z]{2}(-[a-z]+)+-\d+$/.test(region))
    throw invalidRequest(`Amazon Bedrock does not support region \`${region}\``);
  if (profile === null && !env.AWS_BEARER_TOKEN_BEDROCK && !(env.AWS_ACCESS_KEY_ID && env.AWS_SECRET_ACCESS_KEY)) {
    throw invalidRequest("No AWS credentials found. Configure AWS credentials or sign in at AWS, then try again.");
  }
  const signer = new AwsSigner({ profile, region, refresh: null }, env);
  await signer.headers({ url: "https://localhost/", headers: {}, body: "" }).catch((error: unknown) => {
    throw invalidRequest(`failed to load credentials for AWS profile \`${profile}\`: ${(error as Error).message}`);
  });
  const at = ["model_providers", bedrockId, "aws"];
  writeConfig(home, {
    edits: [
      { keyPath: ["model_provider"], value: bedrockId, merge: false },
      { keyPath: at, value: { ...(profile !== null && { profile }), region }, merge: false },
    ],
  });
}
