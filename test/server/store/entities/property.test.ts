import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DiskFull, StoreFailed } from '../../../../server/store/storeErrors.ts';
import type { Database } from '../../../../server/store/telemetry/database.ts';
import { loadEntities } from '../../../../server/store/telemetry/entityTables.ts';
import { geofence, group, openDepot, openFile, rule, storeOver, user, vehicle } from './depotBench.ts';

const kinds = ['user', 'group', 'vehicle', 'geofence', 'rule'] as const;
type Depot = Awaited<ReturnType<typeof openDepot>>;

const ids = Array.from({ length: 4 }, () => randomUUID());
const anId = fc.constantFrom(...ids);
const someIds = fc.uniqueArray(anId, { maxLength: 3 });

/** One step of an act; it may turn out to be impossible. */
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  what: fc.constantFrom('add', 'change', 'change', 'remove'),
  id: anId,
  name: fc.constantFrom('one', 'two', 'three', 'four'),
  named: someIds,
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('act' as const),
      steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('full' as const, 'lost' as const, 'stored but lost' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('wait' as const, 'tick' as const) }) },
);

function carryOut(depot: Depot, { kind, what, id, name, named }: Step): void {
  const isThere = depot[kind].get(id) !== undefined;
  if (what === 'remove') {
    depot[kind].staged.remove(id);
  } else if (what === 'add') {
    if (isThere) return;
    if (kind === 'user')
      depot.user.staged.add([user(id, { login: name, group_ids: named, password_hash: `hash ${name}` })]);
    if (kind === 'group') depot.group.staged.add([group(id, name)]);
    if (kind === 'vehicle') depot.vehicle.staged.add([vehicle(id, { terminal_id: name, group_ids: named })]);
    if (kind === 'geofence') depot.geofence.staged.add([geofence(id, { name, group_ids: named })]);
    if (kind === 'rule') depot.rule.staged.add([rule(id, { name, geozone_ids: named })]);
  } else {
    if (kind === 'user') depot.user.staged.change(id, (old) => ({ ...old, login: name, group_ids: named }));
    if (kind === 'group') depot.group.staged.change(id, (old) => ({ ...old, name }));
    if (kind === 'vehicle')
      depot.vehicle.staged.change(id, (old) => ({ ...old, terminal_id: name, group_ids: named }));
    if (kind === 'geofence') depot.geofence.staged.change(id, (old) => ({ ...old, group_ids: named }));
    if (kind === 'rule')
      depot.rule.staged.change(id, (old) => ({ ...old, scope: { vehicle_ids: named, group_ids: [] } }));
  }
}

type State = Record<string, Record<string, unknown>>;

function mirrorOf(depot: Depot): State {
  return Object.fromEntries(
    kinds.flatMap((kind) =>
      Object.values(depot[kind].all() as readonly object[]).map((record) => {
        const id = Object.values(record).find((value) => ids.some((one) => one === value)) as string;
        return [`${kind} ${id}`, { ...record }];
      }),
    ),
  );
}

function tablesOf(db: Database): State {
  return Object.fromEntries(
    kinds.flatMap((kind) =>
      loadEntities(db, kind).map((row) => [
        `${kind} ${row.id}`,
        { ...(JSON.parse(row.record) as object), ...(row.group_ids && { group_ids: row.group_ids }) },
      ]),
    ),
  );
}

/** What the log alone makes of an empty depot. */
function foldOf(db: Database): State {
  const state = new Map<string, Record<string, unknown>>();
  const rows = db.all<{
    topic: string;
    resource_id: string;
    at_ms: number;
    version: number | null;
    before: string | null;
    after: string | null;
  }>('SELECT * FROM change_log ORDER BY seq');
  for (const { topic, resource_id, at_ms, version, before, after } of rows) {
    const key = `${topic} ${resource_id}`;
    const record = { ...state.get(key) };
    if (before !== null)
      for (const field of Object.keys(JSON.parse(before) as object)) Reflect.deleteProperty(record, field);
    Object.assign(record, after === null ? {} : JSON.parse(after), {
      version,
      updated_at: new Date(at_ms).toISOString(),
    });
    if (after === null) state.delete(key);
    else state.set(key, record);
  }
  return Object.fromEntries(state);
}

/** As the log shows them. */
function withoutSecrets(state: State): State {
  return Object.fromEntries(
    Object.entries(state).map(([key, record]) => [
      key,
      'password_hash' in record ? { ...record, password_hash: 'changed' } : record,
    ]),
  );
}

test('whatever acts are asked for, and whatever fails: collections, tables and the sum of the log agree', async () => {
  let acts = 0;
  let failed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
      const { db } = await openFile();
      const store = storeOver(db);
      let fate: 'full' | 'lost' | 'stored but lost' | null = null;
      const depot = await openDepot({
        store: {
          loadEntities: (kind) => store.loadEntities(kind),
          lastSeq: () => store.lastSeq(),
          async act(messages) {
            const now = fate;
            fate = null;
            if (now === 'full') throw new DiskFull('full');
            if (now === 'lost') throw new StoreFailed('lost');
            const outcomes = await store.act(messages);
            if (now === 'stored but lost') throw new StoreFailed('lost');
            return outcomes;
          },
        },
      });
      let underWay: Promise<unknown>[] = [];
      async function settle() {
        const outcomes = await Promise.allSettled(underWay);
        underWay = [];
        acts += outcomes.length;
        failed += outcomes.filter((it) => it.status === 'rejected').length;
        // Doubt is over when the next act has been.
        await depot.acts.run(() => null);
        const tables = tablesOf(db);
        expect(mirrorOf(depot)).toEqual(tables);
        expect(foldOf(db)).toEqual(withoutSecrets(tables));
      }
      for (const it of commands) {
        if (it.do === 'act') {
          underWay.push(
            depot.acts.run(() => {
              for (const one of it.steps) carryOut(depot, one);
            }),
          );
        } else if (it.do === 'tick') depot.clock.ms += 1;
        else if (it.do === 'wait') await settle();
        else fate = it.do;
      }
      await settle();
      const again = await openDepot({ store });
      expect(mirrorOf(again)).toEqual(mirrorOf(depot));
    }),
    { numRuns: 60 },
  );
  // Both happened, else the property says little.
  expect(failed).toBeGreaterThan(20);
  expect(acts - failed).toBeGreaterThan(100);
});
