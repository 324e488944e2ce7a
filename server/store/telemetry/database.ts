import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue, StatementSync } from 'node:sqlite';

export type SqlValue = SQLInputValue;
export type SqlParams = SqlValue[] | Record<string, SqlValue>;

/** One connection with its prepared statements. A statement is prepared once and kept for the connection's life. */
export interface Database {
  /** Statements without parameters or results: pragmas, transactions, migrations. */
  exec(sql: string): void;
  /** Returns the number of rows that changed. */
  run(sql: string, params?: SqlParams): number;
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a row's type is known where its SQL stands
  get<Row extends object>(sql: string, params?: SqlParams): Row | undefined;
  all<Row extends object>(sql: string, params?: SqlParams): Row[];
  /** Rows as lists of their cells: read in two thirds of the time of rows as objects (measured). */
  cells<Row extends unknown[]>(sql: string, params?: SqlValue[]): Row[];
  /** False also after an error that made SQLite roll the transaction back. */
  readonly inTransaction: boolean;
  close(): void;
}

/** How long a statement waits for another process's lock, such as a backup tool's, before it fails. */
export const BUSY_TIMEOUT_MS = 5_000;

export function openDatabase(file: string, options: { readOnly: boolean }): Database {
  const connection = new DatabaseSync(file, {
    readOnly: options.readOnly,
    timeout: BUSY_TIMEOUT_MS,
    // Rows are passed as they are, whatever else a caller's object bears.
    allowUnknownNamedParameters: true,
  });
  const statements = new Map<string, StatementSync>();
  /** Those whose rows are lists. */
  const listStatements = new Map<string, StatementSync>();

  function prepared(sql: string, kept = statements): StatementSync {
    let statement = kept.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql);
      statement.setReturnArrays(kept === listStatements);
      kept.set(sql, statement);
    }
    return statement;
  }

  return {
    exec: (sql) => connection.exec(sql),
    run(sql, params = []) {
      const statement = prepared(sql);
      return Number((Array.isArray(params) ? statement.run(...params) : statement.run(params)).changes);
    },
    // The tables are STRICT, so the columns of a row have the types that the schema gives them.
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as above
    get<Row extends object>(sql: string, params: SqlParams = []) {
      const statement = prepared(sql);
      return (Array.isArray(params) ? statement.get(...params) : statement.get(params)) as Row | undefined;
    },
    all<Row extends object>(sql: string, params: SqlParams = []) {
      const statement = prepared(sql);
      return (Array.isArray(params) ? statement.all(...params) : statement.all(params)) as Row[];
    },
    cells<Row extends unknown[]>(sql: string, params: SqlValue[] = []) {
      return prepared(sql, listStatements).all(...params) as unknown[] as Row[];
    },
    get inTransaction() {
      return connection.isTransaction;
    },
    close() {
      statements.clear();
      listStatements.clear();
      connection.close();
    },
  };
}

/**
 * Writes a row of a table, in the place of the one with the same keys if there is one. What a row bears beside these
 * columns is left out. By place: to bind a row of twelve by names took as long as to insert it (measured). Times are
 * whole milliseconds: seconds that people set may have any fraction, and one such time would fail the whole commit.
 */
export function upsert<Column extends string>(
  table: string,
  keys: readonly Column[],
  others: readonly Column[],
): (db: Database, row: Readonly<Record<Column, SqlValue>>) => void {
  const columns = [...keys, ...others];
  const isTime = columns.map((column) => column.endsWith('_ms'));
  const updates = others.map((column) => `${column} = excluded.${column}`);
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${updates.join(', ')}`;
  return (db, row) =>
    void db.run(
      sql,
      columns.map((column, at) => {
        const value = row[column];
        return isTime[at] === true && typeof value === 'number' ? Math.round(value) : value;
      }),
    );
}
