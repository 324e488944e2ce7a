import { describe, expect, it, onTestFinished } from 'vitest';
import { createMp4Service } from '../../../../../server/video/media/mp4Service.ts';
import { nalUnitsOf } from '../../../../../server/video/terminals/jt1078/pictureTrack.ts';
import {
  captureNeeded,
  cutPackets,
  hasCapture,
  readCapture,
  serialOf,
  timeOf,
  withSerial,
  writePacket,
} from '../../../../support/jt1078Packets.ts';
import { readBack } from '../../media/sampleVideos.ts';
import { adtsFrame } from './adtsFrame.ts';
import { has, phone, run, terminalFixture } from './terminalBench.ts';

const ffmpeg = (args: string[]) => run('ffmpeg', ['-v', 'error', '-xerror', ...args]);
const ffmpegNeeded = has('ffmpeg') ? '' : ' (skipped: ffmpeg is not here)';

/** The real picture with sound between its frames, in pieces of 20 ms, counted with it. */
function withSound(payload: (piece: number) => Buffer | null, payloadType: number, every_ms = 20): Buffer[] {
  const own = cutPackets(readCapture());
  const start = timeOf(own[0] ?? Buffer.alloc(24)) ?? 0;
  const packets: Buffer[] = [];
  let piece = 0;
  for (const packet of own) {
    const now = (timeOf(packet) ?? 0) - start;
    for (; piece * every_ms < now; piece++) {
      const sound = payload(piece);
      const head = { sim: phone, kind: 3, payloadType, time_ms: start + piece * every_ms };
      if (sound !== null) packets.push(writePacket({ ...head, payload: sound }));
    }
    packets.push(packet);
  }
  return packets.map((it, serial) => withSerial(it, serial));
}

async function fetched(packets: readonly Buffer[]) {
  const { terminal, order, output, connect } = await terminalFixture();
  const media = createMp4Service();
  onTestFinished(() => media.close());
  await connect({ packets, plays: 'all' });
  await terminal.fetchFragment(order());
  const finished = `${output}.mp4`;
  const facts = await media.finish({ input: output, output: finished, signal: new AbortController().signal });
  return { finished, facts, clip: await readBack(finished) };
}

describe.skipIf(!hasCapture)(`the audio of a terminal${captureNeeded}`, () => {
  it('audio in G.711 is FLAC in the clip, as long as the frames', async () => {
    const tone = Buffer.from(Uint8Array.from({ length: 160 }, (_, i) => (i % 20 < 10 ? 0xaa : 0x2a)));
    const silent = (piece: number) => piece > 1_000 && piece < 1_200;
    const { finished, clip } = await fetched(withSound((piece) => (silent(piece) ? null : tone), 6));
    expect(clip.audioTracks).toBe(1);
    expect(clip.times).toHaveLength(931);
    if (!has('ffmpeg')) return;
    const pcm = ffmpeg(['-i', finished, '-map', '0:a', '-f', 's16le', '-']);
    expect(pcm.length / 2 / 8_000).toBeCloseTo(106.1, 0);
    const at = (ms: number) => Math.abs(pcm.readInt16LE(ms * 16));
    expect([at(10_000), at(21_000), at(100_000)]).toEqual([32_256, 0, 32_256]);
  });

  it('the audio of a terminal that ends long before the picture does not hold it back', async () => {
    const { clip } = await fetched(withSound((piece) => (piece < 100 ? Buffer.alloc(160, 0xaa) : null), 7));
    expect(clip.audioTracks).toBe(1);
    expect(clip.times).toHaveLength(931);
  });

  it('the audio of a terminal in a coding that no browser plays is left out', async () => {
    const { clip } = await fetched(withSound(() => Buffer.alloc(80, 0x11), 8));
    expect(clip).toMatchObject({ audioTracks: 0, width: 352 });
    expect(clip.times).toHaveLength(931);
  });

  it.skipIf(!has('ffmpeg'))(`the audio of a terminal in AAC is taken as it is${ffmpegNeeded}`, async () => {
    const sine = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=8000:duration=106'];
    const aac = ffmpeg([...sine, '-c:a', 'aac', '-f', 'adts', '-']);
    const frames: Buffer[] = [];
    for (let at = 0; at < aac.length;) {
      const length = (aac.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
      frames.push(aac.subarray(at, at + length));
      at += length;
    }
    expect(adtsFrame(frames[3]?.subarray(7) ?? Buffer.alloc(0), 8_000, 1).subarray(0, 4)).toEqual(
      frames[3]?.subarray(0, 4),
    );
    const { finished, clip } = await fetched(withSound((piece) => frames[piece] ?? null, 19, 128));
    expect(clip.audioTracks).toBe(1);
    const pcm = ffmpeg(['-i', finished, '-map', '0:a', '-f', 's16le', '-']);
    expect(pcm.length / 2 / 8_000).toBeCloseTo(106, 0);
  });
});

describe.skipIf(!has('ffmpeg'))(`a terminal that records in H.265${ffmpegNeeded}`, () => {
  it('a terminal that records in H.265 gives a clip of it, with its key frames marked', async () => {
    const source = ['-f', 'lavfi', '-i', 'testsrc=size=352x288:rate=10:duration=6'];
    const coding = ['-c:v', 'libx265', '-preset', 'ultrafast', '-bf', '0', '-g', '20'];
    const params = 'keyint=20:min-keyint=20:bframes=0:scenecut=0:repeat-headers=1:aud=1:log-level=none';
    const stream = ffmpeg([...source, ...coding, '-x265-params', params, '-f', 'hevc', '-']);
    const frames: Buffer[][] = [];
    for (const nal of nalUnitsOf(stream)) {
      const type = (nal.readUInt8(0) >> 1) & 0x3f;
      if (type === 35) frames.push([]);
      frames.at(-1)?.push(Buffer.of(0, 0, 0, 1), nal);
    }
    expect(frames).toHaveLength(60);
    let serial = 0;
    const packets = frames.flatMap((pieces, index) => {
      const data = Buffer.concat(pieces);
      const count = Math.ceil(data.length / 950);
      return Array.from({ length: count }, (_, i) =>
        writePacket({
          sim: phone,
          kind: index % 20 === 0 ? 0 : 1,
          part: count === 1 ? 0 : i === 0 ? 1 : i === count - 1 ? 2 : 3,
          payloadType: 99,
          serial: serial++,
          time_ms: 5_000 + index * 100,
          sinceFrameMs: 100,
          payload: data.subarray(i * 950, (i + 1) * 950),
        }),
      );
    });
    expect(serialOf(packets.at(-1) ?? Buffer.alloc(8))).toBe(packets.length - 1);
    const { finished, facts, clip } = await fetched(packets);
    expect(facts.codec).toMatch(/^h(vc|ev)1/);
    expect(clip).toMatchObject({ width: 352, height: 288 });
    expect(clip.times).toHaveLength(60);
    expect(clip.keyTimes.map((it) => Math.round(it * 10))).toEqual([0, 20, 40]);
    expect(clip.endS).toBeCloseTo(6, 3);
    expect(ffmpeg(['-i', finished, '-f', 'null', '-']).toString()).toBe('');
  });
});
