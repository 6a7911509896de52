import type { PackVersionSummary } from "../../../service/contract/registry/registry-models.ts";
import type { RegistryPackView } from "../../wire/publish.ts";
import { Button } from "../parts/button.tsx";
import { formatValue } from "../parts/format.ts";
import { Pill } from "../parts/layout.tsx";

interface VersionsProps {
  pack: RegistryPackView;
  canRelease: boolean;
  /** Asks whether to release the version. */
  onRelease: (version: string) => void;
}

/** The uploaded versions, the newest first. */
export function Versions({
  pack: { versions, released, hasMore },
  canRelease,
  onRelease,
}: VersionsProps) {
  return (
    <section class="card" aria-labelledby="publish-versions">
      <header>
        <h3 id="publish-versions">Versions</h3>
        <span class="quiet small">
          {released === undefined ? "not released to users yet" : `users have ${released}`}
        </span>
      </header>
      {versions.length === 0 && (
        <p class="quiet">No version yet. Upload your source to create the first version.</p>
      )}
      <ul class="list">
        {versions.map((each) => (
          <Version
            key={each.packVersion}
            each={each}
            canRelease={canRelease}
            onRelease={onRelease}
            isReleased={each.packVersion === released}
            isAgain={each.releaseId !== undefined}
          />
        ))}
      </ul>
      {hasMore && <p class="quiet small more">Older versions: packsmith versions</p>}
    </section>
  );
}

interface VersionProps extends Pick<VersionsProps, "canRelease" | "onRelease"> {
  each: PackVersionSummary;
  isReleased: boolean;
  /** It was released before. */
  isAgain: boolean;
}

function Version({
  each: { packVersion: version, buildNotes, createdAt, creationUserLoginId, releaseId },
  isReleased,
  isAgain,
  canRelease,
  onRelease,
}: VersionProps) {
  return (
    <li>
      <div class="row">
        <strong class="mono">{version}</strong>
        {isReleased ? (
          <Pill tone="good">released to users</Pill>
        ) : (
          isAgain && <Pill>release {releaseId}</Pill>
        )}
        {!isReleased && (
          <span class="end">
            <Button
              isSmall
              disabled={!canRelease}
              label={`Release ${version}`}
              onClick={() => onRelease(version)}
            >
              {isAgain ? "Release again…" : "Release…"}
            </Button>
          </span>
        )}
      </div>
      {buildNotes !== "" && <p class="wrap">{buildNotes}</p>}
      <p class="quiet small wrap">
        {formatValue(createdAt, { type: "string", hint: "datetime", options: {} })},{" "}
        {creationUserLoginId}
      </p>
    </li>
  );
}
