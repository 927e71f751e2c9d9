import type { WebSearchAction } from "@quire/protocol";
import { Globe } from "lucide-react";
import { itemWords } from "../../words/words.ts";
import { Activity } from "../activity.tsx";
import { clipped, plural } from "../format.ts";
import { itemDuration } from "../item-duration.ts";
import type { ItemProps } from "../item-props.ts";
import { JsonView } from "../json-view.tsx";
import { safeLink } from "../markdown/safe-url.ts";
import { WebLink } from "../markdown/web-link.tsx";

/** A search of the web, or a page that was opened. */
export function WebSearch({ item, state }: ItemProps<"webSearch">) {
  const [title, detail] = words(item.action ?? null, item.query);
  const results = item.results ?? [];
  return (
    <Activity
      icon={Globe}
      title={state.done ? title : itemWords.searchingWeb}
      detail={clipped(detail, 200)}
      status={state.done ? "done" : "running"}
      facts={[...(results.length > 0 ? [plural(results.length, "result")] : []), ...itemDuration(state)]}
      foldKey={item.id}
    >
      {results.length > 0 && (
        <ol className="items-results">
          {results.map((result, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: results have no other name
            <Result key={index} result={result} foldKey={`${item.id}/${index}`} />
          ))}
        </ol>
      )}
    </Activity>
  );
}

function words(action: WebSearchAction | null, query: string): readonly [string, string] {
  if (action?.type === "openPage") return [itemWords.opened, action.url ?? query];
  if (action?.type === "findInPage")
    return [itemWords.lookedFor, `${action.pattern ?? query} in ${action.url ?? "the page"}`];
  const queries = action?.type === "search" ? (action.queries ?? [action.query ?? query]) : [query];
  return [itemWords.searchedWeb, queries.filter((each) => each !== "").join(" · ")];
}

function Result({ result, foldKey }: { readonly result: unknown; readonly foldKey: string }) {
  const { url, title } = typeof result === "object" && result !== null ? (result as Record<string, unknown>) : {};
  const link = typeof url === "string" ? safeLink(url) : null;
  if (link === null) {
    return (
      <li>
        <JsonView data={result} foldKey={foldKey} />
      </li>
    );
  }
  return (
    <li>
      <WebLink href={link} text={typeof title === "string" && title !== "" ? title : link} />
    </li>
  );
}
