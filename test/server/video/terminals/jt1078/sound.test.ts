import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readAdts,
  silentAac,
  decodeG711,
  createAudioTrack,
  withoutHisiliconHead,
  type SoundPiece,
} from '../../../../../server/video/terminals/jt1078/audioTrack.ts';
import { createFlacEncoder, flacBlock } from '../../../../../server/video/terminals/jt1078/flac.ts';
import { adtsFrame } from './adtsFrame.ts';
import { decodeFlacFrame } from './flacDecoder.ts';
import { has, run } from './terminalBench.ts';

const [g711a, g711u, g726, aac] = [6, 7, 8, 19];

describe('G.711', () => {
  it('G.711 is decoded to the values of its tables', () => {
    // ITU-T G.711, tables 1a and 2a, scaled to 16 bits: the ends, the least steps and the middle of a segment.
    expect([...decodeG711(Uint8Array.from([0xd5, 0x55, 0xaa, 0x2a, 0x80, 0x00]), g711a)]).toEqual([
      8, -8, 32_256, -32_256, 5_504, -5_504,
    ]);
    expect([...decodeG711(Uint8Array.from([0xff, 0x7f, 0x80, 0x00, 0xfe]), g711u)]).toEqual([
      0, 0, 32_124, -32_124, 8,
    ]);
  });

  it.skipIf(!has('ffmpeg'))(
    `G.711 is decoded as ffmpeg does${has('ffmpeg') ? '' : ' (skipped: ffmpeg is not here)'}`,
    () => {
      const codes = Uint8Array.from({ length: 256 }, (_, i) => i);
      for (const [type, name] of [
        [g711a, 'alaw'],
        [g711u, 'mulaw'],
      ] as const) {
        const args = ['-v', 'error', '-f', name, '-ar', '8000', '-ac', '1', '-i', '-', '-f', 's16le', '-'];
        const pcm = run('ffmpeg', args, codes);
        const theirs = Array.from({ length: 256 }, (_, i) => pcm.readInt16LE(i * 2));
        expect([...decodeG711(codes, type)]).toEqual(theirs);
      }
    },
  );
});

describe('the FLAC encoder', () => {
  const block = (sample: fc.Arbitrary<number>, length = flacBlock) =>
    fc.array(sample, { minLength: length, maxLength: length });
  const loud = fc.integer({ min: -32_768, max: 32_767 });

  it('the FLAC encoder loses nothing of whole blocks, whatever the audio', () => {
    const kinds = fc.oneof(
      block(loud),
      block(fc.constantFrom(-32_768, 32_767)),
      block(loud.map((it) => it & ~7)),
      fc
        .tuple(fc.integer({ min: 1, max: 30_000 }), fc.integer({ min: 2, max: 200 }))
        .map(([height, length]) =>
          Array.from({ length: flacBlock }, (_, i) => Math.round(height * Math.sin(i / length))),
        ),
      loud.map((it) => Array.from({ length: flacBlock }, () => it)),
    );
    fc.assert(
      fc.property(fc.array(kinds, { minLength: 1, maxLength: 3 }), (blocks) => {
        const encoder = createFlacEncoder(8_000);
        for (const block of blocks) {
          const samples = Int16Array.from(block);
          const decoded = decodeFlacFrame(encoder.encode(samples), flacBlock);
          expect(Int16Array.from(decoded)).toEqual(samples);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('the FLAC encoder loses nothing of a last block of any length, nor of its number', () => {
    fc.assert(
      fc.property(
        fc.array(loud, { minLength: 1, maxLength: flacBlock - 1 }),
        fc.nat(40),
        (samples, before) => {
          const encoder = createFlacEncoder(8_000);
          for (let i = 0; i < before * 60; i++) encoder.encode(Int16Array.of(0));
          expect(decodeFlacFrame(encoder.encode(Int16Array.from(samples)), samples.length)).toEqual(samples);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('the FLAC encoder says what it writes: 8 kHz, one channel, 16 bits', () => {
    const { description } = createFlacEncoder(8_000);
    expect(Buffer.from(description.subarray(0, 26)).toString('hex')).toBe(
      '664c6143' + '80000022' + '0400' + '0400' + '000000' + '000000' + '01f400f0' + '00000000',
    );
    expect(description).toHaveLength(42);
  });

  it.skipIf(!has('ffmpeg'))(
    `the FLAC encoder is understood by ffmpeg, sample for sample${has('ffmpeg') ? '' : ' (skipped: ffmpeg is not here)'}`,
    () => {
      const count = flacBlock * 150 + 77;
      const pcm = decodeG711(
        Uint8Array.from({ length: count }, (_, i) => (i < 9_000 ? 0xd5 : (i * i * 31 + (i >> 5)) & 0xff)),
        g711a,
      );
      const encoder = createFlacEncoder(8_000);
      const pieces: Uint8Array[] = [encoder.description];
      for (let at = 0; at < count; at += flacBlock)
        pieces.push(encoder.encode(pcm.subarray(at, at + flacBlock)));
      const args = ['-v', 'error', '-f', 'flac', '-i', '-', '-f', 's16le', '-'];
      const decoded = run('ffmpeg', args, Buffer.concat(pieces));
      expect(decoded.equals(Buffer.from(pcm.buffer))).toBe(true);
    },
  );
});

function samplesOf(pieces: readonly SoundPiece[]): number[] {
  return pieces.flatMap((it) => decodeFlacFrame(it.data, Math.round(it.duration_ms * 8)));
}

describe('the audio of a clip', () => {
  it('the audio of a clip of G.711 is FLAC without a hole, each sample in its place', () => {
    const track = createAudioTrack(g711a);
    if (track === null) throw new Error('no track');
    const tone = Buffer.alloc(160, 0xaa);
    const pieces = [
      ...track.take(tone, 0),
      ...track.take(tone, 20),
      // 300 ms are missing.
      ...track.take(tone, 340),
      ...track.end(),
    ];
    const samples = samplesOf(pieces);
    expect(samples).toHaveLength(360 * 8);
    const heard = (from_ms: number, to_ms: number) => new Set(samples.slice(from_ms * 8, to_ms * 8));
    expect(heard(0, 40)).toEqual(new Set([32_256]));
    expect(heard(40, 340)).toEqual(new Set([0]));
    expect(heard(340, 360)).toEqual(new Set([32_256]));
    pieces.forEach((it, i) => {
      const before = pieces[i - 1];
      expect(it.time_ms).toBeCloseTo(before === undefined ? 0 : before.time_ms + before.duration_ms, 6);
    });
  });

  it('the audio of a clip does not run away from its picture when stamps jitter, and leaves out what comes twice', () => {
    const track = createAudioTrack(g711u);
    if (track === null) throw new Error('no track');
    const second = Buffer.alloc(8_000, 0x80);
    const pieces = [
      ...track.take(second, 30),
      ...track.take(second, 960),
      ...track.take(second, 1_000),
      ...track.take(second, 2_000),
      ...track.end(),
    ];
    expect(samplesOf(pieces)).toHaveLength(3 * 8_000);
  });

  it('the audio of a clip is silence up to where the picture is when none comes', () => {
    const track = createAudioTrack(g711a);
    if (track === null) throw new Error('no track');
    const pieces = [...track.take(Buffer.alloc(80, 0xaa), 0), ...track.fillTo(5_000), ...track.end()];
    expect(samplesOf(pieces)).toHaveLength(40_000);
    expect(track.fillTo(4_000)).toEqual([]);
  });

  it('the audio of a clip of AAC is taken as it is, out of its ADTS heads, with silent frames where some are missing', () => {
    const track = createAudioTrack(aac);
    if (track === null) throw new Error('no track');
    const [a, b] = [Buffer.from('first'), Buffer.from('second')];
    const taken = track.take(Buffer.concat([adtsFrame(a, 8_000, 1), adtsFrame(b, 8_000, 1)]), 0);
    expect(taken.map((it) => [Buffer.from(it.data).toString(), it.time_ms, it.duration_ms])).toEqual([
      ['first', 0, 128],
      ['second', 128, 128],
    ]);
    expect(taken[0]?.format.config).toMatchObject({
      codec: 'mp4a.40.2',
      sampleRate: 8_000,
      numberOfChannels: 1,
    });
    expect(Buffer.from(taken[0]?.format.config.description ?? []).toString('hex')).toBe('1588');
    const later = track.take(adtsFrame(a, 8_000, 1), 640);
    expect(later.map((it) => it.time_ms)).toEqual([256, 384, 512, 640]);
    expect(later.slice(0, 3).every((it) => it.data === silentAac[1])).toBe(true);
  });

  it('the audio of a clip leaves out codings that browsers do not play', () => {
    expect(createAudioTrack(g726)).toBeNull();
  });

  it('the audio of a clip is freed of the four bytes that HiSilicon’s encoders put ahead, when they fit', () => {
    const sound = Buffer.alloc(160, 0xd5);
    const headed = Buffer.concat([Buffer.of(0, 1, 80, 0), sound]);
    expect(withoutHisiliconHead(headed)).toEqual(sound);
    expect(withoutHisiliconHead(sound)).toEqual(sound);
    const other = Buffer.concat([Buffer.of(0, 1, 81, 0), sound]);
    expect(withoutHisiliconHead(other)).toEqual(other);
  });

  it('the audio of a clip takes any bytes without an error', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(g711a, g711u, aac),
        fc.array(fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: -1_000, max: 60_000 })), {
          maxLength: 10,
        }),
        (type, payloads) => {
          const track = createAudioTrack(type);
          let end = 0;
          for (const [bytes, clip_ms] of payloads) {
            for (const piece of track?.take(Buffer.from(bytes), clip_ms) ?? []) {
              expect(piece.time_ms).toBeGreaterThanOrEqual(end - 0.001);
              end = piece.time_ms + piece.duration_ms;
            }
          }
        },
      ),
    );
  });

  it('the audio of a clip of damaged ADTS ends where the damage is', () => {
    const frame = adtsFrame(Buffer.from('sound'), 16_000, 2);
    fc.assert(
      fc.property(fc.nat(frame.length - 1), fc.nat(255), (at, value) => {
        const broken = Buffer.concat([frame, frame]);
        broken[at] = value;
        expect(readAdts(broken).length).toBeLessThanOrEqual(2);
      }),
    );
    expect(readAdts(Buffer.concat([frame, frame.subarray(0, 9)]))).toHaveLength(1);
  });
});
