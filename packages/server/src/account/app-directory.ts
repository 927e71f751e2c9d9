import type { AppInfo } from "@quire/protocol";
import { readBounded } from "../lib/read-bounded.ts";
import type { Account } from "./account.ts";
import { fields, text } from "./claims.ts";

const timeoutMs = 15_000;
/** More pages than any directory has. */
const maxPages = 100;

/** The apps that ChatGPT offers an account. None is accessible: that needs a service this server does not call. */
export async function appDirectory(account: Account, base: string): Promise<AppInfo[]> {
  const apps: AppInfo[] = [];
  let token: string | null = null;
  for (let page = 0; page < maxPages; page++) {
    const query: URLSearchParams = new URLSearchParams({ external_logos: "true", ...(token !== null && { token }) });
    const answer = fields(await ask(account, `${base}/connectors/directory/list?${query}`));
    if (!Array.isArray(answer.apps)) throw new Error("the answer names no apps");
    apps.push(...answer.apps.flatMap(app));
    token = text(answer.nextToken) ?? text(answer.next_token);
    if (token === null) break;
  }
  return apps;
}

async function ask(account: Account, url: string): Promise<unknown> {
  const token = await account.token();
  const response = await fetch(url, {
    headers: { ...account.headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = await readBounded(response);
  if (!response.ok) throw new Error(`request failed with status ${response.status}`);
  return JSON.parse(answer);
}

function app(value: unknown): AppInfo[] {
  const given = fields(value);
  const id = text(given.id);
  const name = text(given.name);
  if (id === null || name === null) return [];
  return [
    {
      id,
      name,
      description: text(given.description),
      logoUrl: text(given.logo_url ?? given.logoUrl),
      logoUrlDark: text(given.logo_url_dark ?? given.logoUrlDark),
      iconAssets: null,
      iconDarkAssets: null,
      distributionChannel: text(given.distribution_channel ?? given.distributionChannel),
      branding: null,
      appMetadata: null,
      labels: null,
      installUrl: `https://chatgpt.com/apps/${slug(name)}/${id}`,
      isAccessible: false,
      isEnabled: true,
      pluginDisplayNames: [],
    },
  ];
}

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "") || "app";
