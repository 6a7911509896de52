/** What a command line printed, and how it ended. */
export interface CliRun {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The one JSON document on stdout. */
  json: <Shape = Record<string, unknown>>() => Shape;
}

export function createRun(code: number | null, stdout: string, stderr: string): CliRun {
  return { code, stdout, stderr, json: () => parseOne(stdout, stderr) };
}

function parseOne<Shape>(stdout: string, stderr: string): Shape {
  const lines = stdout.trimEnd().split("\n");
  if (lines.length !== 1)
    throw new Error(`Expected one JSON document on stdout and got: ${stdout}\n${stderr}`);
  return JSON.parse(lines[0] ?? "") as Shape;
}
