import { sidebarWords } from "../words/words.ts";
/** The problem with an address; null for one that can be tried. */
export function addressProblem(address: string): string | null {
  if (/^(wss?:\/\/[^/\s]+|unix:\/\/\/\S+)/.test(address)) return null;
  return sidebarWords.beginWsWssUnix;
}
