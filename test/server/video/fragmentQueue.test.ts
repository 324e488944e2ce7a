import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskRow } from '../../../server/store/telemetry/rows.ts';
import { fileNameOf, fragmentKey } from '../../../server/video/fragments.ts';
import {
  beginsAt,
  groupFragments,
  maxOvertakes,
  planDownloads,
  type Fragment,
} from '../../../server/video/fragmentQueue.ts';
import type { ProfileRecord } from '../../../server/video/profileRecord.ts';
import { task } from '../store/telemetry/sampleRows.ts';

const template = task({ from_ms: 0, to_ms: 0 });

const terminal: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd');
const stream: fc.Arbitrary<TaskRow['stream']> = fc.constantFrom(null, 'sub', 'main');
const rows = fc
  .array(
    fc.record({
      profile_id: terminal,
      channel: fc.nat(2),
      stream,
      to_ms: fc.nat(20),
      next_attempt_ms: fc.option(fc.nat(20)),
      status: fc.constantFrom('queued' as const, 'waiting' as const),
    }),
  )
  .map((list) => list.map((it, i): TaskRow => ({ ...template, ...it, task_id: `${i}` })));

const idle = { running: new Set<string>(), busy: new Set<string>(), away: new Set<string>(), passes: 0 };
const isFull = ({ rows: [row] }: Fragment) => row?.stream === 'main';

describe('the plan of downloads', () => {
  it('the plan of downloads starts what is due, main-stream clips after the others of any terminal, the oldest first, once for each terminal, within the concurrency limit', () => {
    fc.assert(
      fc.property(
        rows,
        fc.nat(20),
        fc.integer({ min: -1, max: 4 }),
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
            overtakings: new Map<string, number>(),
            passes: 0,
          };
          const plan = planDownloads(fragments, circumstances);
          const free = fragments.filter(
            (it) => beginsAt(it) <= now_ms && !busy.includes(it.profile_id) && !away.includes(it.profile_id),
          );
          const lineOf = (id: string) =>
            free
              .filter((it) => it.profile_id === id)
              .toSorted((a, b) => Number(isFull(a)) - Number(isFull(b)));
          const firsts = free.filter((it) => lineOf(it.profile_id)[0] === it);
          const inOrder = firsts.toSorted((a, b) => Number(isFull(a)) - Number(isFull(b)));
          expect(plan.start).toEqual(inOrder.slice(0, Math.max(0, room)));
          for (const row of plan.park) {
            expect(away).toContain(row.profile_id);
            expect(row.status).toBe('queued');
          }
          const later = fragments.map((it) => beginsAt(it)).filter((at) => at > now_ms);
          expect(plan.wakeAt).toBe(later.length === 0 ? null : Math.min(...later));
        },
      ),
    );
  });

  it('the plan of downloads keeps every task in the group of its fragment', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const groups = groupFragments(list);
        expect(groups.flatMap((it) => it.rows)).toHaveLength(list.length);
        for (const { key, rows: inIt } of groups) for (const row of inIt) expect(fragmentKey(row)).toBe(key);
        expect(new Set(groups.map((it) => it.key)).size).toBe(groups.length);
      }),
    );
  });

  it('the plan of downloads does not let a main-stream clip wait for ever behind sub-stream clips that keep coming', () => {
    const fullWaits = (orderedBefore: number, streams: readonly TaskRow['stream'][]) => {
      let line = streams.map((it, i): TaskRow => order(i, it));
      line.splice(orderedBefore, 0, order(1_000, 'main'));
      let overtakings: ReadonlyMap<string, number> = new Map();
      for (let turn = 0; ; turn++) {
        const plan = planDownloads(groupFragments(line), { ...idle, now_ms: 0, room: 1, overtakings });
        overtakings = plan.overtakings;
        const [begun] = plan.start;
        if (begun === undefined) throw new Error('nothing begins');
        if (isFull(begun)) return turn;
        // What has come goes, and another small one is ordered.
        line = [...line.filter((row) => !begun.rows.includes(row)), order(2_000 + turn, 'sub')];
      }
    };
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(null, 'sub' as const), { maxLength: 30 }),
        fc.nat(),
        (streams, at) => {
          const turn = fullWaits(at % (streams.length + 1), streams);
          expect(turn).toBe(streams.length === 0 ? 0 : maxOvertakes);
        },
      ),
    );
  });

  it('the plan of downloads begins a sub-stream clip of one terminal before older main-stream clips of others', () => {
    const terminals = ['a', 'b', 'c', 'd', 'e'];
    const line = [...terminals.map((it, i) => order(i, 'main', it)), order(9, 'sub', 'f')];
    const begun = (room: number) =>
      planDownloads(groupFragments(line), { ...idle, now_ms: 0, room, overtakings: new Map() }).start.map(
        (it) => it.profile_id,
      );
    expect(begun(1)).toEqual(['f']);
    expect(begun(4)).toEqual(['f', 'a', 'b', 'c']);
  });

  it('the plan of downloads does not let the main-stream clips of many terminals wait for ever behind sub-stream clips that keep coming', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 4 }), (fulls, room) => {
        let line = Array.from({ length: fulls }, (_, i) => order(i, 'main', `full ${i}`));
        let passes = 0;
        const begun: boolean[] = [];
        while (begun.length < 100 && line.some((it) => it.stream === 'main')) {
          for (let i = 0; i < room; i++) line.push(order(1_000 + i, 'sub', `${begun.length} ${i}`));
          const plan = planDownloads(groupFragments(line), {
            ...idle,
            now_ms: 0,
            room,
            overtakings: new Map(),
            passes,
          });
          passes = plan.passes;
          begun.push(...plan.start.map(isFull));
          line = line.filter((row) => !plan.start.some((it) => it.rows.includes(row)));
        }
        // As many as there is room for may begin at once, of which one is the full one.
        const mostBetween = Math.ceil(maxOvertakes / room) * room + room - 1;
        expect(begun.indexOf(true)).toBe(Math.ceil(maxOvertakes / room) * room);
        expect(begun.length).toBeLessThanOrEqual(fulls * (mostBetween + 1));
      }),
    );
  });

  it('the plan of downloads lets a main-stream clip wait with its sub-stream clip for a pause after few attempts, and no longer', () => {
    fc.assert(
      fc.property(fc.nat(4), fc.nat(20), fc.nat(20), (attempts, next_attempt_ms, now_ms) => {
        const full = order(1, 'main');
        const paused = { ...order(0, 'sub'), main_task_id: full.task_id, attempts, next_attempt_ms };
        const alone = { ...full, task_id: 'alone', channel: 2, profile_id: 'b' };
        const plan = planDownloads(groupFragments([paused, full, alone]), {
          ...idle,
          ...{ now_ms, room: 2, overtakings: new Map<string, number>() },
        });
        const begun = plan.start.flatMap((it) => it.rows.map((row) => row.task_id));
        expect(begun).toContain('alone');
        expect(begun.includes(paused.task_id)).toBe(next_attempt_ms <= now_ms);
        expect(begun.includes(full.task_id)).toBe(next_attempt_ms > now_ms && attempts > 2);
        expect(plan.wakeAt).toBe(next_attempt_ms > now_ms ? next_attempt_ms : null);
      }),
    );
  });

  it('the plan of downloads counts what went before a main-stream clip that is due, by terminal, and no longer than it waits', () => {
    fc.assert(
      fc.property(
        rows,
        fc.nat(20),
        fc.nat(4),
        fc.dictionary(terminal, fc.nat(maxOvertakes + 2)),
        (list, now_ms, room, counted) => {
          const fragments = groupFragments(list);
          const before = new Map(Object.entries(counted));
          const plan = planDownloads(fragments, { ...idle, now_ms, room, overtakings: before });
          for (const id of ['a', 'b', 'c', 'd']) {
            const begun = plan.start.find((it) => it.profile_id === id);
            const waits = fragments.some(
              (it) => it.profile_id === id && isFull(it) && beginsAt(it) <= now_ms && it !== begun,
            );
            const after = plan.overtakings.get(id);
            if (!waits || (begun !== undefined && isFull(begun))) expect(after).toBeUndefined();
            else expect(after).toBe((before.get(id) ?? 0) + (begun === undefined ? 0 : 1));
          }
        },
      ),
    );
  });
});

describe('a download', () => {
  it('a download is the same time range of the same channel and stream of one camera', () => {
    const row = { ...template, profile_id: 'p', from_ms: 1, to_ms: 2 };
    const streams = [null, 'sub', 'main'] as const;
    expect(new Set(streams.map((it) => fragmentKey({ ...row, stream: it }))).size).toBe(3);
    for (const it of streams) {
      const key = fragmentKey({ ...row, stream: it });
      const another: TaskRow = { ...row, stream: it, main_task_id: 'other', task_id: 'x', rule_id: 'r' };
      expect(fragmentKey(another)).toBe(key);
      expect(fragmentKey({ ...row, stream: it, channel: 2 })).not.toBe(key);
    }
  });

  it('a download has the name of its file by the stream of the task, where it has none by that of the profile', () => {
    const row = { ...template, profile_id: 'p', from_ms: 1, to_ms: 2 };
    const profile = (connection: object): ProfileRecord => ({
      ...{ profile_id: 'p', vehicle_id: 'v', name: null, kind: 'jt1078', channels: [], secret_id: null },
      ...{ connection, version: 1, created_at: '', updated_at: '' },
    });
    const name = (wanted: TaskRow['stream'], connection: object = {}) =>
      fileNameOf({ ...row, stream: wanted }, profile(connection));
    expect(new Set([name(null), name('sub'), name('main')]).size).toBe(3);
    expect(name('main', { stream: 'sub' })).toBe(name('main'));
    expect(name(null, { stream: 'main' })).toBe(name('main'));
    expect(name('main', { utc_offset_min: 0 })).not.toBe(name('main'));
  });
});

function order(at: number, wanted: TaskRow['stream'], profile_id = 'a'): TaskRow {
  return {
    ...template,
    task_id: `${profile_id} ${at}`,
    profile_id,
    from_ms: -at - 1,
    to_ms: 0,
    stream: wanted,
  };
}
