import type { PublishJobView, PublishView } from "../../src/dev/wire/publish.ts";
import { writePackId } from "../../src/publish/registry/pack-id-file.ts";
import { saveToken } from "../../src/publish/registry/registry-token.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import {
  hello,
  packSource,
  startRegistry,
  type TestRegistry,
} from "../publish/registry/registry.ts";
import { type DevProject, startDevProject } from "./dev.ts";

/** packsmith dev of a Pack, next to a local registry. */
export interface PublishDev extends AsyncDisposable {
  dev: DevProject;
  registry: TestRegistry;
  cookie: string;
  packId(): number;
  /** Keeps a token in the vault, as packsmith login does. @param token the one of the registry */
  login(token?: string): Promise<void>;
  /** Links the project to the Pack of the registry. */
  link(): Promise<void>;
  /** Saves the Pack, and waits for its build. */
  save(source: string): Promise<void>;
  view(): Promise<PublishView>;
  job(): Promise<PublishJobView | null>;
  /** Starts a job as the page does, and waits for its end. */
  run(kind: PublishJobView["kind"], body?: object): Promise<PublishJobView>;
}

/** @param isReady the user is logged in, and the project is linked */
export async function startPublishDev({ isReady = false } = {}): Promise<PublishDev> {
  const registry = await startRegistry();
  const { registry: address } = registry.client;
  const files = {
    "pack.ts": packSource(hello()),
    "package.json": '{ "name": "greetings", "type": "module" }',
  };
  const dev = await startDevProject(files, { env: { PACKSMITH_REGISTRY: address.origin } });
  const { project, server } = dev;
  const launch = await fetch(server.createLink(), { redirect: "manual" });
  const places = {
    home: `${project.path}/.home`,
    databaseUrl: undefined,
    cwd: project.path,
    env: {},
    redactor: createRedactor(),
  };
  const publish: PublishDev = {
    dev,
    registry,
    cookie: launch.headers.get("set-cookie")?.split(";")[0] ?? "",
    packId: () => registry.packId,
    login: (token = registry.test.service.token) =>
      saveToken(address, token, "Ada", {
        ...places,
        keyStore: { prefer: "file", keychain: undefined },
      }),
    link: async () => void (await writePackId(project.path, address, registry.packId)),
    async save(source) {
      const { revision } = server.session.state();
      const built = new Promise<void>((resolve) => {
        server.session.onPack((state) => state.revision > revision && resolve());
      });
      project.write("pack.ts", source);
      await built;
    },
    view: async () => (await (await dev.get("/api/publish")).json()) as PublishView,
    job: async () => (await (await dev.get("/api/publish/job")).json()) as PublishJobView | null,
    async run(kind, body = {}) {
      let listening = () => {};
      const ended = new Promise<PublishJobView>((resolve) => {
        const end = server.session.events.listen((event) => {
          if (event.type !== "publish") return;
          void publish.job().then((job) => job !== null && job.state !== "running" && resolve(job));
        });
        listening = () => void end();
      });
      const started = await dev.post(`/api/publish/${kind}`, body);
      if (!started.ok) throw new Error(await started.text());
      const job = await ended;
      listening();
      return job;
    },
    async [Symbol.asyncDispose]() {
      await dev[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
    },
  };
  if (isReady) {
    await publish.login();
    await publish.link();
  }
  return publish;
}
