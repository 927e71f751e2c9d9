const storageKey = "quire.folded";

/** True for a folder of the sidebar that the user folded away. */
export function isFolded(id: string): boolean {
  return read().includes(id);
}

/** Remembers whether a folder is folded away. */
export function setFolded(id: string, folded: boolean): void {
  const others = read().filter((other) => other !== id);
  try {
    localStorage.setItem(storageKey, JSON.stringify(folded ? [...others, id].slice(-200) : others));
  } catch {
    // It is then folded until the page is reloaded.
  }
}

function read(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}
