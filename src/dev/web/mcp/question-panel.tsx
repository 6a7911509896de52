import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { AnswerProblems, ElicitedValue, QuestionView } from "../../wire/mcp.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { ExternalLink } from "../parts/markdown.tsx";
import { useFirstProblem } from "../parts/use-first-problem.ts";
import { type Action, useAction } from "../use-server.ts";
import { type Answers, answeredContent, initialAnswers } from "./question-answers.ts";
import { QuestionField } from "./question-field.tsx";

type FormQuestion = Extract<QuestionView, { mode: "form" }>;
type UrlQuestion = Extract<QuestionView, { mode: "url" }>;

/** What the server of a running tool asks. The key of this component is the question's ID. */
export function QuestionPanel({ question }: { question: QuestionView }) {
  const action = useAction<AnswerProblems>();
  const answer = (body: object): void =>
    void action.run(() => post<AnswerProblems>(`/api/mcp/questions/${question.id}`, body));
  const parts = { action, answer };
  return question.mode === "url" ? (
    <Visit {...parts} question={question} />
  ) : (
    <Form {...parts} question={question} />
  );
}

interface PartProps<Question> {
  question: Question;
  action: Action<AnswerProblems>;
  answer: (body: object) => void;
}

/** Shows what is sent while it is entered. */
function Form({ question, action, answer }: PartProps<FormQuestion>) {
  const { fields, server } = question;
  const [answers, setAnswers] = useState<Answers>(() => initialAnswers(fields));
  const problems = action.answer?.problems ?? {};
  const form = useFirstProblem(action.answer);
  const content = answeredContent(fields, answers);
  const change = (name: string, value: ElicitedValue | undefined): void =>
    setAnswers({ ...answers, [name]: value });
  return (
    <form
      ref={form}
      class="notice warn stack"
      aria-label={`${server} asks`}
      onSubmit={(event) => {
        event.preventDefault();
        answer({ action: "accept", content });
      }}
    >
      <Asking question={question} />
      {fields.map((field) => (
        <QuestionField
          key={field.name}
          field={field}
          value={answers[field.name]}
          onValue={(value) => change(field.name, value)}
          problem={problems[field.name]}
        />
      ))}
      <section class="stack tight" aria-label="Data to send">
        <p class="hint">packsmith sends this answer to {server}:</p>
        <pre class="block" tabIndex={0} role="region" aria-label="Answer">
          {JSON.stringify(content, undefined, 2)}
        </pre>
      </section>
      <FailureNotice failure={action.failure} />
      <Buttons answer={answer} isBusy={action.isBusy}>
        <Button type="submit" kind="primary" isBusy={action.isBusy}>
          Send
        </Button>
      </Buttons>
    </form>
  );
}

/** The page opens when the user chooses the link, which shows where it leads. */
function Visit({ question, action, answer }: PartProps<UrlQuestion>) {
  const { url, server } = question;
  const { host } = new URL(url);
  return (
    <section class="notice warn stack" aria-label={`${server} asks`}>
      <Asking question={question} />
      <p class="wrap">
        The server asks you to visit <strong class="mono">{host}</strong>. packsmith does not see
        what you enter on that website.
      </p>
      {/(^|\.)xn--/.test(host) && (
        <p class="problem">
          This domain may contain letters that look like other letters. Check the domain carefully.
        </p>
      )}
      <pre class="block" tabIndex={0} role="region" aria-label="Address">
        {url}
      </pre>
      <p>
        <ExternalLink href={url}>Open {host}</ExternalLink>
      </p>
      <FailureNotice failure={action.failure} />
      <Buttons answer={answer} isBusy={action.isBusy}>
        <Button
          kind="primary"
          isBusy={action.isBusy}
          onClick={() => answer({ action: "accept", content: {} })}
        >
          I have finished on this website
        </Button>
      </Buttons>
    </section>
  );
}

function Asking({ question: { server, message } }: { question: QuestionView }) {
  return (
    <div>
      <p class="title">
        <span class="mono">{server}</span> asks
      </p>
      <p class="wrap lines">{message}</p>
    </div>
  );
}

interface ButtonsProps {
  answer: (body: object) => void;
  isBusy: boolean;
  children: ComponentChildren;
}

function Buttons({ answer, isBusy, children }: ButtonsProps) {
  return (
    <div class="row">
      {children}
      <Button disabled={isBusy} onClick={() => answer({ action: "decline" })}>
        Decline
      </Button>
      <Button kind="plain" disabled={isBusy} onClick={() => answer({ action: "cancel" })}>
        Cancel
      </Button>
    </div>
  );
}
