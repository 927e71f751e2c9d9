import { visibleText } from "./visible-text.ts";

/** A host as a person may trust it. */
export interface VisibleHost {
  /** As it was given, with hidden characters made visible. */
  readonly text: string;
  /** A warning, if the host can be mistaken for another one. */
  readonly hint: string | undefined;
}

/**
 * Shows a host that is about to be reached. One with letters of other alphabets (`pаypal.com` with a Cyrillic `а`) or in
 * another spelling of an address (`127.1`, `0x7f000001`) says what it is in truth.
 */
export function visibleHost(host: string): VisibleHost {
  const text = visibleText(host, { oneLine: true });
  const real = nameOf(host);
  if (real === undefined) return { text, hint: "not a valid host name" };
  if (/(^|\.)xn--/.test(real)) {
    return { text, hint: `${real === host ? "" : `${real}: `}has letters that may look like others` };
  }
  return { text, hint: real === host.toLowerCase() ? undefined : `the same as ${real}` };
}

/** The name that is looked up: in lower case, in ASCII, addresses in their usual form. */
function nameOf(host: string): string | undefined {
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  if (/[/\\?#@\s%]/.test(name) || !URL.canParse(`http://${name}/`)) return undefined;
  const { hostname } = new URL(`http://${name}/`);
  return name === host ? hostname : hostname.slice(1, -1);
}
