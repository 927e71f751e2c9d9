/** A remote's address without credentials; `null` for an invalid web address. */
export function withoutCredentials(address: string): string | null {
  if (!/^https?:\/\//i.test(address)) return address.replace(/^([a-z][\w+.-]*:\/\/[^/?#@:]*):[^/?#]*@/i, "$1@");
  return URL.canParse(address) ? address.replace(/^(https?:\/\/)[^/?#]*@/i, "$1") : null;
}
