import { expect, it } from "vitest";
import { runVitestProject } from "../../support/child-vitest.ts";

/** A Pack as its author wrote it for the older package. */
const PACK = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();
pack.addNetworkDomain("todoist.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });

const TaskSchema = coda.makeObjectSchema({
  properties: {
    name: { type: coda.ValueType.String, fromKey: "content", required: true },
    due_date: { type: coda.ValueType.String, codaType: coda.ValueHintType.Date },
    taskId: { type: coda.ValueType.String, fromKey: "id", required: true },
  },
  displayProperty: "name",
  idProperty: "taskId",
  featuredProperties: ["due_date"],
});

pack.addFormula({
  name: "GetTask",
  description: "Gets a task.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "id", description: "The id." })],
  resultType: coda.ValueType.Object,
  schema: TaskSchema,
  execute: async function ([id], context) {
    if (id === "bad") throw new coda.UserVisibleError("No such task.");
    const response = await context.fetcher.fetch({ method: "GET", url: coda.withQueryParams("https://todoist.example/tasks/" + id, { full: true }) });
    return response.body;
  },
});

pack.addFormula({
  name: "AddTask",
  description: "Adds a task.",
  isAction: true,
  parameters: [
    coda.makeParameter({ type: coda.ParameterType.String, name: "name", description: "Its name." }),
    coda.makeParameter({ type: coda.ParameterType.Number, name: "priority", description: "1 to 4.", optional: true }),
  ],
  resultType: coda.ValueType.String,
  execute: async function ([name, priority], context) {
    const response = await context.fetcher.fetch({
      method: "POST",
      url: "https://todoist.example/tasks",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ content: name, priority }),
    });
    return response.body.id;
  },
});

pack.addFormula({
  name: "Thumbnail", description: "Keeps a picture.", parameters: [], resultType: coda.ValueType.String,
  execute: async (_, context) => context.temporaryBlobStorage.storeUrl("https://todoist.example/picture.png"),
});

pack.addFormula({ name: "Count", description: "Gives the wrong type.", parameters: [], resultType: coda.ValueType.Number, execute: async () => "many" as never });

pack.addSyncTable({
  name: "Tasks",
  identityName: "Task",
  schema: TaskSchema,
  formula: {
    name: "SyncTasks",
    description: "Syncs tasks.",
    parameters: [coda.makeParameter({
      type: coda.ParameterType.String, name: "project", description: "Project.", optional: true,
      autocomplete: async function (context, search) {
        const response = await context.fetcher.fetch({ method: "GET", url: "https://todoist.example/projects" });
        return coda.autocompleteSearchObjects(search, response.body, "name", "id");
      },
    })],
    execute: async function ([project], context) {
      const url = (context.sync.continuation?.nextUrl as string) ?? "https://todoist.example/tasks";
      const { body } = await context.fetcher.fetch({ method: "GET", url });
      return { result: body.items, continuation: body.nextUrl ? { nextUrl: body.nextUrl } : undefined };
    },
    executeUpdate: async function (args, updates, context) {
      const result = await Promise.all(updates.map(async ({ newValue }) => {
        if (newValue.content === "broken") return new coda.UserVisibleError("It is broken.");
        const response = await context.fetcher.fetch({ method: "PATCH", url: "https://todoist.example/tasks/" + newValue.id, body: JSON.stringify(newValue) });
        return response.body;
      }));
      return { result };
    },
  },
});

pack.addSyncTable({
  name: "Columns",
  identityName: "Column",
  schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } }, idProperty: "id", displayProperty: "id" }),
  dynamicOptions: { getSchema: async () => coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.Number } }, idProperty: "id", displayProperty: "id" }) },
  formula: {
    name: "SyncColumns", description: "Syncs columns.", parameters: [],
    execute: async (args, context) => {
      if (context.endpoint) return { result: (await context.fetcher.fetch({ method: "GET", url: context.endpoint })).body };
      return { result: [{ id: 1, "other one": 2 }] as any };
    },
  },
});

const State = coda.makeObjectSchema({
  properties: { state: { type: coda.ValueType.String }, label: { type: coda.ValueType.String, fromKey: "state" }, size: { type: coda.ValueType.Number } },
});
pack.addFormula({
  name: "GetState", description: "Gets a state.", parameters: [], resultType: coda.ValueType.Object, schema: State,
  execute: async () => ({ state: "open", size: 1 }),
});
pack.addFormula({
  name: "Join", description: "Joins.", parameters: [], resultType: coda.ValueType.String,
  items: { type: coda.ValueType.String },
  execute: async () => "a,b",
} as any);
`;

/** Its test suite, as it was written for the older testing entry, with sinon. */
const SUITE = `import {describe, it, beforeEach} from 'vitest';
import * as assert from 'node:assert';
import sinon from 'sinon';
import {
  executeFormulaFromPackDef, executeFormulaOrSyncWithVM, executeMetadataFormula, executeSyncFormula, executeSyncFormulaFromPackDef,
  executeSyncFormulaFromPackDefSingleIteration, executeUpdateFormulaFromPackDef, newJsonFetchResponse, newMockExecutionContext, newMockSyncExecutionContext,
} from '@codahq/packs-sdk/dist/development';
import type {MockExecutionContext, MockSyncExecutionContext} from '@codahq/packs-sdk/dist/development';
import {StatusCodeError, UserVisibleError} from '@codahq/packs-sdk';
import {pack} from '../pack';

const FAKE_TASK = {content: 'Buy milk', id: '1', due_date: '2024-01-02', extra: true};

describe('formulas', () => {
  let context: MockExecutionContext;

  beforeEach(() => {
    context = newMockExecutionContext();
  });

  it('executes GetTask', async () => {
    context.fetcher.fetch.returns(newJsonFetchResponse(FAKE_TASK));
    const result = await executeFormulaFromPackDef(pack, 'GetTask', ['1'], context);
    assert.deepStrictEqual(result, {Name: 'Buy milk', TaskId: '1', DueDate: '2024-01-02'});
    sinon.assert.calledOnce(context.fetcher.fetch);
    sinon.assert.calledWith(context.fetcher.fetch, sinon.match({method: 'GET', url: 'https://todoist.example/tasks/1?full=true'}));
    assert.throws(() => sinon.assert.calledTwice(context.fetcher.fetch), /expected fetch to be called twice but was called once/);
    assert.throws(() => sinon.assert.notCalled(context.fetcher.fetch));
    assert.throws(() => sinon.assert.calledWith(context.fetcher.fetch, {url: 'other'}), /expected fetch to be called with arguments/);
  });

  it('executes GetTask with the names that the Pack returned', async () => {
    context.fetcher.fetch.resolves(newJsonFetchResponse(FAKE_TASK));
    const result = await executeFormulaFromPackDef(pack, 'GetTask', ['1'], context, {useDeprecatedResultNormalization: false});
    assert.strictEqual(result.content, 'Buy milk');
    assert.strictEqual(result.due_date, '2024-01-02');
  });

  it('executes AddTask with exact arguments', async () => {
    context.fetcher.fetch.resolves(newJsonFetchResponse({id: '7'}, 201, {'x-request': 'a'}));
    assert.strictEqual(await executeFormulaFromPackDef(pack, 'AddTask', ['Tea'], context), '7');
    sinon.assert.calledOnceWithExactly(context.fetcher.fetch, {
      method: 'POST', url: 'https://todoist.example/tasks', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({content: 'Tea'}),
    });
    const request = context.fetcher.fetch.getCall(0).args[0];
    assert.strictEqual(JSON.parse(request.body as string).content, 'Tea');
    assert.strictEqual(context.fetcher.fetch.firstCall?.args[0].method, 'POST');
  });

  it('answers by call and by arguments', async () => {
    context.fetcher.fetch
      .onFirstCall().returns(newJsonFetchResponse(FAKE_TASK))
      .onSecondCall().rejects(new StatusCodeError(404, {why: 'gone'}, {method: 'GET', url: 'x'}, {body: '{}', headers: {}}));
    await executeFormulaFromPackDef(pack, 'GetTask', ['1'], context);
    await assert.rejects(executeFormulaFromPackDef(pack, 'GetTask', ['2'], context), (error: any) => StatusCodeError.isStatusCodeError(error) && error.body.why === 'gone' && error.cause.statusCode === 404);
    context.fetcher.fetch.reset();
    sinon.assert.notCalled(context.fetcher.fetch);
    context.fetcher.fetch.withArgs(sinon.match({url: sinon.match(/tasks\\/3/)})).resolves(newJsonFetchResponse({...FAKE_TASK, id: '3'}));
    context.fetcher.fetch.callsFake(async ({url}) => newJsonFetchResponse({...FAKE_TASK, id: url.length.toString()}));
    assert.strictEqual((await executeFormulaFromPackDef(pack, 'GetTask', ['3'], context)).TaskId, '3');
    assert.strictEqual((await executeFormulaFromPackDef(pack, 'GetTask', ['4'], context)).TaskId, '41');
    sinon.assert.calledTwice(context.fetcher.fetch);
  });

  it('refuses a fetch for which nothing was said', async () => {
    await assert.rejects(executeFormulaFromPackDef(pack, 'GetTask', ['1'], context), /Unhandled fetch: GET https:\\/\\/todoist.example\\/tasks\\/1\\?full=true/);
  });

  it('passes errors of the Pack on', async () => {
    await assert.rejects(executeFormulaFromPackDef(pack, 'GetTask', ['bad'], context), (error: any) =>
      error instanceof UserVisibleError && error.message === 'The Pack code threw an error: No such task.' && error.isUserVisible && error.cause instanceof UserVisibleError && error.cause.message === 'No such task.');
  });

  it('validates parameters and results', async () => {
    await assert.rejects(executeFormulaFromPackDef(pack, 'GetTask', [], context), {name: 'ParameterException'});
    await assert.rejects(executeFormulaFromPackDef(pack, 'GetTask', [null], context), {name: 'ParameterException'});
    context.fetcher.fetch.resolves(newJsonFetchResponse(FAKE_TASK));
    assert.strictEqual((await executeFormulaFromPackDef(pack, 'GetTask', [1], context)).TaskId, '1');
    await assert.rejects(executeFormulaFromPackDef(pack, 'Count', [], context), (error: any) => error.name === 'ResultValidationException' && error.errors.length === 1);
    assert.strictEqual(await executeFormulaFromPackDef(pack, 'Count', [], context, {validateResult: false}), 'many');
  });

  it('stores blobs', async () => {
    context.temporaryBlobStorage.storeUrl.resolves('https://blobs.example/1');
    assert.strictEqual(await executeFormulaFromPackDef(pack, 'Thumbnail', [], context), 'https://blobs.example/1');
    sinon.assert.calledOnceWithExactly(context.temporaryBlobStorage.storeUrl, 'https://todoist.example/picture.png');
  });

  it('has the usual context', () => {
    assert.strictEqual(context.timezone, 'America/Los_Angeles');
    assert.strictEqual(newMockExecutionContext({timezone: 'UTC', endpoint: 'https://a.example'}).endpoint, 'https://a.example');
  });
});

describe('tables', () => {
  let syncContext: MockSyncExecutionContext;

  beforeEach(() => {
    syncContext = newMockSyncExecutionContext();
    syncContext.fetcher.fetch
      .withArgs(sinon.match({url: 'https://todoist.example/tasks'}))
      .resolves(newJsonFetchResponse({items: [FAKE_TASK], nextUrl: 'https://todoist.example/tasks?page=2'}));
    syncContext.fetcher.fetch
      .withArgs(sinon.match({url: 'https://todoist.example/tasks?page=2'}))
      .resolves(newJsonFetchResponse({items: [{...FAKE_TASK, id: '2'}]}));
  });

  it('syncs all pages', async () => {
    const {result} = await executeSyncFormula(pack, 'Tasks', [], syncContext);
    assert.deepStrictEqual(result.map((row: any) => row.TaskId), ['1', '2']);
    sinon.assert.calledTwice(syncContext.fetcher.fetch);
    assert.strictEqual(syncContext.sync.continuation, undefined);
    assert.strictEqual((await executeSyncFormulaFromPackDef(pack, 'Tasks', [], syncContext)).length, 2);
  });

  it('syncs one page', async () => {
    const page = await executeSyncFormulaFromPackDefSingleIteration(pack, 'Tasks', [], syncContext);
    assert.strictEqual(page.result.length, 1);
    assert.deepStrictEqual(page.continuation, {nextUrl: 'https://todoist.example/tasks?page=2'});
    const next = await executeSyncFormulaFromPackDefSingleIteration(pack, 'Tasks', [], {...syncContext, sync: {continuation: page.continuation}});
    assert.strictEqual(next.continuation, undefined);
  });

  it('updates rows', async () => {
    syncContext.fetcher.fetch.withArgs(sinon.match({method: 'PATCH'})).resolves(newJsonFetchResponse({...FAKE_TASK, content: 'Tea'}));
    const updates = ['Tea', 'broken'].map(content => ({previousValue: FAKE_TASK, newValue: {...FAKE_TASK, content}, updatedFields: ['content']}));
    const {result} = await executeUpdateFormulaFromPackDef(pack, 'Tasks', [], syncContext, updates);
    assert.strictEqual(result[0].outcome, 'success');
    assert.strictEqual(result[0].finalValue.content, 'Tea');
    assert.strictEqual(result[1].error.message, 'It is broken.');
  });

  it('keeps the rows of a table whose schema is found at run time', async () => {
    const rows = await executeSyncFormulaFromPackDef(pack, 'Columns', []);
    assert.deepStrictEqual(rows, [{id: 1, 'other one': 2}]);
  });

  it('prefers the context of the test to a real fetcher', async () => {
    const context = newMockSyncExecutionContext({endpoint: 'https://todoist.example/columns'});
    context.fetcher.fetch.resolves(newJsonFetchResponse([{id: 2}]));
    const rows = await executeSyncFormulaFromPackDef(pack, 'Columns', [], context, {}, {useRealFetcher: true, manifestPath: 'pack.ts'});
    assert.deepStrictEqual(rows, [{id: 2}]);
  });

  it('gives two properties the value of one member', async () => {
    assert.deepStrictEqual(await executeFormulaFromPackDef(pack, 'GetState', []), {State: 'open', Label: 'open', Size: 1});
  });

  it('ignores the items of a text', async () => {
    assert.strictEqual(await executeFormulaFromPackDef(pack, 'Join', []), 'a,b');
  });

  it('completes parameters', async () => {
    const context = newMockExecutionContext();
    context.fetcher.fetch.resolves(newJsonFetchResponse([{name: 'Home', id: 'h'}, {name: 'Work', id: 'w'}]));
    const autocomplete = pack.syncTables[0].getter.parameters[0].autocomplete as any;
    assert.deepStrictEqual(await executeMetadataFormula(autocomplete, {search: 'ho'}, context), [{display: 'Home', value: 'h'}]);
  });

  it('runs in the isolate, with the same mock', async () => {
    const context = newMockExecutionContext();
    context.fetcher.fetch.resolves(newJsonFetchResponse({id: '9'}));
    assert.strictEqual(await executeFormulaOrSyncWithVM({formulaName: 'AddTask', params: ['Tea'], bundlePath: 'pack.ts', executionContext: context}), '9');
    sinon.assert.calledOnce(context.fetcher.fetch);
  });
});
`;

it.each([
  ["with its own sinon", ["sinon"]],
  ["with the sinon of packsmith", []],
])(
  "a test suite that was written for the older testing entry runs as it is, %s",
  async (_, packages) => {
    const { code, output } = await runVitestProject(
      { "pack.ts": PACK, "test/pack_test.test.ts": SUITE },
      packages,
    );
    expect(output).toContain("18 passed");
    expect(code, output).toBe(0);
  },
);
