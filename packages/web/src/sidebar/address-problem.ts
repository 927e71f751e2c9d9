/** What is wrong with an address; null where it can be tried. */
export function addressProblem(address: string): string | null {
  if (/^(wss?:\/\/[^/\s]+|unix:\/\/\/\S+)/.test(address)) return null;
  return "Begin with ws://, wss:// or unix:///.";
}
