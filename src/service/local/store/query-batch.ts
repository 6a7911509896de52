import { type OperationNodeSource, type QueryCreator, sql } from "kysely";

/** Runs a query: on its own, or together with others. */
export type RunQuery = <Row>(query: Query<Row>) => Promise<Row[]>;

interface Query<Row> extends OperationNodeSource {
  execute(): Promise<Row[]>;
}

export const runAlone: RunQuery = (query) => query.execute();

/**
 * Queries that a PostgreSQL server gets as one statement: they take one round trip, and all of them
 * see the same moment. Their rows
 * travel as JSON, so they may have texts and numbers only.
 */
export interface QueryBatch {
  /** Adds a query. Its rows are there when the batch was sent. */
  run: RunQuery;
  /** @param creator can have common table expressions, to which the queries refer */
  send<Schema>(creator: QueryCreator<Schema>): Promise<void>;
}

export function createQueryBatch(): QueryBatch {
  const parts: {
    query: Query<unknown>;
    resolve(rows: unknown[]): void;
    reject(error: unknown): void;
  }[] = [];
  return {
    run: <Row>(query: Query<Row>) =>
      new Promise<Row[]>((resolve, reject) =>
        parts.push({ query, resolve: resolve as (rows: unknown[]) => void, reject }),
      ),
    async send(creator) {
      try {
        const columns = parts.map(({ query }, at) =>
          sql<unknown[]>`(select coalesce(json_agg(part), '[]') from ${query} as part)`.as(
            `part${at}`,
          ),
        );
        const row = (await creator.selectNoFrom(columns).executeTakeFirstOrThrow()) as Record<
          string,
          unknown[]
        >;
        for (const [at, { resolve }] of parts.entries()) resolve(row[`part${at}`] ?? []);
      } catch (error) {
        for (const { reject } of parts) reject(error);
      }
    },
  };
}
