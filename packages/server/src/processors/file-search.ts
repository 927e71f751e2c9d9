import type { Client } from "../context/client.ts";
import type { Handlers } from "../context/processor.ts";
import { service } from "../context/services.ts";
import { afterReply } from "../lib/after-reply.ts";
import { internalError, invalidRequest } from "../lib/rpc-errors.ts";
import { Search, searchOnce } from "../search/search.ts";

/** Open searches of one client. One more is refused. */
const maxSessions = 64;

/** The searches of one connection: those while a user types, and single ones that a later one replaces. */
class Searches {
  readonly sessions = new Map<string, Search>();
  readonly single = new Map<string, AbortController>();

  constructor(connection: Client) {
    connection.onEnd(() => {
      for (const search of this.sessions.values()) search.close();
      this.sessions.clear();
    });
  }

  stop(sessionId: string): void {
    this.sessions.get(sessionId)?.close();
    this.sessions.delete(sessionId);
  }
}

const searches = service((connection: Client) => new Searches(connection));

const searchesOf = (connection: Client): Searches => connection.services.get(searches);

/** Files by a few letters of their path. */
export const handlers: Handlers = {
  fuzzyFileSearch: async ({ query, roots, cancellationToken }, { connection, server, signal }) => {
    if (query === "") return { files: [] };
    const { single } = searchesOf(connection);
    const replaced = new AbortController();
    const token = cancellationToken ?? undefined;
    if (token !== undefined) {
      single.get(token)?.abort();
      single.set(token, replaced);
    }
    try {
      const either = AbortSignal.any([signal, replaced.signal]);
      return { files: await searchOnce(roots, query, { env: server.env, signal: either }) };
    } finally {
      if (token !== undefined && single.get(token) === replaced) single.delete(token);
    }
  },

  "fuzzyFileSearch/sessionStart": ({ sessionId, roots }, { connection, server }) => {
    if (sessionId === "") throw invalidRequest("sessionId must not be empty");
    if (roots.length === 0) {
      throw internalError("failed to start fuzzy file search session: at least one search directory is required");
    }
    const searches = searchesOf(connection);
    searches.stop(sessionId);
    if (searches.sessions.size >= maxSessions) {
      throw invalidRequest(`${maxSessions} searches are open: end some with fuzzyFileSearch/sessionStop`);
    }
    const search = new Search(roots, server.env, {
      onUpdate: (query, files) => connection.notify("fuzzyFileSearch/sessionUpdated", { sessionId, query, files }),
      onComplete: () => connection.notify("fuzzyFileSearch/sessionCompleted", { sessionId }),
    });
    searches.sessions.set(sessionId, search);
    afterReply(() => void search.find(""));
    return {};
  },

  "fuzzyFileSearch/sessionUpdate": ({ sessionId, query }, { connection }) => {
    const search = searchesOf(connection).sessions.get(sessionId);
    if (search === undefined) throw invalidRequest(`fuzzy file search session not found: ${sessionId}`);
    afterReply(() => void search.find(query));
    return {};
  },

  "fuzzyFileSearch/sessionStop": ({ sessionId }, { connection }) => {
    searchesOf(connection).stop(sessionId);
    return {};
  },
};
