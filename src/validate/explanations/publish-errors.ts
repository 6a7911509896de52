import type { PackErrorCode } from "../../errors.ts";
import type { ErrorExplanation } from "./explanation.ts";

/** Errors of publishing a Pack. */
export const publishErrorExplanations = {
  RELEASE_DETACHED: {
    meaning: "No git branch is checked out, so packsmith cannot commit the release.",
    why: "A commit without a branch is easily lost. Pipelines often check out a commit instead of a branch. Check out the branch, or commit the version before the pipeline runs and remove --commit.",
    bad: "git checkout --detach && packsmith release --commit",
    good: "git switch main && packsmith release --commit",
  },
  RELEASE_COMMIT_FAILED: {
    meaning: "git could not commit the version and the changelog.",
    why: "A hook rejected the commit, or git does not know your name and email address. packsmith restored the files. Fix the cause shown in the message, then run the command again.",
    bad: "packsmith release --commit",
    good: "git commit --allow-empty --message check && packsmith release --commit",
  },
  GIT_FAILED: {
    meaning: "git could not read the project's commit history.",
    why: "Usual causes: git is not installed, the folder belongs to another user (often in containers), or the clone is partial. For a partial clone, run git fetch. To release without git, pass --allow-dirty.",
    bad: "packsmith release",
    good: 'git config --global --add safe.directory "$PWD" && packsmith release',
  },
  RELEASE_UNCOMMITTED: {
    meaning: "The new version is not committed yet.",
    why: "packsmith publishes only committed code. To let packsmith commit the new version, pass --commit. Or write the version into the source, and commit the source yourself.",
    bad: "packsmith release --publish",
    good: "packsmith release --publish --commit",
  },
  REGISTRY_TOKEN_MISSING: {
    meaning: "There is no token for this registry.",
    why: "Create an API token in your account settings, then run packsmith login. In a pipeline, set PACKSMITH_REGISTRY_TOKEN. packsmith also reads CODA_PACKS_API_KEY and .coda.json.",
    bad: "packsmith upload",
    good: "packsmith login",
  },
  REGISTRY_TOKEN_REFUSED: {
    meaning: "The registry does not accept the token.",
    why: "The token was deleted, has expired, or belongs to another registry. Create a new token in your account settings, then run packsmith login again.",
    bad: "packsmith whoami",
    good: "packsmith login",
  },
  REGISTRY_FORBIDDEN: {
    meaning: "The Pack does not exist, or you do not have access to it.",
    why: "The registry returns the same error in both cases. Check the Pack ID in .coda-pack.json. Ask an administrator of the Pack for edit access, or log in as another user.",
    bad: "packsmith link 999999",
    good: "packsmith link 1001",
  },
  REGISTRY_UNREACHABLE: {
    meaning: "The registry did not respond.",
    why: "Either the network failed or the server is not running. Run the command again. The command then continues where it stopped and does not upload a version twice.",
    bad: "packsmith upload --registry http://127.0.0.1:1",
    good: "packsmith upload",
  },
  REGISTRY_FAILED: {
    meaning: "The registry rejected a request, or had an internal error.",
    why: "The message contains the registry's error. If the error describes a mistake in the Pack or the command, correct the mistake. If the server failed, run the command again later.",
    bad: "packsmith release --publish",
    good: "packsmith release --publish",
  },
  REGISTRY_URL_INVALID: {
    meaning: "The registry address is not valid.",
    why: "packsmith sends your token to the address of the registry. Pass an https URL. http is allowed only for a server on this machine.",
    bad: "packsmith login --registry http://docs.example",
    good: "packsmith login --registry https://docs.example",
  },
  INVITATION_UNKNOWN: {
    meaning: "No pending invitation has this ID.",
    why: "The invitation was accepted or declined, has expired, or is for another user. Run packsmith config invitations to list your invitations.",
    bad: "packsmith config accept 9999",
    good: "packsmith config invitations",
  },
  PACK_ID_MISSING: {
    meaning: "The Pack in this folder has no Pack ID for this registry.",
    why: "The file .coda-pack.json next to the Pack contains the Pack ID for each registry. To create a Pack, run packsmith create. To use an existing Pack, run packsmith link.",
    bad: "packsmith upload",
    good: "packsmith create",
  },
  PACK_ID_PRESENT: {
    meaning: "The folder is already linked to a Pack.",
    why: "You can link a folder to only one Pack. Put a second Pack into a separate folder. To link this folder to another Pack, pass --force.",
    bad: "packsmith create",
    good: "packsmith upload",
  },
  PACK_ID_INVALID: {
    meaning: "The text is neither a Pack ID nor the URL of a Pack.",
    why: "Pass the ID of the Pack, such as 1001, or the URL of its page.",
    bad: "packsmith link my-pack",
    good: "packsmith link 1001",
  },
  PACK_ID_FILE_INVALID: {
    meaning: "The file .coda-pack.json cannot be read.",
    why: "The file must be a JSON object with packId or environmentPackIds. Fix the file, or restore it from version control.",
    bad: "packsmith upload",
    good: "packsmith link 1001",
  },
  UPLOAD_REFUSED: {
    meaning: "The registry does not accept the version.",
    why: "The registry found problems in the Pack. The message lists the problems and, if possible, the lines in your source. Fix the problems, and upload the Pack again. You can use the same version number.",
    bad: "packsmith upload",
    good: "packsmith validate",
  },
  UPLOAD_UNSUPPORTED: {
    meaning: "The Pack uses options that only packsmith supports.",
    why: "The options work on this machine, but the registry ignores or rejects them. The message shows where each option is. To publish the Pack, remove the options.",
    bad: "packsmith upload",
    good: "packsmith build",
  },
  UPLOAD_TOO_LARGE: {
    meaning: "The upload is larger than the limit.",
    why: "The limit applies to the total size of the bundle, the source map and the metadata. Import fewer or smaller packages. Run packsmith build --why PACKAGE to see which imports include a package.",
    bad: "packsmith upload",
    good: "packsmith build --why lodash",
  },
  VERSION_EXISTS: {
    meaning: "The registry already has this version of the Pack.",
    why: "You cannot replace an uploaded version. Raise the version in the source. If the source has no version, packsmith asks the registry for the next version.",
    bad: 'newPack({ version: "1.0.0" })',
    good: 'newPack({ version: "1.0.1" })',
  },
  VERSION_OLDER: {
    meaning: "The version is lower than the Pack's newest version.",
    why: "A new version must be higher than all uploaded versions. Raise the version in the source. To release an older version again, run packsmith rollback.",
    bad: 'newPack({ version: "1.0.0" })',
    good: "packsmith rollback 1.0.0",
  },
  VERSION_UNKNOWN: {
    meaning: "The Pack does not have this version.",
    why: "You can release or compare only an uploaded version. Run packsmith versions to list the uploaded versions.",
    bad: "packsmith rollback 9.9.9",
    good: "packsmith versions",
  },
  SOURCE_MISSING: {
    meaning: "The registry does not have the source of this version.",
    why: "If a version was uploaded with a command, the registry usually does not have its source. Get the source from version control, then run packsmith link in its folder.",
    bad: "packsmith clone 1001",
    good: "packsmith link 1001",
  },
  CONFIG_INVALID: {
    meaning: "The listing configuration or one of its images is not valid.",
    why: "The message lists the wrong values. Correct the values in packsmith.config.json. Your editor can check the file with the JSON Schema packsmith.config.schema.json.",
    bad: "packsmith config plan",
    good: "packsmith config pull",
  },
} satisfies Partial<Record<PackErrorCode, ErrorExplanation>>;
