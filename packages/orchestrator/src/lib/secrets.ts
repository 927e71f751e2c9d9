import { tokenVariable } from "./token-file.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Variables with credentials of trackers and of the status API. No child process gets them, whichever tracker is used. */
export const secretVariables: readonly string[] = [
  "GITHUB_TOKEN",
  "GH_TOKEN",
  "GITHUB_ENTERPRISE_TOKEN",
  "GH_ENTERPRISE_TOKEN",
  "GITLAB_TOKEN",
  "LINEAR_API_KEY",
  "JIRA_API_TOKEN",
  tokenVariable,
];

/** Names that say that a variable holds a secret. Paths and sizes of keys are called otherwise. */
const secretName = /(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** Shorter values are no secrets but words, and hiding those would garble the log. */
const minSecretLength = 12;

/** Values of an environment that are surely secrets, such as a model provider's key: nothing that is shown may hold them. */
export function secretsIn(env: Env): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && secretName.test(name) && value.length >= minSecretLength && !value.startsWith("/")
      ? [value]
      : [],
  );
}

/** A credential and its parts: of `Bearer abc` the second may appear without the first. The longest first. */
export function partsOf(credential: string): string[] {
  const parts = [credential, ...credential.split(/\s+/)].filter((part) => part.length > 6);
  return [...new Set(parts)].sort((a, b) => b.length - a.length);
}

/** A URL without user and password, for messages. */
export function withoutCredentials(text: string): string {
  return text.replace(/(:\/\/)[^\s/@]*@/g, "$1[removed]@");
}
