import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createFrameAssembler,
  type MediaFrame,
} from '../../../../../server/video/terminals/jt1078/frameAssembler.ts';
import {
  maxPayloadBytes,
  type MediaPacket,
} from '../../../../../server/video/terminals/jt1078/mediaPacket.ts';
import { createPacketSplitter } from '../../../../../server/video/terminals/jt1078/packetSplitter.ts';
import {
  captureFacts,
  captureNeeded,
  cutPackets,
  hasCapture,
  hasVectors,
  packetVectors,
  readCapture,
  writePacket,
} from '../../../../support/jt1078Packets.ts';

function split(bytes: Buffer, sizes: readonly number[] = [bytes.length]) {
  const splitter = createPacketSplitter();
  const packets: MediaPacket[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? bytes.length;
    packets.push(...splitter.push(bytes.subarray(at, at + size)));
    at += size;
  }
  packets.push(...splitter.end());
  return { packets, garbage: splitter.garbage(), wasCut: splitter.wasCut() };
}

function frames(bytes: Buffer, sizes?: readonly number[]) {
  const assembler = createFrameAssembler();
  const found: MediaFrame[] = [];
  for (const packet of split(bytes, sizes).packets) {
    const frame = assembler.push(packet);
    if (frame !== null) found.push(frame);
  }
  return { found, lost: assembler.lost() };
}

const kinds = ['I', 'P', 'B', 'sound', 'transparent'];
const parts = ['whole', 'first', 'last', 'middle'];

describe(`packets of others' tests`, () => {
  if (!hasVectors)
    it("packets of others' tests are read as is stated", ({ skip }) => skip(captureNeeded.trim()));

  it.each(packetVectors().map((it) => [it.id, it] as const))('%s is read as is stated', (_id, vector) => {
    const bytes = Buffer.from(vector.input, 'hex');
    const { packets, garbage, wasCut } = split(bytes);
    const { expect: said } = vector;
    if (said.kind !== 'packet') {
      expect(packets).toEqual([]);
      expect(garbage).toBe(bytes.length);
      expect(wasCut).toBe(said.kind === 'incomplete');
      return;
    }
    const [first] = packets;
    expect(first).toMatchObject({
      sim: String(said.sim).replace(/^0+/, ''),
      channel: said.channel,
      serial: said.seq,
      payloadType: said.payload_type,
      kind: kinds[Number(said.data_type)],
      part: parts[Number(said.part)],
      time_ms: said.timestamp,
      sinceFrameMs: said.since_prev_ms ?? 0,
    });
    expect(first?.payload).toHaveLength(Number(said.payload_len));
    if (typeof said.payload_hex === 'string') expect(first?.payload.toString('hex')).toBe(said.payload_hex);
    if (said.bytes_left_after_packet === 32) expect(packets).toHaveLength(2);
  });
});

describe.skipIf(!hasCapture)(`a real terminal's stream${captureNeeded}`, () => {
  it("a real terminal's stream gives the packets and frames that are known of it, every byte in its place", () => {
    const said = captureFacts();
    const { packets, garbage } = split(readCapture());
    expect({ packets: packets.length, garbage }).toEqual({ packets: said.packets, garbage: 0 });
    expect(new Set(packets.map((it) => `${it.sim} ${it.channel} ${it.payloadType}`))).toEqual(
      new Set([`${said.sim_bcd.replace(/^0+/, '')} ${said.channel} 98`]),
    );
    const { found, lost } = frames(readCapture());
    expect(lost).toBe(0);
    expect(found).toHaveLength(said.video_frames);
    const keys = found.filter((it) => it.kind === 'I');
    expect(keys.map((it) => ({ timestamp: it.time_ms, bytes: it.data.length }))).toEqual(said.i_frames);
    const all = Buffer.concat(found.map((it) => it.data));
    expect(all).toHaveLength(said.video_annexb_bytes);
    expect(createHash('sha256').update(all).digest('hex')).toBe(said.video_annexb_sha256);
    expect(found.at(0)?.time_ms).toBe(said.timestamp_first);
    expect(found.at(-1)?.time_ms).toBe(said.timestamp_last);
  });

  it("a real terminal's stream gives the same however it is cut on the way", () => {
    const bytes = readCapture().subarray(0, 60_000);
    const whole = frames(bytes).found;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        expect(frames(bytes, sizes).found).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  it("a real terminal's stream gives the same with garbage between its packets, which is counted", () => {
    const packets = cutPackets(readCapture()).slice(0, 60);
    const whole = frames(Buffer.concat(packets)).found;
    const garbage = fc
      .uint8Array({ maxLength: 60 })
      .filter((it) => !Buffer.concat([it, it]).includes('30', 'hex'));
    fc.assert(
      fc.property(
        fc.array(garbage, { minLength: 60, maxLength: 60 }),
        fc.integer({ min: 1, max: 2_000 }),
        (pieces, size) => {
          const bytes = Buffer.concat(packets.flatMap((it, i) => [it, pieces[i] ?? Buffer.alloc(0)]));
          expect(frames(bytes, [size]).found).toEqual(whole);
          expect(split(bytes, [size]).garbage).toBe(pieces.reduce((sum, it) => sum + it.length, 0));
        },
      ),
      { numRuns: 50 },
    );
  });

  it("a real terminal's stream that is damaged anywhere crashes nothing, keeps to its bounds, and goes on with whole frames", () => {
    const packets = cutPackets(readCapture()).slice(0, 40);
    const bytes = Buffer.concat(packets);
    const damage = fc.record({
      at: fc.integer({ min: 0, max: bytes.length - 1 }),
      value: fc.integer({ min: 0, max: 255 }),
      cut: fc.integer({ min: 0, max: 50 }),
    });
    const some = cutPackets(readCapture()).slice(0, 400);
    const tail = Buffer.concat(some.slice(40));
    const last = frames(Buffer.concat(some)).found.at(-1);
    fc.assert(
      fc.property(
        fc.array(damage, { maxLength: 12 }),
        fc.integer({ min: 1, max: 5_000 }),
        (damages, size) => {
          let broken = Buffer.from(bytes);
          for (const { at, value, cut } of damages) {
            broken[at] = value;
            broken = Buffer.concat([broken.subarray(0, at), broken.subarray(at + cut)]);
          }
          const { packets: found, garbage } = split(broken, [size]);
          const used = found.reduce((sum, it) => sum + it.payload.length, 0);
          expect(used + garbage).toBeLessThanOrEqual(broken.length);
          for (const it of found) expect(it.payload.length).toBeLessThanOrEqual(maxPayloadBytes);
          // A later I frame heals whatever came before.
          const healed = frames(Buffer.concat([broken, tail]), [size]).found;
          expect(healed.length).toBeGreaterThan(50);
          expect(healed.at(-1)).toEqual(last);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('the packet splitter', () => {
  const video = (serial: number, payload: Uint8Array, more = {}) =>
    writePacket({ sim: '13900001111', channel: 2, kind: 0, serial, time_ms: 1_000, payload, ...more });

  it('the packet splitter reads packets of video, audio and transparent data by their own heads', () => {
    const bytes = Buffer.concat([
      video(0, Buffer.from('picture'), { sinceFrameMs: 40 }),
      writePacket({
        sim: '13900001111',
        kind: 3,
        payloadType: 6,
        serial: 1,
        time_ms: 1_020,
        payload: Buffer.from('sound'),
      }),
      writePacket({ sim: '13900001111', kind: 4, payloadType: 91, serial: 2, payload: Buffer.from('data') }),
    ]);
    const { packets, garbage } = split(bytes);
    expect(packets.map((it) => [it.kind, it.time_ms, it.sinceFrameMs, it.payload.toString()])).toEqual([
      ['I', 1_000, 40, 'picture'],
      ['sound', 1_020, 0, 'sound'],
      ['transparent', null, 0, 'data'],
    ]);
    expect(garbage).toBe(0);
  });

  it('the packet splitter takes SIM numbers of ten bytes, as terminals of 2019 write them', () => {
    const wide = [0, 1, 2].map((serial) => video(serial, Buffer.alloc(50, serial + 1), { simBytes: 10 }));
    for (const size of [1, 7, 1_000]) {
      const { packets, garbage } = split(Buffer.concat(wide), [size]);
      expect(packets.map((it) => [it.sim, it.channel, it.serial])).toEqual(
        [0, 1, 2].map((it) => ['13900001111', 2, it]),
      );
      expect(garbage).toBe(0);
    }
  });

  it('the packet splitter finds the next packet behind one that claims to be longer than it is', () => {
    const bytes = Buffer.concat([
      video(0, Buffer.alloc(100, 1)),
      video(1, Buffer.alloc(100, 2), { statedLength: 150 }),
      video(2, Buffer.alloc(100, 3)),
      video(3, Buffer.alloc(100, 4)),
    ]);
    expect(split(bytes, [33]).packets.map((it) => it.serial)).toEqual([0, 2, 3]);
  });

  it('the packet splitter keeps a payload that holds the four bytes of a head by chance', () => {
    const odd = Buffer.concat([Buffer.alloc(10, 1), Buffer.from('30316364', 'hex'), Buffer.alloc(40, 1)]);
    const bytes = Buffer.concat([video(0, odd), video(1, odd)]);
    for (const size of [1, 50, 1_000]) {
      expect(split(bytes, [size]).packets.map((it) => it.payload)).toEqual([odd, odd]);
    }
  });

  it('the packet splitter passes over a head whose length no packet has', () => {
    const bytes = Buffer.concat([
      video(0, Buffer.alloc(9), { statedLength: 65_535 }),
      video(1, Buffer.alloc(9)),
    ]);
    expect(split(bytes).packets.map((it) => it.serial)).toEqual([1]);
  });

  it('the packet splitter takes any bytes in any pieces without an error', () => {
    const head = fc.constant(Buffer.from('3031636481', 'hex'));
    const noise = fc.uint8Array({ maxLength: 80 }).map((it) => Buffer.from(it));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(head, noise), { maxLength: 40 }),
        fc.integer({ min: 1, max: 90 }),
        (pieces, size) => {
          const bytes = Buffer.concat(pieces);
          const { packets, garbage } = split(bytes, [size]);
          expect(garbage).toBeLessThanOrEqual(bytes.length);
          expect(packets.length).toBeLessThanOrEqual(bytes.length / 18);
        },
      ),
      { numRuns: 300 },
    );
  });
});
