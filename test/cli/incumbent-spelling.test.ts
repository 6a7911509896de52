import { expect, it } from "vitest";
import { translateSpelling } from "../../src/cli/incumbent-spelling.ts";

// As the command line of @codahq/packs-sdk 1.17.5 declares them.
it.each([
  ["build pack.ts --minify=false", "build pack.ts --no-minify"],
  ["build pack.ts --minify false", "build pack.ts --no-minify"],
  ["build pack.ts --minify --outputDir out", "build pack.ts --out-dir out"],
  ["build pack.ts --intermediateOutputDirectory tmp", "build pack.ts"],
  ["build pack.ts --timerStrategy=fake", "build pack.ts --timer-strategy=fake"],
  ["execute pack.ts Hello --fetch=false --vm=false", "execute pack.ts Hello --no-fetch"],
  ["execute pack.ts Hello --vm --fetch a b", "execute pack.ts Hello a b"],
  [
    "execute pack.ts T --dynamic_url https://a.example",
    "execute pack.ts T --dynamic-url https://a.example",
  ],
  ["execute pack.ts T --maxRows 5", "execute pack.ts T --max-rows 5"],
  ["execute pack.ts F -- --vm=false -n", "execute pack.ts F -- --vm=false -n"],
  ["auth pack.ts --oauthServerPort 3000", "auth pack.ts --port 3000"],
  ["auth pack.ts --extra_oauth_scopes=read", "auth pack.ts --scopes=read"],
  ["validate pack.ts --checkDeprecationWarnings=false", "validate pack.ts"],
  [
    "create pack.ts -n Tasks -d Todo -w ws-1",
    "create pack.ts --name Tasks --description Todo --workspace ws-1",
  ],
  ["upload pack.ts -n Fixes -o ./_upload_build", "upload pack.ts --notes Fixes"],
  [
    "upload pack.ts --apiToken abc --apiEndpoint a.example",
    "upload pack.ts --api-token abc --registry a.example",
  ],
  ["upload pack.ts --allowOlderSdkVersion", "upload pack.ts --allow-older-sdk-version"],
  ["release pack.ts 1.2 -n Fixes -g", "release pack.ts 1.2 --notes Fixes --git-tag"],
  ["release pack.ts --gitTag=false", "release pack.ts --no-git-tag"],
  ["build -o out pack.ts", "build -o out pack.ts"],
  ["execute pack.ts F -n", "execute pack.ts F -n"],
])("%s is %s", (older, ours) => {
  expect(translateSpelling(older.split(" "))).toEqual(ours.split(" "));
});
