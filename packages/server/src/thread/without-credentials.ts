/**
 * A remote's address without what it logs in with, which many keep in it: of a web address name and password, of others the
 * password. `null` for a web address that cannot be read.
 */
export function withoutCredentials(address: string): string | null {
  if (!/^https?:\/\//i.test(address)) return address.replace(/^([a-z][\w+.-]*:\/\/[^/?#@:]*):[^/?#]*@/i, "$1@");
  return URL.canParse(address) ? address.replace(/^(https?:\/\/)[^/?#]*@/i, "$1") : null;
}
