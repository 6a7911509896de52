import { useState } from "preact/hooks";
import type {
  FlowMessageView,
  FlowState,
  FlowView,
  Lane,
  MessagePart,
} from "../../wire/accounts.ts";
import { highlightJson } from "../parts/highlight.ts";
import { Name } from "../parts/name.tsx";
import { Tokens } from "../parts/tokens.tsx";

/**
 * The messages of a connection as a sequence diagram, which grows as they arrive. Each message can
 * be opened.
 */
export function Sequence({ flow, isWaiting }: { flow: FlowView; isWaiting: boolean }) {
  const { messages } = flow;
  // A participant without a message yet has no column.
  const lanes = flow.lanes.filter(({ lane }) =>
    messages.some(({ from, to }) => from === lane || to === lane),
  );
  const place = (lane: Lane) =>
    Math.max(
      0,
      lanes.findIndex((candidate) => candidate.lane === lane),
    );
  const title = (lane: Lane) => lanes.find((candidate) => candidate.lane === lane)?.title ?? lane;
  return (
    <div class="sequence" style={{ "--lanes": Math.max(1, lanes.length) }}>
      <div class="heads" aria-hidden="true" hidden={lanes.length === 0}>
        {lanes.map(({ lane, title: name, host }) => (
          <div key={lane} class="head">
            <strong>{name}</strong>
            <span class="host mono">{host}</span>
          </div>
        ))}
      </div>
      <ol aria-label="Messages of this connection">
        {messages.map((message, index) => (
          <Message
            key={index}
            message={message}
            from={place(message.from)}
            to={place(message.to)}
            spoken={
              message.kind === "note"
                ? title(message.from)
                : `${title(message.from)} to ${title(message.to)}`
            }
          />
        ))}
        {isWaiting && (
          <li class="pending">
            <span class="spinner" aria-hidden="true" /> {PENDING[flow.state] ?? "working"}
          </li>
        )}
      </ol>
    </div>
  );
}

const PENDING: Partial<Record<FlowState, string>> = {
  waiting: "waiting for the user",
  choosing: "waiting for your choice",
};

interface MessageProps {
  message: FlowMessageView;
  /** Indexes of the two columns. */
  from: number;
  to: number;
  spoken: string;
}

function Message({ message, from, to, spoken }: MessageProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { kind, title, detail, durationMs, isFailed, parts } = message;
  const meta = [
    ...(detail === undefined ? [] : [detail]),
    ...(durationMs === undefined ? [] : [`${Math.round(durationMs)} ms`]),
  ].join(" · ");
  const classes = [
    "message",
    kind,
    to < from ? "leftwards" : "rightwards",
    ...(isFailed ? ["failed"] : []),
  ];
  const span =
    kind === "note"
      ? `${2 * from + 1} / span 2`
      : `${2 * Math.min(from, to) + 2} / ${2 * Math.max(from, to) + 2}`;
  const content = (
    <span class="arrow" style={{ gridColumn: span }}>
      <span class="visually-hidden">{spoken}: </span>
      <span class="text">{title}</span>
      {meta !== "" && <span class="meta">{meta}</span>}
    </span>
  );
  if (parts.length === 0)
    return (
      <li class={classes.join(" ")}>
        <div class="track">{content}</div>
      </li>
    );
  return (
    <li class={classes.join(" ")}>
      <button type="button" class="track" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {content}
      </button>
      {isOpen && (
        <div class="detail">
          {parts.map((part) => (
            <Part key={part.title} part={part} />
          ))}
        </div>
      )}
    </li>
  );
}

/** Headers, parameters or a body. */
export function Part({ part: { title, rows, text } }: { part: MessagePart }) {
  return (
    <section>
      <h4>{title}</h4>
      {rows.length > 0 && (
        <dl class="facts mono">
          {rows.map(([name, value], index) => (
            <div key={index} class="fact">
              <dt>{name}</dt>
              <dd>{/^https?:/.test(value) ? <Name text={value} /> : value}</dd>
            </div>
          ))}
        </dl>
      )}
      {text !== undefined && (
        <pre class="block" tabIndex={0} role="region" aria-label={title}>
          <Tokens tokens={highlightJson(text)} />
        </pre>
      )}
    </section>
  );
}
