/** An address that may be opened: only of the web, never a script. */
export function webHref(address: string | null | undefined): string | undefined {
  const url = URL.parse(address ?? "");
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url.href : undefined;
}
