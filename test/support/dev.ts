import type { Page } from "playwright-core";
import { type DevServer, type DevServerOptions, startDevServer } from "../../src/dev/dev-server.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { makeProject, type ProjectFolder } from "./project.ts";

export interface DevProject extends AsyncDisposable {
  project: ProjectFolder;
  server: DevServer;
  /** Asks as the page does, with its cookie and token. */
  get(path: string): Promise<Response>;
  post(path: string, body?: unknown, signal?: AbortSignal): Promise<Response>;
}

/** Starts the page of a Pack that lies in a temporary folder, with a vault of its own in it. */
export async function startDevProject(
  files: Readonly<Record<string, string>>,
  options: Partial<DevServerOptions> = {},
): Promise<DevProject> {
  const project = makeProject(files);
  const server = await startDevServer({
    file: "pack.ts",
    cwd: project.path,
    home: `${project.path}/.home`,
    redactor: createRedactor(),
    ...options,
  });
  const launch = await fetch(server.createLink(), { redirect: "manual" });
  const cookie = launch.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = await (await fetch(server.origin, { headers: { cookie } })).text();
  const token = /name="packsmith-token" content="([^"]+)"/.exec(page)?.[1] ?? "";
  return {
    project,
    server,
    get: (path) => fetch(server.origin + path, { headers: { cookie } }),
    post: (path, body = {}, signal) =>
      fetch(server.origin + path, {
        method: "POST",
        headers: {
          cookie,
          origin: server.origin,
          "x-packsmith-token": token,
          "content-type": "application/json",
        },
        body: JSON.stringify(body),
        signal: signal ?? null,
      }),
    async [Symbol.asyncDispose]() {
      await server.close();
      project[Symbol.dispose]();
    },
  };
}

/** Fails the test when the page logs an error: a refused script or style, an exception. */
export function collectPageErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  return errors;
}
