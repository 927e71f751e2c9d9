import type { AwsAccess } from "../../config/provider/aws-access.ts";
import { awsProfile } from "../../config/provider/aws-files.ts";
import { awsRegion } from "../../config/provider/aws-region.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { runProgram } from "../../run/process/run-program.ts";
import { Failure } from "../failure.ts";
import { type AwsKeys, signV4, type Unsigned } from "./sign-v4.ts";

type Env = Readonly<Record<string, string | undefined>>;

const service = "bedrock-mantle";
const exportTimeoutMs = 30_000;

/** Running sign-ins by command: threads whose keys expire together wait for one. */
const running = new Map<string, Promise<unknown>>();

/** Vouches for requests to Amazon Bedrock. */
export class AwsSigner {
  readonly #access: AwsAccess;
  readonly #env: Env;

  constructor(access: AwsAccess, env: Env) {
    this.#access = access;
    this.#env = env;
  }

  /** The request's headers with the signature. Throws a {@link Failure} when there are no keys. */
  async headers(request: Pick<Unsigned, "url" | "headers" | "body">): Promise<Record<string, string>> {
    const bearer = this.#access.profile === null ? this.#env.AWS_BEARER_TOKEN_BEDROCK?.trim() : undefined;
    if (bearer) return { ...request.headers, authorization: `Bearer ${bearer}` };
    const region = awsRegion(this.#access, this.#env);
    if (region === null) throw new Failure("No AWS region: set aws.region of the provider, or AWS_REGION.", "other");
    return signV4(await this.#keys(), { ...request, region, service, now: new Date() });
  }

  /** True when AWS refuses the keys, and a sign-in may help. */
  isExpired({ httpStatus, message }: Failure): boolean {
    if (this.#access.refresh === null) return false;
    return (
      httpStatus === 401 ||
      (httpStatus === 403 && /expiredtoken|unrecognizedclientexception|invalidclienttokenid/i.test(message))
    );
  }

  /** Signs the user in again with the configured command. Rejects when that fails. */
  async refresh(): Promise<void> {
    const { refresh } = this.#access;
    if (refresh === null) throw new Error("auth_refresh is not configured");
    const key = JSON.stringify(refresh);
    const run =
      running.get(key) ??
      runProgram({ name: refresh.command, args: refresh.args, env: this.#env, timeoutMs: refresh.timeoutMs });
    running.set(key, run);
    try {
      await run;
    } finally {
      running.delete(key);
    }
  }

  async #keys(): Promise<AwsKeys> {
    const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = this.#env;
    if (this.#access.profile === null && id && secret)
      return { accessKeyId: id, secretAccessKey: secret, sessionToken: token ?? null };
    const name = this.#access.profile ?? this.#env.AWS_PROFILE ?? "default";
    const stored = awsProfile(this.#env, name);
    if (stored.aws_access_key_id && stored.aws_secret_access_key) {
      return {
        accessKeyId: stored.aws_access_key_id,
        secretAccessKey: stored.aws_secret_access_key,
        sessionToken: stored.aws_session_token ?? null,
      };
    }
    // Single sign-on, roles and the like are the AWS CLI's business.
    return this.#exported(name);
  }

  async #exported(profile: string): Promise<AwsKeys> {
    const args = ["configure", "export-credentials", "--format", "process", "--profile", profile];
    try {
      const output = await runProgram({ name: "aws", args, env: this.#env, timeoutMs: exportTimeoutMs });
      const { AccessKeyId, SecretAccessKey, SessionToken } = JSON.parse(output) as Readonly<Record<string, unknown>>;
      if (typeof AccessKeyId !== "string" || typeof SecretAccessKey !== "string") throw new Error("it printed no keys");
      const sessionToken = typeof SessionToken === "string" ? SessionToken : null;
      return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken };
    } catch (error) {
      const why = errorMessage(error);
      // Counted as refused keys, so that a sign-in is tried.
      const options = { httpStatus: this.#access.refresh === null ? null : 401 };
      throw new Failure(
        `No AWS credentials for profile ${profile}: ${why}. Sign in at AWS, or set keys.`,
        "other",
        options,
      );
    }
  }
}
