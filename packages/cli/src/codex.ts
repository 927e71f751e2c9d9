/** Entry of the launcher when it was started as `codex`: the same command under another name. */
import "./main.ts";
