import { describe, expect, it } from 'vitest';
import { noneSent, type OsmandFix, type OsmandSender } from '../../../../server/commands/osmandSender.ts';
import { playTrack, type PlayOptions } from '../../../../server/commands/replay/playTrack.ts';
import type { TrackRow } from '../../../../server/commands/replay/trackFile.ts';
import { fakePace } from './fakePace.ts';

const RECORDED_MS = Date.UTC(2017, 3, 18, 22, 10);
const TODAY_MS = Date.UTC(2026, 10, 19, 11);

async function* rowsAt(seconds: number[]): AsyncGenerator<TrackRow> {
  for (const [index, second] of seconds.entries()) {
    yield {
      vehicle: index % 2 === 0 ? 'a' : 'b',
      time: new Date(RECORDED_MS + second * 1000),
      lat: 1,
      lon: 2,
    };
    await Promise.resolve();
  }
}

function noting(
  pace: { now(): number },
  code = 200,
): OsmandSender & { fixes: (OsmandFix & { atMs: number })[]; lots: number[] } {
  const fixes: (OsmandFix & { atMs: number })[] = [];
  const lots: number[] = [];
  return {
    fixes,
    lots,
    send(sent) {
      fixes.push(...sent.map((fix) => ({ ...fix, atMs: pace.now() - TODAY_MS })));
      lots.push(sent.length);
      const acknowledged = code === 200 ? sent.length : 0;
      return Promise.resolve({
        ...noneSent(),
        sent: sent.length,
        acknowledged,
        failed: sent.length - acknowledged,
        byCode: { [code]: sent.length },
      });
    },
    close: () => undefined,
  };
}

function play(seconds: number[], options: Partial<PlayOptions> = {}, code = 200) {
  const pace = fakePace(TODAY_MS);
  const sender = noting(pace, code);
  const done = playTrack({
    rows: rowsAt(seconds),
    terminalIdOf: (vehicle) => vehicle,
    sender,
    pace,
    speed: 1,
    now: false,
    signal: new AbortController().signal,
    ...options,
  });
  return { pace, sender, done };
}

describe('a replay', () => {
  it('a replay sends each fix when its time has come, with its own time', async () => {
    const { sender, done } = play([0, 0, 5, 12]);
    expect(await done).toMatchObject({ sent: 4, acknowledged: 4 });
    expect(sender.fixes.map(({ atMs }) => atMs)).toEqual([0, 0, 5000, 12_000]);
    expect(sender.fixes.map(({ time }) => time.getTime() - RECORDED_MS)).toEqual([0, 0, 5000, 12_000]);
  });

  it.each([
    [10, [0, 500, 1200]],
    [0.5, [0, 10_000, 24_000]],
  ])('a replay plays %d times as fast', async (speed, atMs) => {
    const { sender, done } = play([0, 5, 12], { speed });
    await done;
    expect(sender.fixes.map((fix) => fix.atMs)).toEqual(atMs);
  });

  it('a replay does not fall behind by what sending takes', async () => {
    const pace = fakePace(TODAY_MS);
    const plain = noting(pace);
    const slow: OsmandSender = {
      ...plain,
      async send(fixes) {
        await pace.sleep(2000, new AbortController().signal);
        return plain.send(fixes);
      },
    };
    await play([0, 5, 12], { sender: slow, pace }).done;
    expect(plain.fixes.map(({ atMs }) => atMs)).toEqual([2000, 7000, 14_000]);
  });

  it('a replay never waits at full speed, and sends in lots', async () => {
    const { pace, sender, done } = play(
      Array.from({ length: 600 }, (_, second) => second),
      { speed: 'max' },
    );
    await done;
    expect(pace.sleptMs).toEqual([]);
    expect(sender.lots).toEqual([256, 256, 88]);
  });

  it('a replay stamps each fix with the instant of sending when asked to, no two of a vehicle alike', async () => {
    const { sender, done } = play([0, 0, 0, 0, 6], { now: true });
    await done;
    expect(sender.fixes.map(({ terminalId, time }) => [terminalId, time.getTime() - TODAY_MS])).toEqual([
      ['a', 0],
      ['b', 0],
      ['a', 1],
      ['b', 1],
      ['a', 6000],
    ]);
  });

  it('a replay reports its progress about every five seconds', async () => {
    const published: string[] = [];
    await play([0, 2, 4, 6, 8, 30], {
      onProgress: (result, at) => published.push(`${result.sent} ${at.toISOString()}`),
    }).done;
    expect(published).toEqual(['4 2017-04-18T22:10:06.000Z', '6 2017-04-18T22:10:30.000Z']);
  });

  it('a replay ends where it is when it is interrupted', async () => {
    const interrupted = new AbortController();
    const pace = fakePace(TODAY_MS);
    const sender = noting(pace);
    const { done } = play([0, 5, 10, 15], {
      sender,
      pace: {
        now: () => pace.now(),
        sleep(ms, signal) {
          if (sender.fixes.length === 2) interrupted.abort();
          return pace.sleep(ms, signal);
        },
      },
      signal: interrupted.signal,
    });
    expect(await done).toMatchObject({ sent: 2 });
  });

  it('a replay reports a host that does not answer at all', async () => {
    await expect(play([0, 5], {}, 0).done).rejects.toThrow('nobody answers');
  });
});
