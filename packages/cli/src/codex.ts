/** Where the launcher begins when it was started as `codex`: the same command, by another name. */
import "./main.ts";
