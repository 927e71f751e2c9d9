const allowed = new Set(["http:", "https:", "mailto:"]);
const imageData = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[A-Za-z0-9+/=\s]*$/;

/** The address of a link that may be followed; null for scripts, files, relative paths and whatever else there is. */
export function safeLink(href: string): string | null {
  try {
    const url = new URL(href.trim());
    return allowed.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** An image that is shown without asking any server for it. SVG is not among them: it can hold a whole document. */
export const safeImage = (source: string): string | null => (imageData.test(source) ? source : null);
