import type { PackErrorCode } from "../../errors.ts";
import type { ErrorExplanation } from "./explanation.ts";

/** Errors of publishing a Pack. */
export const publishErrorExplanations = {
  RELEASE_DETACHED: {
    meaning: "No branch is checked out, so the release cannot be committed.",
    why: "A commit outside of a branch is lost with the next checkout. Pipelines often check out a commit only: check out the branch there, or commit the version before the pipeline runs and leave out --commit.",
    bad: "git checkout --detach && packsmith release --commit",
    good: "git switch main && packsmith release --commit",
  },
  RELEASE_COMMIT_FAILED: {
    meaning: "git did not commit the version and the changelog.",
    why: "A hook refused the commit, or git does not know who you are. The files are as they were before.",
    bad: "packsmith release --commit",
    good: "git commit --allow-empty --message check && packsmith release --commit",
  },
  GIT_FAILED: {
    meaning: "git could not say what is committed, or could not give the files of a commit.",
    why: "A release contains only what is committed. git may not be installed, the folder may belong to another user, as in containers, or the clone is partial: packsmith never fetches, so run git fetch. Pass --allow-dirty to release without git.",
    bad: "packsmith release",
    good: 'git config --global --add safe.directory "$PWD" && packsmith release',
  },
  RELEASE_UNCOMMITTED: {
    meaning: "The version that would be published is not in a commit yet.",
    why: "What users get must be in the history. Pass --commit, so that packsmith commits the new version, or write it into the source and commit it yourself.",
    bad: "packsmith release --publish",
    good: "packsmith release --publish --commit",
  },
  REGISTRY_TOKEN_MISSING: {
    meaning: "There is no token for this registry.",
    why: "packsmith finds no token in the vault, in PACKSMITH_REGISTRY_TOKEN, in CODA_PACKS_API_KEY and in .coda.json. Make a token in the settings of your account, then run packsmith login. In a pipeline, set PACKSMITH_REGISTRY_TOKEN.",
    bad: "packsmith upload",
    good: "packsmith login",
  },
  REGISTRY_TOKEN_REFUSED: {
    meaning: "The registry does not accept the token.",
    why: "The token was deleted, has expired, or belongs to another registry. Make a new one in the settings of your account, then run packsmith login again.",
    bad: "packsmith whoami",
    good: "packsmith login",
  },
  REGISTRY_FORBIDDEN: {
    meaning: "You may not do this with the Pack, or there is no such Pack.",
    why: "The registry answers with the same status for both. Ask an administrator of the Pack for edit access, check the number in .coda-pack.json, or log in as another user.",
    bad: "packsmith link 999999",
    good: "packsmith link 1001",
  },
  REGISTRY_UNREACHABLE: {
    meaning: "The registry did not answer.",
    why: "The network failed, or the server is down. Nothing is uploaded twice: run the command again, and it continues where it was.",
    bad: "packsmith upload --registry http://127.0.0.1:1",
    good: "packsmith upload",
  },
  REGISTRY_FAILED: {
    meaning: "The registry refused a request, or failed.",
    why: "The message is the one of the registry. If it says that the request is wrong, change it; if the server failed, run the command again later.",
    bad: "packsmith release --publish",
    good: "packsmith release --publish",
  },
  REGISTRY_URL_INVALID: {
    meaning: "The address of the registry is not usable.",
    why: "The token goes to this address, so it must be https, or http on this machine.",
    bad: "packsmith login --registry http://docs.example",
    good: "packsmith login --registry https://docs.example",
  },
  INVITATION_UNKNOWN: {
    meaning: "No pending invitation has this id.",
    why: "An invitation is for the email address of the user who made the token. It is removed by a reply, and it expires.",
    bad: "packsmith config accept 9999",
    good: "packsmith config invitations",
  },
  PACK_ID_MISSING: {
    meaning: "The folder of the Pack has no id of a Pack for this registry.",
    why: "The file .coda-pack.json next to the Pack names the Pack in each registry. Create a Pack, or link the folder to one that exists.",
    bad: "packsmith upload",
    good: "packsmith create",
  },
  PACK_ID_PRESENT: {
    meaning: "The folder is linked to a Pack already.",
    why: "Two Packs in one folder would overwrite each other. Put the second Pack into a folder of its own, or pass --force to link the folder to another Pack.",
    bad: "packsmith create",
    good: "packsmith upload",
  },
  PACK_ID_INVALID: {
    meaning: "The text is neither the id nor the address of a Pack.",
    why: "Pass the number of the Pack, or the address of its page.",
    bad: "packsmith link my-pack",
    good: "packsmith link 1001",
  },
  PACK_ID_FILE_INVALID: {
    meaning: "The file .coda-pack.json cannot be read.",
    why: "It must be a JSON object with a packId or environmentPackIds. Fix it, or restore it from version control.",
    bad: "packsmith upload",
    good: "packsmith link 1001",
  },
  UPLOAD_REFUSED: {
    meaning: "The registry does not accept the version.",
    why: "The registry validates each upload. The problems are shown with the lines of your source when they are known. What is certain to be refused, such as eval( or an old name of a member, is not sent at all. Fix them and upload again: the version is still free.",
    bad: "packsmith upload",
    good: "packsmith validate",
  },
  UPLOAD_UNSUPPORTED: {
    meaning: "The Pack uses members that only packsmith knows.",
    why: "They work on this machine, but the platform would ignore or refuse them. The message names their places. Remove them to publish the Pack.",
    bad: "packsmith upload",
    good: "packsmith build",
  },
  UPLOAD_TOO_LARGE: {
    meaning: "The upload is larger than the limit.",
    why: "Bundle, source map and metadata go up together. Import less, or build with --minify, which is the default.",
    bad: "packsmith upload",
    good: "packsmith build --why lodash",
  },
  VERSION_EXISTS: {
    meaning: "The Pack has this version already.",
    why: "A version never changes. Raise the version in the source, or leave it out: then packsmith asks the registry for the next one.",
    bad: 'newPack({ version: "1.0.0" })',
    good: 'newPack({ version: "1.0.1" })',
  },
  VERSION_OLDER: {
    meaning: "The version is older than the newest version of the Pack.",
    why: "Versions only go up. Raise the version in the source. To give users an older version again, run packsmith rollback.",
    bad: 'newPack({ version: "1.0.0" })',
    good: "packsmith rollback 1.0.0",
  },
  VERSION_UNKNOWN: {
    meaning: "The Pack does not have this version.",
    why: "Only a version that was uploaded can be released or compared. packsmith versions lists them.",
    bad: "packsmith rollback 9.9.9",
    good: "packsmith versions",
  },
  SOURCE_MISSING: {
    meaning: "The registry does not have the source of this version.",
    why: "Versions that a command line uploaded usually have no source there. Get the source from version control, then link its folder.",
    bad: "packsmith clone 1001",
    good: "packsmith link 1001",
  },
  CONFIG_INVALID: {
    meaning: "The configuration of the listing has a mistake.",
    why: "The message names each member. The JSON Schema packsmith.config.schema.json describes the file.",
    bad: "packsmith config plan",
    good: "packsmith config pull",
  },
} satisfies Partial<Record<PackErrorCode, ErrorExplanation>>;
