import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Viewer } from '../../../server/http/viewer.ts';
import { gatherFacts, packFacts, unpackFacts } from '../../../server/shifts/shiftFacts.ts';
import { reportOf } from '../../../server/shifts/shiftReport.ts';
import { openMemoryStore } from '../../../server/store/memoryStore.ts';
import type { Store } from '../../../server/store/operations.ts';
import type { NotificationRow } from '../../../server/store/telemetry/rows.ts';
import { notificationRow } from '../notifications/rows.ts';

const hour_ms = 3_600_000;
const night = { from_ms: Date.UTC(2026, 10, 21, 22), to_ms: Date.UTC(2026, 10, 22, 6) };
const severities = ['alarm', 'warning', 'info'] as const;
const people = ['anna', 'boris'];

let store: Store;
beforeAll(() => {
  store = openMemoryStore({ now: () => night.to_ms });
});
afterAll(() => store.close());

/** Sees the vehicles that the test says. */
const viewer = { user: { user_id: 'viewer', role: 'dealer' } } as Viewer;

/** What came in around a night, before and in it, open or acknowledged by somebody. */
const row = fc
  .record({
    vehicle: fc.constantFrom('van', 'lorry', 'bus'),
    rule: fc.constantFrom('Help', 'Speed'),
    severity: fc.constantFrom(...severities),
    first_ms: fc.integer({ min: night.from_ms - 3 * hour_ms, max: night.to_ms }),
    late: fc.boolean(),
    ack: fc.option(
      fc.record({ by: fc.constantFrom(...people), after_ms: fc.integer({ min: 0, max: 6 * hour_ms }) }),
    ),
  })
  .map(({ vehicle, rule, ack, first_ms, ...rest }): Partial<NotificationRow> => {
    const at_ms = Math.min(first_ms + (ack?.after_ms ?? 0), night.to_ms);
    return {
      ...{ ...rest, vehicle_id: vehicle, rule_id: rule, rule_name: rule, first_ms, last_ms: first_ms },
      ...{ state: ack === null ? 'open' : 'acknowledged', updated_ms: at_ms },
      ack: ack === null ? null : { user_id: ack.by, at_ms, note: null },
    };
  });

function median(spans: number[]): number | null {
  if (spans.length === 0) return null;
  const sorted = spans.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const high = sorted[half] ?? 0;
  return Math.round((sorted.length % 2 === 1 ? high : (high + (sorted[half - 1] ?? 0)) / 2) / 1_000);
}

it('the sums of a report are those of a naive count over any night, with severity info among the open ones counted and not listed, for whoever sees all or some vehicles', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 40 }), async (parts) => {
      run += 1;
      // Vehicles of another run are of other names: nothing has to be deleted.
      const rows = parts.map((part, at) => ({
        ...notificationRow({ ...part, notification_id: `${run}-${at}` }),
        vehicle_id: `${part.vehicle_id}${run}`,
      }));
      await store.saveNotifications(rows);
      const facts = await gatherFacts(
        {
          store,
          silent: () => [],
          vehicleName: (id) => id,
          userName: (id) => id,
          clock: { now: () => night.to_ms },
        },
        { from_ms: night.from_ms, vehicle_ids: ['van', 'lorry', 'bus'].map((it) => `${it}${run}`) },
      );
      const kept = await unpackFacts(await packFacts(facts));
      for (const seen of [['van', 'lorry', 'bus'], ['van']]) {
        const sees = (id: string | null) => seen.some((it) => id === `${it}${run}`);
        const report = reportOf(kept, viewer, {
          seesVehicle: (_, id) => sees(id),
          sight: { of: (it) => it },
          seesIncident: (_, { vehicle_id }) => sees(vehicle_id),
        });
        const own = rows.filter((it) => sees(it.vehicle_id));
        const came = own.filter((it) => it.first_ms >= night.from_ms);
        const acked = own.filter((it) => it.ack !== null && it.ack.at_ms >= night.from_ms);
        const open = own.filter((it) => it.state === 'open');
        const count = (list: readonly Pick<NotificationRow, 'severity'>[]) =>
          Object.fromEntries(
            severities.map((it) => [it, list.filter(({ severity }) => severity === it).length]),
          );
        const spans = (list: typeof rows) =>
          list.flatMap(({ ack, late, first_ms }) => (ack === null || late ? [] : [ack.at_ms - first_ms]));

        expect(report.notifications.total).toBe(came.length);
        expect(report.notifications.by_severity).toEqual(count(came));
        expect(report.notifications.by_rule.reduce((sum, it) => sum + it.count, 0)).toBe(came.length);
        expect(report.open.total).toBe(open.length);
        expect(report.open.by_severity).toEqual(count(open));
        expect(count(report.open.items)).toEqual({ ...count(open), info: 0 });
        expect(report.acknowledgements.total).toBe(acked.length);
        expect(report.acknowledgements.median_s).toBe(median(spans(acked)));
        for (const person of people) {
          const ofPerson = acked.filter((it) => it.ack?.user_id === person);
          const shown = report.acknowledgements.by_user.find((it) => it.user_id === person);
          expect([shown?.count ?? 0, shown?.median_s ?? null]).toEqual([
            ofPerson.length,
            median(spans(ofPerson)),
          ]);
        }
      }
    }),
    { numRuns: 40 },
  );
});
