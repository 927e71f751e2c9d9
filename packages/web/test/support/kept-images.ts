import type { Page } from "playwright-core";

/** Names of the images that the browser keeps for drafts. */
export function keptImages(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open("quire-drafts");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const rows = opening.result.transaction("images").objectStore("images").getAll();
          rows.onsuccess = () => resolve(rows.result.flatMap(({ images }) => images.map(({ name }: File) => name)));
          rows.onerror = () => reject(rows.error);
          rows.transaction?.addEventListener("complete", () => opening.result.close());
        };
      }),
  );
}
