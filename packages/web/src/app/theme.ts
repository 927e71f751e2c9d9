import { onPreferences, type Preferences, readPreferences } from "../side-panel/index.ts";

/** Themes that are others in other surfaces: scripts only tell dark from light. */
const basis: Readonly<Record<string, "dark" | "light">> = {
  dark: "dark",
  midnight: "dark",
  light: "light",
  paper: "light",
};

const scales: Readonly<Record<Preferences["fontSize"], number>> = { small: 0.92, normal: 1, large: 1.12, larger: 1.28 };
/** Sizes of the text as the tokens have them, in pixels. */
const sizes = { xs: 11, sm: 12, md: 13, lg: 14, xl: 16, "2xl": 20 };

/** Keeps the root's `data-theme` and the size of its text at what the user chose, or at what the system prefers. */
export function followTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const apply = (): void => {
    const { theme, fontSize } = readPreferences();
    root.dataset.theme = basis[theme] ?? (dark.matches ? "dark" : "light");
    root.dataset.palette = theme;
    const scale = scales[fontSize];
    for (const [name, size] of Object.entries(sizes)) {
      if (scale === 1) root.style.removeProperty(`--text-${name}`);
      else root.style.setProperty(`--text-${name}`, `${Math.round(size * scale * 10) / 10}px`);
    }
  };
  dark.addEventListener("change", apply);
  onPreferences(apply);
  apply();
}
