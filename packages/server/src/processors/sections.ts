import type { ThreadSection } from "@quire/protocol";
import type { Handlers } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { coreOf } from "../features/open-core.ts";
import { invalidParams } from "../lib/rpc-errors.ts";

const defaultPage = 100;

/** Sections that threads are sorted into. */
export const handlers: Handlers = {
  "threadSection/list": ({ cursor, limit }, { server }) => {
    const all = sections(server).list();
    const after = cursor ?? null;
    const at = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const rest = after !== null && at === 0 ? [] : all.slice(at);
    const data = rest.slice(0, Math.max(1, limit ?? defaultPage));
    return { data, nextCursor: rest.length > data.length ? (data.at(-1)?.id ?? null) : null };
  },

  "threadSection/create": ({ name, appearance }, { server }) => ({
    section: sections(server).create(checkedName(name), appearance ?? null),
  }),

  "threadSection/update": ({ sectionId, name, appearance }, { server }) => {
    const words = checkedName(name);
    find(server, sectionId);
    return { section: sections(server).update(sectionId, words, appearance ?? null) };
  },

  "threadSection/delete": ({ sectionId }, { server }) => {
    find(server, sectionId);
    sections(server).delete(sectionId);
    return {};
  },
};

const sections = (server: ServerContext) => coreOf(server).state.tables.sections;

function find(server: ServerContext, sectionId: string): ThreadSection {
  const section = sections(server).get(sectionId);
  if (!section) throw invalidParams(`thread section not found: ${sectionId}`);
  return section;
}

function checkedName(given: string): string {
  const name = given.trim();
  if (name === "") throw invalidParams("section name must not be empty");
  return name;
}
