import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { auditRoutes, type AuditEntry, type AuditKind } from '../contract/audit.ts';
import type { Api } from '../http/api.ts';
import { createLines } from '../http/lines.ts';
import { beforeOf, newestFirst } from '../http/pagination.ts';
import { streamBytes } from '../http/unreadAnswers.ts';
import { periodOf } from '../notifications/sight.ts';
import { csvHead, csvLine, type CsvColumn } from '../reports/csvTable.ts';
import { errorCode } from '../store/documents/Files.ts';
import type { Store } from '../store/operations.ts';
import type { AuditQuery, AuditRow } from '../store/telemetry/rows.ts';
import { isoTime } from '../telemetry/presentPosition.ts';

export interface AuditRouteDeps {
  store: Pick<Store, 'auditLog' | 'incidentNames'>;
  /** What something is called now; null: it is not there, or has no name. */
  nameOf: (kind: AuditKind, id: string) => string | null;
}

const rowsAtOnce = 1_000;

const columns: readonly CsvColumn<AuditEntry>[] = [
  { name: 'time', cell: (it) => it.time },
  { name: 'user', cell: (it) => it.actor.login },
  { name: 'api_token', cell: (it) => it.token?.name ?? null },
  { name: 'address', cell: (it) => it.address },
  { name: 'action', cell: (it) => it.action },
  { name: 'kind', cell: (it) => it.kind },
  { name: 'entity_id', cell: (it) => it.entity_id },
  { name: 'entity_name', cell: (it) => it.entity_name },
  { name: 'before', cell: (it) => it.before && JSON.stringify(it.before) },
  { name: 'after', cell: (it) => it.after && JSON.stringify(it.after) },
];

/** What is only read: no operation adds to the audit log, changes it or deletes from it. */
export function addAuditRoutes(api: Api, { store, nameOf }: AuditRouteDeps): void {
  const perUser = createLines();

  type Names = ReadonlyMap<string, string>;

  /** Of those among the rows that are no record in memory. */
  async function namesIn(rows: readonly AuditRow[]): Promise<Names> {
    const ids = rows.flatMap((it) => (it.topic === 'incident' ? it.resource_id : []));
    const named = ids.length === 0 ? [] : await store.incidentNames([...new Set(ids)]);
    return new Map(named.map((it) => [it.incident_id, it.name]));
  }

  function present(row: AuditRow, names: Names): AuditEntry {
    const { actor, actor_name, actor_token, actor_token_name, topic, resource_id, before, after } = row;
    const known = [after, before].flatMap((it) => it?.['name'] ?? it?.['login'] ?? []);
    return {
      audit_id: row.seq,
      time: isoTime(row.at_ms),
      actor: { user_id: actor, login: actor_name },
      token: actor_token === null ? null : { token_id: actor_token, name: actor_token_name ?? '' },
      address: row.address,
      action: row.action,
      kind: topic,
      entity_id: resource_id,
      entity_name:
        nameOf(topic, resource_id) ??
        names.get(resource_id) ??
        (typeof known[0] === 'string' ? known[0] : null),
      before: withoutStamp(before),
      after: withoutStamp(after),
    };
  }

  async function* linesOf(query: Omit<AuditQuery, 'limit'>): AsyncGenerator<string> {
    yield csvHead(columns);
    for (let before: AuditQuery['before']; ;) {
      const rows = await store.auditLog({ ...query, limit: rowsAtOnce, ...(before && { before }) });
      const names = await namesIn(rows);
      const text = rows.map((row) => csvLine(columns, present(row, names))).join('');
      if (text !== '') yield text;
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsAtOnce) return;
      before = markOf(last);
    }
  }

  api.handle(auditRoutes.list, async ({ query }) => {
    const rows = await store.auditLog({
      ...filtersOf(query),
      ...beforeOf(query.cursor),
      limit: query.limit + 1,
    });
    const names = await namesIn(rows);
    return newestFirst(rows, query.limit, markOf, (row) => present(row, names));
  });

  api.handle(auditRoutes.export, async ({ query, viewer, response, holds }) => {
    const leave = await perUser.enter(viewer.user.user_id);
    try {
      if (response.closed) return;
      holds(streamBytes);
      response.set({
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="audit_${query.from.slice(0, 10)}_${query.to.slice(0, 10)}.csv"`,
      });
      // Reads as fast as the client does; one that hangs up ends the reading.
      await pipeline(Readable.from(linesOf(filtersOf(query)), { highWaterMark: 1 }), response);
    } catch (error) {
      if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    } finally {
      leave();
    }
  });
}

/** When it changed stands in the entry itself. */
const withoutStamp = (fields: AuditEntry['before']) =>
  fields && Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'updated_at'));

const markOf = (row: AuditRow) => ({ ms: row.at_ms, id: String(row.seq) });

type Filters = Pick<AuditQuery, 'actor' | 'action'> & {
  kind?: AuditKind | undefined;
  entity_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

function filtersOf({ actor, action, kind, entity_id, ...period }: Filters): Omit<AuditQuery, 'limit'> {
  return { ...periodOf(period), actor, action, topic: kind, resource_id: entity_id };
}
