import type { Logger } from "../lib/logger.ts";

interface Closable {
  [Symbol.asyncDispose]?: () => unknown;
  [Symbol.dispose]?: () => unknown;
  close?: () => unknown;
}

/** Closes instances, the last one made first. That one fails is logged, and keeps none of the others open. */
export async function closeInstances(
  made: readonly { name: string; instance: unknown }[],
  logger?: Logger,
): Promise<void> {
  for (const { name, instance } of [...made].reverse()) {
    try {
      await closeInstance(instance);
    } catch (error) {
      logger?.warn?.(`The resource "${name}" could not be closed`, error);
    }
  }
}

async function closeInstance(instance: unknown): Promise<void> {
  if (typeof instance !== "object" || instance === null) return;
  const closable = instance as Closable;
  const close = closable[Symbol.asyncDispose] ?? closable[Symbol.dispose] ?? closable.close;
  if (typeof close === "function") await close.call(instance);
}
