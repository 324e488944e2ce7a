import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { taskStatus, type TaskStatus } from '../../../server/contract/video.ts';
import type { TaskFile, TaskRow } from '../../../server/store/telemetry/rows.ts';
import { advance, happenings, isUnfinished, next } from '../../../server/video/taskTransitions.ts';
import { task } from '../store/telemetry/sampleRows.ts';

const file: TaskFile = {
  size_bytes: 10,
  duration_s: 1,
  content_type: 'video/mp4',
  sha256: 'ab',
  width: 2,
  height: 2,
  starts_at: null,
};

const fresh = task({ from_ms: 0, to_ms: 10, created_ms: 0, updated_ms: 0 });

const story = fc.array(fc.constantFrom(...happenings), { maxLength: 40 });
const facts = {
  file_there: { file, file_name: 'a.mp4', expires_ms: 99 },
  state_file: { file, file_name: 'a.mp4' },
};

function emit(row: TaskRow, happening: (typeof happenings)[number], now: number): TaskRow | null {
  if (happening === 'mark') return advance(row, happening, { important: !row.important }, now);
  const known = happening === 'file_there' || happening === 'state_file' ? facts[happening] : {};
  return advance(row, happening, known, now);
}

describe('the transitions of a video task', () => {
  it('the transitions of a video task lead from the request to the file as the API documents', () => {
    const way: TaskStatus[] = ['queued'];
    for (const happening of ['terminal_away', 'begin', 'received', 'file_there'] as const) {
      way.push(next(way.at(-1) ?? 'queued', happening) ?? 'failed');
    }
    expect(way).toEqual(['queued', 'waiting', 'downloading', 'processing', 'done']);
  });

  it('the transitions of a video task take no task out of a finished status but by a retry, or by the end of its file', () => {
    for (const status of taskStatus.options.filter((it) => !isUnfinished(it))) {
      const leads = happenings.filter((it) => it !== 'mark').flatMap((it) => next(status, it) ?? []);
      expect(new Set(leads)).toEqual(new Set(status === 'done' ? ['expired'] : ['queued']));
    }
  });

  it('the transitions of a video task cancel and give up whatever is unfinished, and nothing else', () => {
    for (const status of taskStatus.options) {
      expect(next(status, 'cancel')).toBe(isUnfinished(status) ? 'cancelled' : null);
      expect(next(status, 'give_up')).toBe(isUnfinished(status) ? 'failed' : null);
    }
  });

  it('the transitions of a video task keep every task whole, whatever happens to it in whatever order', () => {
    fc.assert(
      fc.property(story, (steps) => {
        let row = fresh;
        steps.forEach((step, i) => {
          const now = (i + 1) * 1000;
          const changed = emit(row, step, now);
          expect(changed?.status ?? null).toBe(next(row.status, step));
          if (changed === null) return;
          expect(changed.version).toBe(row.version + 1);
          expect(changed.updated_ms).toBe(now);
          expect(changed.attempts - row.attempts).toBe(step === 'begin' ? 1 : 0);
          if (step === 'mark') {
            expect(changed).toEqual({
              ...row,
              important: !row.important,
              updated_ms: now,
              version: changed.version,
            });
            row = changed;
            return;
          }
          expect(changed.important).toBe(row.important);
          if (changed.status === 'done') {
            expect(changed).toMatchObject({
              file,
              file_name: 'a.mp4',
              done_ms: now,
              expires_ms: 99,
              error: null,
            });
          } else {
            expect(changed.file === null).toBe(!(changed.status === 'processing' && step === 'state_file'));
            expect(changed.done_ms !== null).toBe(changed.status === 'expired');
          }
          row = changed;
        });
      }),
    );
  });

  it('the transitions of a video task mark a task in any status without moving it', () => {
    for (const status of taskStatus.options) expect(next(status, 'mark')).toBe(status);
  });

  it('the transitions of a video task can bring every unfinished task to its file', () => {
    for (const status of taskStatus.options.filter(isUnfinished))
      expect(next(status, 'file_there')).toBe('done');
  });
});
