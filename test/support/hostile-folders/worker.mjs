// Runs command lines of the built packsmith in this process, one after another, as its parent asks.
import { spawn } from "node:child_process";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";

const { runCli } = await import(pathToFileURL(process.argv[2]).href);

/** Speaks the protocol of assistants: the next call follows the answer to the one before. */
function runAssistant(main, args, stdin) {
  const child = spawn(process.execPath, [main, ...args], { stdio: "pipe" });
  const texts = { stdout: "", stderr: "" };
  const lines = stdin.trim().split("\n");
  const sendNext = () => {
    const line = lines.shift();
    if (line === undefined) return void child.stdin.end();
    child.stdin.write(`${line}\n`);
    if (JSON.parse(line).id === undefined) sendNext();
  };
  for (const name of ["stdout", "stderr"])
    child[name].on("data", (chunk) => {
      texts[name] = (texts[name] + chunk).slice(0, 1_000_000);
      if (name === "stdout" && String(chunk).includes("\n")) sendNext();
    });
  child.stdin.on("error", () => {});
  sendNext();
  child.on("close", (code) => process.send({ code: code ?? "ended by a signal", ...texts }));
}

process.on("message", async ({ args, stdin, until, cwd, main }) => {
  process.chdir(cwd);
  if (main !== undefined) return runAssistant(main, args, stdin);
  const texts = { stdout: "", stderr: "" };
  const collect = (name) => {
    const stream = new PassThrough();
    stream.on("data", (chunk) => {
      texts[name] = (texts[name] + chunk).slice(0, 200_000);
      if (until !== undefined && texts.stdout.includes("\n")) process.emit("SIGINT");
    });
    return stream;
  };
  const input = new PassThrough();
  input.end(stdin ?? "");
  const code = await runCli(args, {
    stdout: collect("stdout"),
    stderr: collect("stderr"),
    stdin: input,
    env: process.env,
    cwd,
  }).catch((error) => `thrown: ${error?.stack}`);
  process.send({ code, ...texts });
});
process.send("ready");
