import { hasLongOption, hasShortOption, isOption, operands } from "./options.ts";

/**
 * Programs that only read and print, with any arguments. Not here: `test`, `[` and `printf`, whose arguments some
 * shells evaluate; `env`, `xargs`, `tee`, `tar`, `awk` and the like, which run or write.
 */
export const harmless: ReadonlySet<string> = new Set(
  (
    "basename cat cd cmp comm cut df diff dirname du echo egrep expr false fgrep fold grep head hexdump id ls md5sum nl " +
    "nproc od paste pwd readlink realpath rev seq sha1sum sha256sum sha512sum stat strings tac tail tr true uname uptime wc " +
    "which whoami"
  ).split(" "),
);

type Check = (args: readonly string[]) => boolean;

const findActions = new Set("-delete -exec -execdir -fls -fprint -fprint0 -fprintf -ok -okdir".split(" "));

/** Programs that are harmless with some arguments only. */
export const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["find", (args) => !args.some((word) => findActions.has(word))],
  // `--pre` and `--hostname-bin` run a program, `-z` runs decompressors.
  ["rg", (args) => !hasLongOption(args, ["--pre", "--hostname-bin", "--search-zip"]) && !hasShortOption(args, "z")],
  // `-o` writes, `-T` chooses a folder, `--compress-program` runs something.
  [
    "sort",
    (args) =>
      !hasShortOption(args, "oT") && !hasLongOption(args, ["--output", "--compress-program", "--temporary-directory"]),
  ],
  // The second operand is a file to write.
  ["uniq", (args) => operands(args, "fsw").length <= 1],
  // Any operand but a format sets the clock.
  ["date", (args) => args.every((word) => word.startsWith("+") || /^(-[uRI]|--utc|--rfc-email|-I\w+)$/.test(word))],
  [
    "file",
    (args) => args.every((word) => !isOption(word) || /^(-[biLh]+|--mime(-type|-encoding)?|--brief)$/.test(word)),
  ],
  ["sed", isTrustedSed],
]);

/** `sed -n` that prints lines by number: other commands of `sed` can write files and run programs. */
function isTrustedSed(args: readonly string[]): boolean {
  const [flag, script, ...files] = args;
  return (
    flag === "-n" &&
    /^\d+(,(\d+|\$))?p$/.test(script ?? "") &&
    files.length > 0 &&
    files.every((word) => !isOption(word))
  );
}
