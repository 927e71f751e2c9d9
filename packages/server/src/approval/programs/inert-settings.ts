import type { GitSetting } from "../../git/config-file.ts";

/** Sections that run no program when git only reads. */
const inertSections = new Set(
  (
    "advice alias am apply blame branch checkout clean color column commit credential fetch format gc gui http i18n index init " +
    "lfs maintenance notes pack pull push rebase receive rerere sequence stash submodule tag transfer url user"
  ).split(" "),
);

/** Settings of other sections that run nothing. */
const inertSettings: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>({
    // Watchers and hooks are switched off for what only looks; editors and remote shells are not used by it.
    core: (
      "abbrev askpass autocrlf bare bigfilethreshold checkstat commitgraph compression deltabasecachelimit editor eol " +
      "excludesfile filemode fscache fsmonitor fsyncobjectfiles fsync hidedotfiles hookspath ignorecase logallrefupdates " +
      "longpaths loosecompression multipackindex preloadindex precomposeunicode protecthfs protectntfs quotepath " +
      "repositoryformatversion safecrlf sharedrepository sparsecheckout sparsecheckoutcone splitindex sshcommand symlinks " +
      "trustctime untrackedcache usereplacerefs warnambiguousrefs whitespace"
    ).split(" "),
    diff: (
      "algorithm autorefreshindex colormoved colormovedws context dirstat dstprefix indentheuristic interhunkcontext " +
      "mnemonicprefix noprefix relative renamelimit renames srcprefix statgraphwidth suppressblankempty tool wordregex wserrorhighlight"
    ).split(" "),
    extensions:
      "compatobjectformat noop objectformat preciousobjects refstorage relativeworktrees worktreeconfig".split(" "),
    log: "abbrevcommit date decorate diffmerges excludedecoration follow graphcolors mailmap showroot".split(" "),
    merge: "conflictstyle defaulttoupstream ff log renamelimit renames stat tool verbosity".split(" "),
    remote:
      "fetch followremotehead mirror prune prunetags push pushdefault pushurl skipdefaultupdate skipfetchall tagopt url".split(
        " ",
      ),
    status:
      "aheadbehind branch displaycommentprefix relativepaths renamelimit renames short showstash showuntrackedfiles".split(
        " ",
      ),
  }),
);

/** Settings of a diff driver that run nothing. */
const inertOfDriver = ["algorithm", "binary", "wordregex", "xfuncname", "funcname"];

/** True when a setting of a repository runs nothing while git only reads. Unknown ones might. */
export function isInert({ section, subsection, key }: GitSetting): boolean {
  if (section === "diff" && subsection !== undefined) return inertOfDriver.includes(key);
  if (section === "merge" && subsection !== undefined) return false;
  return inertSections.has(section) || inertSettings.get(section)?.includes(key) === true;
}
