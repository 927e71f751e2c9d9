/**
 * Options that keep Bun from reading `.env`, `bunfig.toml` and `tsconfig.json` of the folder it is started in, which is
 * not ours. The launcher has the same ones.
 */
export const bunFlags: readonly string[] = [
  "--no-env-file",
  "--no-install",
  "--config=/dev/null",
  "--tsconfig-override=/dev/null",
];
