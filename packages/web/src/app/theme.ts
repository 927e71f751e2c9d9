import { onPreferences, readPreferences } from "../side-panel/index.ts";

/** Keeps the root's `data-theme` at what the user chose, or at what the system prefers. */
export function followTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = (): void => {
    const { theme } = readPreferences();
    document.documentElement.dataset.theme = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
  };
  dark.addEventListener("change", apply);
  onPreferences(apply);
  apply();
}
