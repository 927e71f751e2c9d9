import { record } from "@quire/agent";
import type { RecordType } from "@quire/agent/sessions";
import { z } from "zod";

/** A small state for tests. */
export const Plan: RecordType<{ id: string; steps: string[] }> = record(
  "test.plan",
  z.object({ id: z.string(), steps: z.array(z.string()) }),
);

/** An event for tests. */
export const StepAdded: RecordType<{ step: string }> = record("test.stepAdded", z.object({ step: z.string() }));

/** A log for tests. */
export const Note: RecordType<{ text: string }> = record("test.note", z.object({ text: z.string() }), {
  policy: "log",
});
