import { useState } from "preact/hooks";
import type { RunView } from "../../wire/run.ts";
import { Button } from "../parts/button.tsx";
import { safeLink } from "../parts/format.ts";
import { JsonTree } from "../parts/json-tree.tsx";
import { ExternalLink } from "../parts/markdown.tsx";
import { ValueResult } from "../run/result-panel.tsx";
import { type ContentBlock, shownBlocks } from "./tool-content.ts";

/** What a tool returned: its blocks as what they are, and its structured content. */
export function ToolResult({ run }: { run: RunView }) {
  const [isData, setIsData] = useState(false);
  if (run.excerpt !== undefined) return <ValueResult run={run} />;
  const { blocks, structured, isError } = shownBlocks(run.value);
  return (
    <div class="stack tight">
      {isError && (
        <div class="notice bad" role="alert">
          <p class="title">The tool failed.</p>
          <p class="hint">
            The server ran the tool, and the tool reported an error. Its output is below.
          </p>
        </div>
      )}
      <div class="value stack tight">
        {isData ? (
          <JsonTree value={run.value} />
        ) : (
          blocks.map((block, index) => <Block key={index} block={block} />)
        )}
        {!isData && structured !== undefined && (
          <section class="stack tight" aria-label="Structured content">
            <h4>Structured content</h4>
            <JsonTree value={structured} />
          </section>
        )}
        {!isData && blocks.length === 0 && structured === undefined && (
          <p class="quiet">The tool did not return anything.</p>
        )}
      </div>
      <div class="row">
        <Button isSmall kind="plain" isPressed={isData} onClick={() => setIsData(!isData)}>
          {isData ? "Show the content" : "Show as data"}
        </Button>
      </div>
    </div>
  );
}

function Block({ block }: { block: ContentBlock }) {
  switch (block.kind) {
    case "text":
      return <p class="wrap lines">{block.text}</p>;
    case "data":
      return <JsonTree value={block.value} />;
    case "image":
      return <img src={block.url} alt="Returned by the tool" />;
    case "link":
      return (
        <p class="wrap">
          {safeLink(block.uri) === undefined ? (
            <span class="mono">{block.uri}</span>
          ) : (
            <ExternalLink href={block.uri}>{block.title}</ExternalLink>
          )}
          {block.description !== "" && <span class="quiet"> {block.description}</span>}
        </p>
      );
  }
}
