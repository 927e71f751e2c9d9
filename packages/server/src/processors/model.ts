import { listModels } from "../config/catalogue.ts";
import type { Handlers } from "../context/processor.ts";
import { coreOf } from "../features/open-core.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { namedProvider } from "./model-providers.ts";

/** Models that can be chosen. */
export const handlers: Handlers = {
  "model/list": ({ includeHidden, limit, cursor, modelProvider }, { server }) => {
    namedProvider(server, modelProvider);
    const { model } = coreOf(server).config.lasting({ cwd: process.cwd() });
    const all = listModels({ includeHidden: includeHidden === true, defaultModel: model });
    const start = cursor ? Number(cursor) : 0;
    if (!Number.isInteger(start) || start < 0 || start > all.length) throw invalidRequest(`invalid cursor: ${cursor}`);
    const end = start + Math.max(1, limit ?? all.length);
    return { data: all.slice(start, end), nextCursor: end < all.length ? String(end) : null };
  },
};
