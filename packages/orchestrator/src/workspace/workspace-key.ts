import { createHash } from "node:crypto";

/** Longest name of a folder here; file systems take 255 bytes, and what is made beside it needs some. */
const maxLength = 180;

/** Names that mean something to a file system, or to programs that look for them in the folders above. */
const special = /^(node_modules|con|prn|aux|nul|com\d|lpt\d)$|\.$|^(con|prn|aux|nul|com\d|lpt\d)\.|\.lock$/i;

/**
 * Name of an issue's folder. Characters that are not safe become `_`, and so does a dot or dash at the beginning: `.git`
 * beside other workspaces would be their repository, `-rf` an option. So does what no branch's name may have. Then, and where the name would be too long or means
 * something else, a hash of the identifier (80 bits) keeps different issues apart.
 */
export function workspaceKey(identifier: string): string {
  const safe = identifier
    .replace(/[^A-Za-z0-9._-]/g, "_")
    .replace(/^[.-]/, "_")
    // Git takes no branch with two dots in a row.
    .replaceAll("..", "__")
    .slice(0, maxLength);
  return safe === identifier && safe !== "" && !special.test(safe) ? safe : `${safe}-${hashOf(identifier)}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 20);
}
