import { describe, expect, it } from 'vitest';
import { planEvidence, uniqueNames, type DoneTask } from '../../../../server/video/evidence/evidencePlan.ts';
import { task } from '../../store/telemetry/sampleRows.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const file = {
  size_bytes: 1,
  duration_s: 1,
  content_type: 'video/mp4',
  sha256: '',
  width: 2,
  height: 2,
  starts_at: null,
};

function done(task_id: string, more: object): DoneTask {
  return { row: task({ task_id, from_ms: noon, to_ms: noon + 10_000, ...more }), file, file_name: task_id };
}

const vehicles: Record<string, { name: string; plate: string | null; terminal_id: string }> = {
  a: { name: 'Van A', plate: 'B/AB 1', terminal_id: '0700' },
  b: { name: 'Bus', plate: null, terminal_id: '0701' },
};
const plan = (tasks: DoneTask[]) =>
  planEvidence(tasks, {
    vehicleOf: (id) => vehicles[id],
    channelNameOf: ({ channel }) => (channel === 1 ? 'Front' : null),
  });

describe('the plan of an export', () => {
  it('the plan of an export puts the clips of each vehicle in order and gives its period with a minute on both sides', () => {
    const [van, bus, ...others] = plan([
      done('2', { vehicle_id: 'b', channel: 2 }),
      done('3', { vehicle_id: 'a' }),
      done('1', { vehicle_id: 'b' }),
      done('0', { vehicle_id: 'b', channel: 2, from_ms: noon - 5_000, to_ms: noon }),
    ]);
    expect(others).toEqual([]);
    expect(van).toMatchObject({ vehicle_id: 'a', name: 'Van A', plate: 'B/AB 1' });
    expect(bus).toMatchObject({ from_ms: noon - 65_000, to_ms: noon + 70_000 });
    expect(bus?.clips.map((it) => [it.row.task_id, it.name, it.channel_name])).toEqual([
      ['0', 'clips/Bus channel 2 2026-11-21 11-59-55Z.mp4', null],
      ['1', 'clips/Bus channel 1 2026-11-21 12-00-00Z.mp4', 'Front'],
      ['2', 'clips/Bus channel 2 2026-11-21 12-00-00Z.mp4', null],
    ]);
  });

  it('the plan of an export gives names that no file system refuses and that lead out of no folder', () => {
    const [van] = plan([done('1', { vehicle_id: 'a' })]);
    expect(van?.clips[0]?.name).toBe('clips/B_AB 1 channel 1 2026-11-21 12-00-00Z.mp4');
    expect(van?.positionsName).toBe('positions/B_AB 1 2026-11-21 11-59-00Z');
  });

  it('the plan of an export gives the same fragment twice two names', () => {
    const names = plan([done('1', {}), done('2', {})])[0]?.clips.map((it) => it.name);
    expect(names).toEqual([
      'clips/0007 channel 1 2026-11-21 12-00-00Z.mp4',
      'clips/0007 channel 1 2026-11-21 12-00-00Z (2).mp4',
    ]);
  });
});

it('a name that differs in letter case alone is taken', () => {
  const unique = uniqueNames();
  expect(['a.csv', 'A.CSV', 'a.csv', 'b', 'b'].map(unique)).toEqual([
    'a.csv',
    'A (2).CSV',
    'a (3).csv',
    'b',
    'b (2)',
  ]);
});
