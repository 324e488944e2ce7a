import fc from 'fast-check';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MediaClaim } from '../../../../../server/video/terminals/jt1078/mediaListener.ts';
import { createPacketSplitter } from '../../../../../server/video/terminals/jt1078/packetSplitter.ts';
import { receivePlayback } from '../../../../../server/video/terminals/jt1078/receivePlayback.ts';
import { createFakeClock } from '../../../../support/fakeClock.ts';
import {
  captureNeeded,
  cutPackets,
  hasCapture,
  readCapture,
  writePacket,
} from '../../../../support/jt1078Packets.ts';
import { readBack } from '../../media/sampleVideos.ts';
import { faultOf } from '../faultOf.ts';
import { phone } from './terminalBench.ts';

const minute = 60_000;

/** A clip that waits for a terminal, whose packets are handed in by the test. */
async function waiting(span_ms: number, checkRoom = () => Promise.resolve()) {
  const folder = await mkdtemp(join(tmpdir(), 'clip-'));
  const path = join(folder, 'clip');
  const file = await open(path, 'w');
  onTestFinished(async () => {
    await file.close();
    await rm(folder, { recursive: true, force: true });
  });
  const clock = createFakeClock();
  const claims: MediaClaim[] = [];
  const listener = {
    claim(claim: MediaClaim) {
      claims.push(claim);
      return () => undefined;
    },
  };
  const clip = receivePlayback(
    {
      ...{ sim: phone, channel: 1, span_ms, file, lastEndMs: null },
      onProgress: () => undefined,
      onBegun: () => undefined,
      onShort: () => undefined,
    },
    { listener, clock, checkQuota: checkRoom },
  );
  const taker = claims[0]?.opened();
  if (clip === null || taker === undefined) throw new Error('nobody waits');
  let isOver = false;
  const over = () => void (isOver = true);
  clip.ended.then(over, over);
  return { clip, taker, clock, path, isOver: () => isOver, outcome: () => faultOf(clip.ended) };
}

const packetsOf = (bytes: Buffer) => {
  const splitter = createPacketSplitter();
  return [...splitter.push(bytes), ...splitter.end()];
};

describe.skipIf(!hasCapture)(`a stream without end${captureNeeded}`, () => {
  const picture = () => cutPackets(readCapture()).slice(0, 30);

  it('a stream without end of bytes beyond what a camera records is stopped', async () => {
    const { taker, outcome } = await waiting(1_000);
    for (let at = 0; at < 200; at += 1) taker.bytes(1024 ** 2);
    expect(await outcome()).toMatchObject({
      fault: 'bad_media',
      detail: expect.stringMatching(/more than \d+ bytes/),
    });
  });

  it('a stream without end of more frames than any camera records is stopped', async () => {
    const { taker, outcome, isOver } = await waiting(1_000);
    const all = packetsOf(Buffer.concat(picture()));
    const key = all.filter((it) => it.time_ms === all[0]?.time_ms);
    const small = all.find((it) => it.kind === 'P' && it.part === 'whole');
    if (small === undefined) throw new Error('no small picture');
    for (const it of key) await taker.take(it);
    for (let shown = 1; !isOver(); shown += 1) {
      const serial = (key.at(-1)?.serial ?? 0) + shown;
      await taker.take({ ...small, serial, time_ms: (small.time_ms ?? 0) + shown, sinceFrameMs: 1 });
      if (shown % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await outcome()).toMatchObject({
      fault: 'bad_media',
      detail: expect.stringContaining('more than any camera records'),
    });
  });

  it('a stream without end of a packet now and then is stopped at last', async () => {
    const { taker, outcome, clock, isOver } = await waiting(1_000);
    for (let serial = 0; !isOver(); serial += 1) {
      const [packet] = packetsOf(writePacket({ sim: phone, kind: 1, serial, payload: Buffer.of(0) }));
      if (packet !== undefined) await taker.take(packet);
      clock.advance(minute / 2);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await outcome()).toMatchObject({
      fault: 'hung_up',
      detail: expect.stringContaining('not at its end'),
    });
    expect(clock.monotonic()).toBeLessThanOrEqual(11 * minute);
  });

  it('a stream without end is stopped when the disk has no more space', async () => {
    const full = Object.assign(new Error('no room'), { code: 'ENOSPC' });
    const { taker, clip } = await waiting(20_000, () => Promise.reject(full));
    taker.bytes(33 * 1024 ** 2);
    for (const packet of packetsOf(Buffer.concat(picture()))) await taker.take(packet);
    await expect(clip.ended).rejects.toBe(full);
  });
});

it.skipIf(!hasCapture)(
  `a real terminal's stream that is damaged anywhere gives a clip or a clear error${captureNeeded}`,
  async () => {
    const packets = cutPackets(readCapture()).slice(0, 60);
    const bytes = Buffer.concat(packets);
    const damage = fc.record({
      at: fc.integer({ min: 0, max: bytes.length - 1 }),
      value: fc.integer({ min: 0, max: 255 }),
      cut: fc.integer({ min: 0, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { maxLength: 30 }), fc.boolean(), async (damages, isCut) => {
        let broken = Buffer.from(bytes);
        for (const { at, value, cut } of damages) {
          if (at >= broken.length) continue;
          broken[at] = value;
          broken = Buffer.concat([broken.subarray(0, at), broken.subarray(at + cut)]);
        }
        const { taker, path, outcome } = await waiting(20_000);
        taker.bytes(broken.length);
        for (const packet of packetsOf(broken)) await taker.take(packet);
        taker.closed(isCut);
        const { fault } = await outcome();
        expect(['none', 'bad_media', 'hung_up', 'no_recording']).toContain(fault);
        if (fault === 'none') expect((await readBack(path)).times.length).toBeGreaterThan(0);
      }),
      { numRuns: 30 },
    );
  },
);
