/** What newcomers write, and the words that the pages use for it. */
const SYNONYMS: readonly [asked: RegExp, words: string][] = [
  [/\bpaginat\w*|\bcursor\b|\binfinite scroll/, "pages continuation"],
  [/\bthrottl\w*|\brate.?limit\w*|\b429\b|\btoo many requests/, "rate limit stay below retry"],
  [/\brefresh\w*|\bexpir\w*/, "refresh token account connect OAuth"],
  [/\bcallback\b|\blocalhost\b|\bredirect ur[il]s?\b/, "redirect URI OAuth account connect"],
  [/\bmismatch\w*/, "fails"],
  [/\bpictures?|\bphotos?|\bthumbnails?|\bavatars?/, "image images"],
  [/\bcards?\b/, "card titleProperty snippetProperty schemas"],
  [
    /\btwo.?way\b|\bbidirectional\b|\bwrite back\b|\beditable\b/,
    "executeUpdate sync tables edit rows",
  ],
  [
    /\bci\b|\bcontinuous integration|\bgithub actions?|\bgitlab\b/,
    "pipeline pipelines GitHub Actions",
  ],
  [/\bdeploy\w*|\bship\b|\bdistribut\w*|\bgo live\b/, "publishing publish upload"],
  [/\bunit.?tests?\b|\bfake\b|\bstubs?\b|\bmock\w*/, "testing test mock"],
  [/\bbreakpoints?|\bstep (?:through|over|into)|\bdebug\w*/, "debugging debugger inspect"],
  [
    /\bmigrat\w*|\bmove\b|\bport(?:ing)?\b|\bcoda\b|\bpacks.sdk\b/,
    "migrating set up project codahq",
  ],
  [/\bcredentials?|\bsaved?\b|\bdisk\b|\bkeychain\b/, "accounts stored vault"],
  [/\bapi.?keys?\b|\bbearer\b|\bauthenticat\w*/, "accounts authentication header"],
  [/\bdownload\w*|\bupload(?:ed|ing)? (?:a )?files?|\btemporar\w*/, "blobs temporaryBlobStorage"],
  [/\bdropdowns?|\bchoices?\b|\bpick ?lists?\b|\bsuggestions?\b/, "autocomplete parameters"],
  [/\broll ?backs?\b|\brevert\w*|\bundo\b/, "go back release releases"],
  [
    /\bmonorepo\w*|\bworkspaces?\b|\b(?:several|many|multiple) packs\b/,
    "many Packs pipelines one command",
  ],
  [/\blogs?\b|\bconsole\b/, "logs"],
  [/\bassistants?\b|\bmcp\b|\bllms?\b/, "tools for assistants MCP server"],
  [/\bslow\b|\bfaster?\b|\bspeed\b/, "performance"],
];

/** Words that fit the question, in addition to its own. */
export function findSynonyms(question: string): string {
  const text = question.toLowerCase();
  return SYNONYMS.filter(([asked]) => asked.test(text))
    .map(([, words]) => words)
    .join(" ");
}
