import { createHash, createHmac } from "node:crypto";

/** Keys of AWS. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

/** A request to sign. */
export interface Unsigned {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly region: string;
  readonly service: string;
  readonly now: Date;
}

/** Headers that vouch for a POST request, by AWS's Signature Version 4. Those given are kept, and all but few signed. */
export function signV4(keys: AwsKeys, request: Unsigned): Record<string, string> {
  const { url, body, region, service, now } = request;
  const { host, pathname, searchParams } = new URL(url);
  const time = now.toISOString().replace(/[:-]|\.\d+/g, "");
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const added = {
    "x-amz-date": time,
    ...(keys.sessionToken !== null && { "x-amz-security-token": keys.sessionToken }),
  };
  const headers = { ...request.headers, ...added };
  const signed = Object.entries({ ...headers, host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, " ")] as const)
    .filter(([name]) => !unsigned.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const names = signed.map(([name]) => name).join(";");
  const canonical = [
    "POST",
    pathname.split("/").map(encode).join("/"),
    [...searchParams]
      .map(([key, value]) => `${encode(key)}=${encode(value)}`)
      .sort()
      .join("&"),
    ...signed.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    sha256(body),
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = scope
    .split("/")
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${keys.secretAccessKey}`);
  const signature = hmac(key, text).toString("hex");
  const credential = `Credential=${keys.accessKeyId}/${scope}`;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** Headers that proxies and runtimes change. */
const unsigned: ReadonlySet<string> = new Set(["authorization", "user-agent", "connection", "accept-encoding"]);

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
