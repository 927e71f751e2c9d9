/**
 * Environment variable that everything started for a run carries: the app-server, what it starts, and hooks. By it the
 * processes of an orchestrator that was killed are found by the next one.
 */
export const runMark = "QUIRE_RUN";
