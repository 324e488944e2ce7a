import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskRow } from '../../../server/store/telemetry/rows.ts';
import { fragmentKey } from '../../../server/video/fragments.ts';
import { beginsAt, groupFragments, planWork } from '../../../server/video/lineOfFragments.ts';

const template: TaskRow = {
  task_id: '',
  profile_id: '',
  vehicle_id: '',
  terminal_id: '',
  channel: 1,
  from_ms: 0,
  to_ms: 0,
  event_id: null,
  status: 'queued',
  important: false,
  attempts: 0,
  next_try_ms: null,
  error: null,
  file: null,
  file_name: null,
  created_by: '',
  created_ms: 0,
  updated_ms: 0,
  done_ms: null,
  expires_ms: null,
  version: 1,
};

const terminal: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd');
const rows = fc
  .array(
    fc.record({
      profile_id: terminal,
      channel: fc.nat(2),
      to_ms: fc.nat(20),
      next_try_ms: fc.option(fc.nat(20)),
      status: fc.constantFrom('queued' as const, 'waiting' as const),
    }),
  )
  .map((list) => list.map((it, i): TaskRow => ({ ...template, ...it, task_id: `${i}` })));

describe('the plan of downloads', () => {
  it('begins what is due, the oldest first, once for each terminal, within the room', () => {
    fc.assert(
      fc.property(
        rows,
        fc.nat(20),
        fc.nat(4),
        fc.uniqueArray(terminal),
        fc.uniqueArray(terminal),
        (list, now_ms, room, busy, away) => {
          const fragments = groupFragments(list);
          const circumstances = {
            now_ms,
            running: new Set<string>(),
            busy: new Set(busy),
            away: new Set(away),
            room,
          };
          const plan = planWork(fragments, circumstances);
          const free = fragments.filter(
            (it) => beginsAt(it) <= now_ms && !busy.includes(it.profile_id) && !away.includes(it.profile_id),
          );
          const firsts = free.filter((it) => free.find((other) => other.profile_id === it.profile_id) === it);
          expect(plan.start).toEqual(firsts.slice(0, room));
          for (const row of plan.park) {
            expect(away).toContain(row.profile_id);
            expect(row.status).toBe('queued');
          }
          const later = fragments.map(beginsAt).filter((at) => at > now_ms);
          expect(plan.wakeAt).toBe(later.length === 0 ? null : Math.min(...later));
        },
      ),
    );
  });

  it('keeps every task in the group of its fragment', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const groups = groupFragments(list);
        expect(groups.flatMap((it) => it.rows)).toHaveLength(list.length);
        for (const { key, rows: inIt } of groups) for (const row of inIt) expect(fragmentKey(row)).toBe(key);
        expect(new Set(groups.map((it) => it.key)).size).toBe(groups.length);
      }),
    );
  });
});
