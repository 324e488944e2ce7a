import { stat } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Jt1078Deps } from '../../../../../server/video/terminals/jt1078/jt1078Terminal.ts';
import { margin_ms } from '../../../../../server/video/terminals/jt1078/receivePlayback.ts';
import { bothClips } from '../../../../support/fakeJt1078.ts';
import {
  captureFacts,
  captureNeeded,
  cutPackets,
  hasCapture,
  readCapture,
  timeOf,
  writePacket,
} from '../../../../support/jt1078Packets.ts';
import { readBack } from '../../media/sampleVideos.ts';
import { faultOf } from '../faultOf.ts';
import { captureSpanMs, from_ms, openMedia, phone, terminalFixture } from './terminalBench.ts';

const minute = 60_000;

/** The real stream's beginning, of `count` packets or a few more so that it ends with a whole frame. */
function wholeFrames(count: number): { bytes: number; pictures: number } {
  const packets = cutPackets(readCapture());
  const ends = (it: Buffer) => [0, 2].includes(it.readUInt8(15) & 0x0f);
  const last = packets.findIndex((it, i) => i >= count && ends(it));
  const taken = packets.slice(0, last + 1);
  return { bytes: taken.reduce((sum, it) => sum + it.length, 0), pictures: taken.filter(ends).length };
}

/** Resolves when so many pictures were taken. */
function takenAll(pictures: number) {
  let emit = (): void => undefined;
  const there = new Promise<void>((resolve) => (emit = resolve));
  let taken = 0;
  return {
    there,
    onProgress: () => {
      if (++taken === pictures) emit();
    },
  };
}

describe('a JT/T 1078 terminal', () => {
  it('a JT/T 1078 terminal that is not connected is off line', async () => {
    const { terminal, order } = await terminalFixture();
    expect((await faultOf(terminal.fetchFragment(order()))).fault).toBe('offline');
    const { signal } = new AbortController();
    expect(await terminal.isOnline({ terminal_id: phone, connection: {}, signal })).toBe(false);
  });

  it('a JT/T 1078 terminal is on line while it is connected, whatever zeros its number has', async () => {
    const { terminal, connect } = await terminalFixture();
    const fake = await connect();
    const { signal } = new AbortController();
    const isOnline = () => terminal.isOnline({ terminal_id: `0${phone}`, connection: {}, signal });
    expect(await isOnline()).toBe(true);
    await fake.close();
    await vi.waitFor(async () => expect(await isOnline()).toBe(false));
  });

  it.each([
    [1, 'declined', 'it failed'],
    [2, 'refused', 'it does not understand it'],
    [3, 'refused', 'it cannot do that'],
    [4, 'declined', 'its answer was 4'],
  ])(
    'a JT/T 1078 terminal that answers a request with %i is reported as having %s it, with its reason',
    async (result, fault, why) => {
      const { terminal, order, connect } = await terminalFixture();
      await connect({ answers: { result } });
      expect(await faultOf(terminal.fetchFragment(order()))).toEqual({
        fault,
        detail: `The terminal refuses the order: ${why}.`,
      });
    },
  );

  it('a JT/T 1078 terminal that has nothing is asked for its sub-stream, then for any', async () => {
    const { terminal, order, connect } = await terminalFixture();
    const fake = await connect({ answers: 'empty' });
    expect((await faultOf(terminal.fetchFragment(order()))).fault).toBe('no_recording');
    expect(fake.playbacks.map((it) => it.stream)).toEqual([2, 0]);
    await faultOf(terminal.fetchFragment(order({ connection: { stream: 'main' } })));
    expect(fake.playbacks.map((it) => it.stream)).toEqual([2, 0, 1]);
  });

  it('a JT/T 1078 terminal whose connection ends before anything came is off line', async () => {
    const { terminal, order, connect } = await terminalFixture();
    const fake = await connect({ answers: 'nothing', sends: 'no_connection' });
    const work = faultOf(terminal.fetchFragment(order()));
    await fake.nextPlayback();
    await fake.close();
    expect((await work).fault).toBe('offline');
  });

  it.each(['nothing', 'no_connection'] as const)(
    'a JT/T 1078 terminal that takes the request and sends %s has hung up',
    async (sends) => {
      const { terminal, order, connect, clock } = await terminalFixture();
      const fake = await connect({ sends });
      const work = faultOf(terminal.fetchFragment(order()));
      await (
        await fake.nextPlayback()
      ).over;
      clock.advance(minute);
      expect((await work).fault).toBe('hung_up');
      await fake.playbacks[0]?.ended;
    },
  );

  it('a JT/T 1078 terminal that sends packets without content has no recording', async () => {
    const { terminal, order, connect } = await terminalFixture();
    const packets = [0, 1, 2].map((serial) =>
      writePacket({ sim: phone, kind: 0, serial, payload: Buffer.alloc(0) }),
    );
    await connect({ packets });
    expect((await faultOf(terminal.fetchFragment(order()))).fault).toBe('no_recording');
  });

  it('a JT/T 1078 terminal that sends a picture in an unknown coding, or without a key frame, sends bad media', async () => {
    const { terminal, order, connect } = await terminalFixture();
    const packets = (payloadType: number) =>
      [0, 1, 2].map((serial) =>
        writePacket({
          sim: phone,
          kind: 0,
          serial,
          payloadType,
          payload: Buffer.from('0000000141e042bf', 'hex'),
        }),
      );
    await connect({ packets: packets(100) });
    const { fault, detail } = await faultOf(terminal.fetchFragment(order()));
    expect(fault).toBe('bad_media');
    expect(detail).toContain('(100)');
    await connect({ packets: packets(98) });
    expect(await faultOf(terminal.fetchFragment(order()))).toMatchObject({
      fault: 'bad_media',
      detail: expect.stringContaining('no key frame'),
    });
  });

  it('a JT/T 1078 terminal that sends only packets of another terminal is reported as bad media, with their number', async () => {
    const { terminal, order, connect, clock } = await terminalFixture();
    const packets = [0, 1].map((serial) =>
      writePacket({ sim: phone, kind: 0, serial, payload: Buffer.alloc(50) }),
    );
    const fake = await connect({ packets, sim: '13812345678' });
    const work = faultOf(terminal.fetchFragment(order()));
    await (
      await fake.nextPlayback()
    ).over;
    clock.advance(minute);
    const { fault, detail } = await work;
    expect(fault).toBe('bad_media');
    expect(detail).toContain('packets of terminal 13812345678, channel 3');
  });

  it('a JT/T 1078 terminal that sends garbage instead is reported as bad media', async () => {
    const { terminal, order, connect, clock, mediaPort } = await terminalFixture();
    const fake = await connect({ sends: 'no_connection' });
    const work = faultOf(terminal.fetchFragment(order()));
    await fake.nextPlayback();
    const socket = await openMedia(mediaPort);
    socket.end('GET / HTTP/1.1\r\n\r\n');
    await socket.over;
    clock.advance(minute);
    expect(await work).toMatchObject({ fault: 'bad_media', detail: expect.stringContaining('18 bytes') });
  });

  it('a JT/T 1078 terminal that sends pictures without end and never a key frame is stopped', async () => {
    const { terminal, order, connect } = await terminalFixture();
    const payload = Buffer.alloc(30_000, 7);
    payload.write('0000000141', 'hex');
    const packets = Array.from({ length: 50 }, (_, serial) =>
      writePacket({ sim: phone, kind: serial === 0 ? 0 : 1, serial, time_ms: serial * 40, payload }),
    );
    const fake = await connect({ packets, forever: true });
    const { fault, detail } = await faultOf(terminal.fetchFragment(order()));
    expect(fault).toBe('bad_media');
    expect(detail).toContain('without a picture');
    await fake.playbacks[0]?.over;
  });

  it('a JT/T 1078 terminal lists what it has, by the clock that its profile says', async () => {
    const { terminal, connect } = await terminalFixture();
    const many = Array.from({ length: 200 }, (_, i) => ({
      channel: 1 + (i % 4),
      from_ms: from_ms + i * minute,
      to_ms: from_ms + (i + 1) * minute,
      stream: 1 + (i % 2),
      alarm: i === 4 ? 1n : 0n,
      size: i * 1_000,
    }));
    await connect({ recordings: many, offsetMin: 180 });
    const found = await terminal.recordings?.({
      vehicle_id: 'vehicle',
      terminal_id: phone,
      connection: { utc_offset_min: 180 },
      channels: [1, 2],
      from_ms,
      to_ms: from_ms + 100 * minute,
      signal: new AbortController().signal,
    });
    expect(found).toHaveLength(50);
    expect(found?.[2]).toEqual({
      channel: 1,
      from: new Date(from_ms + 4 * minute).toISOString(),
      to: new Date(from_ms + 5 * minute).toISOString(),
      stream: 'main',
      size_bytes: 4_000,
      alarm: true,
    });
  });

  it('a JT/T 1078 terminal that does not answer for its list is off line', async () => {
    const { terminal, connect, clock } = await terminalFixture();
    const fake = await connect();
    const asked = new Promise<void>((resolve) => {
      fake.terminal.on(0x9205, () => resolve());
    });
    const order = {
      vehicle_id: 'v',
      terminal_id: phone,
      connection: {},
      channels: [1],
      from_ms,
      to_ms: from_ms + minute,
    };
    const { signal } = new AbortController();
    // The link goes while it is asked.
    const work = faultOf(Promise.resolve(terminal.recordings?.({ ...order, signal })));
    fake.terminal.abort();
    clock.advance(minute);
    await Promise.race([asked, work]);
    expect(['offline', 'none']).toContain((await work).fault);
  });
});

describe.skipIf(!hasCapture)(`a terminal that plays a real stream${captureNeeded}`, () => {
  const all = () => captureFacts().video_frames;

  it('a terminal that plays a real stream without a sub-stream is asked for any', async () => {
    const { terminal, order, connect, output } = await terminalFixture();
    const fake = await connect({ clips: { main: bothClips().main } });
    await terminal.fetchFragment(order());
    expect(fake.playbacks.map((it) => it.stream)).toEqual([2, 0]);
    expect((await readBack(output)).times).toHaveLength(all());
  });

  it.each([1, 3])(
    'a terminal that plays a real stream that refuses its sub-stream with %i is asked for any',
    async (refusesSub) => {
      const { terminal, order, connect, output } = await terminalFixture();
      const fake = await connect({ refusesSub });
      await terminal.fetchFragment(order());
      expect(fake.playbacks.map((it) => it.stream)).toEqual([2, 0]);
      expect((await readBack(output)).times).toHaveLength(all());
    },
  );

  it('a terminal that plays a real stream with both streams sends the requested one, and the sub-stream when neither is requested', async () => {
    const { terminal, order, connect, output } = await terminalFixture();
    const fake = await connect({ clips: bothClips() });
    const sizes: number[] = [];
    for (const connection of [{ stream: 'main' }, { stream: 'sub' }, {}] as const) {
      await terminal.fetchFragment(order({ connection }));
      expect((await readBack(output)).times).toHaveLength(all());
      sizes.push((await stat(output)).size);
    }
    const [main = 0, sub = 0, neither] = sizes;
    expect(main).toBeGreaterThan(sub + 200_000);
    expect(neither).toBe(sub);
    expect(fake.playbacks.map((it) => it.stream)).toEqual([1, 2, 2]);
  });

  it.each(['main', 'sub'] as const)(
    'a terminal that plays a real stream without the %s stream that is asked for has no recording',
    async (stream) => {
      const { terminal, order, connect } = await terminalFixture();
      const { main, sub } = bothClips();
      const fake = await connect({ clips: stream === 'main' ? { sub } : { main } });
      const work = terminal.fetchFragment(order({ connection: { stream } }));
      expect((await faultOf(work)).fault).toBe('no_recording');
      expect(fake.playbacks.map((it) => it.stream)).toEqual([stream === 'main' ? 1 : 2]);
    },
  );

  it.each([
    ['nothing', 'nothing'],
    ['that it will, and with no list', { result: 0 }],
  ] as const)(
    'a terminal that plays a real stream that answers %s is taken at its packets',
    async (_how, answers) => {
      const { terminal, order, connect, output } = await terminalFixture();
      await connect({ answers });
      await terminal.fetchFragment(order());
      expect((await readBack(output)).times).toHaveLength(all());
    },
  );

  it('a terminal that plays a real stream of 2019, with its wide number, delivers too', async () => {
    const { terminal, order, connect, output } = await terminalFixture();
    await connect({ form: '2019' });
    await terminal.fetchFragment(order());
    expect((await readBack(output)).times).toHaveLength(all());
  });

  it('a terminal that plays a real stream receives its request once alone, whether it answers or not', async () => {
    const { terminal, order, connect, clock } = await terminalFixture();
    const fake = await connect({ answers: 'nothing', sends: 'no_connection' });
    const work = faultOf(terminal.fetchFragment(order()));
    await fake.nextPlayback();
    for (let at = 0; at < 12; at += 1) {
      clock.advance(5_000);
      await fake.terminal.heartbeat();
    }
    expect((await work).fault).toBe('hung_up');
    expect(fake.terminal.received.filter((it) => it.id === 0x9201)).toHaveLength(1);
  });

  it('a terminal that plays a real stream receives the address by which it can reach the media port from beyond a router', async () => {
    const playbackOf = async (publicAddress: Jt1078Deps['publicAddress']) => {
      const { terminal, order, connect, mediaPort } = await terminalFixture({ publicAddress });
      const fake = await connect({ sends: 'no_connection' });
      const cancelling = new AbortController();
      const work = terminal.fetchFragment(order({ signal: cancelling.signal }));
      const { address, port } = await fake.nextPlayback();
      cancelling.abort(new Error('enough'));
      await expect(work).rejects.toThrow('enough');
      return { address, port, mediaPort };
    };
    expect(await playbackOf({ host: '203.0.113.9', port: 7_016 })).toMatchObject({
      address: '203.0.113.9',
      port: 7_016,
    });
    const { address, port, mediaPort } = await playbackOf({ host: '2001:db8::5', port: null });
    expect([address, port]).toEqual(['2001:db8::5', mediaPort]);
  });

  it('a terminal that plays a real stream is asked by its vehicle’s clock, unless its profile says another', async () => {
    const { terminal, order, connect } = await terminalFixture({
      clockOffsetS: (vehicleId) => (vehicleId === 'vehicle' ? -3_610 : 0),
    });
    const offsetMin = 480 - 3_610 / 60;
    const kept = { channel: 3, from_ms, to_ms: from_ms + captureSpanMs };
    const fake = await connect({ offsetMin, recordings: [kept] });
    await terminal.fetchFragment(order());
    await terminal.fetchFragment(order({ connection: { utc_offset_min: 0 } })).catch(() => undefined);
    // 04:43:00 in UTC.
    expect(fake.playbacks.map((it) => it.from)).toEqual(['261121114250', '261121044300']);
    const query = { vehicle_id: 'vehicle', terminal_id: phone, connection: {}, channels: [3] };
    const { signal } = new AbortController();
    expect(
      await terminal.recordings?.({ ...query, from_ms, to_ms: from_ms + captureSpanMs, signal }),
    ).toMatchObject([{ from: new Date(from_ms).toISOString() }]);
  });

  it('a terminal that plays a real stream does not receive its request again once it plays, though it did not answer', async () => {
    const { terminal, order, connect, clock } = await terminalFixture();
    const { bytes, pictures } = wholeFrames(300);
    const fake = await connect({ answers: 'nothing', stopsAfter: bytes });
    const { there, onProgress } = takenAll(pictures);
    const work = terminal.fetchFragment(order({ onProgress }));
    await there;
    clock.advance(minute);
    // It did not say how much it has, so what came is all.
    await work;
    await fake.playbacks[0]?.ended;
    expect(fake.playbacks).toHaveLength(1);
  });

  it('a terminal that plays a real stream loses no frame by garbage and another terminal’s packets between its own', async () => {
    const { terminal, order, connect, output } = await terminalFixture();
    await connect({
      garbage: { bytes: Buffer.from('0\x01c between packets 301', 'latin1'), every: 3 },
      otherSim: '13812345678',
    });
    await terminal.fetchFragment(order());
    expect((await readBack(output)).times).toHaveLength(all());
  });

  it('a terminal that plays a real stream that lies about sizes loses what it lied about, and no more than up to the next I frame', async () => {
    const { terminal, order, connect, output } = await terminalFixture();
    await connect({ lies: { every: 200, length: 1_500 } });
    await terminal.fetchFragment(order());
    const { times } = await readBack(output);
    expect(times.length).toBeGreaterThan(500);
    expect(times.length).toBeLessThan(all());
  });

  it('a terminal that plays a real stream that hangs up within a frame has hung up', async () => {
    const { terminal, order, connect } = await terminalFixture();
    await connect({ hangsUpAfter: wholeFrames(200).bytes + 500 });
    expect((await faultOf(terminal.fetchFragment(order()))).fault).toBe('hung_up');
  });

  it('a terminal that plays a real stream that lists less than was asked, and ends in good order, gives what it has', async () => {
    const { terminal, order, connect, output } = await terminalFixture();
    const { bytes, pictures } = wholeFrames(200);
    const kept = [{ channel: 3, from_ms, to_ms: from_ms + 15_000 }];
    await connect({ hangsUpAfter: bytes, recordings: kept });
    await terminal.fetchFragment(order());
    expect((await readBack(output)).times).toHaveLength(pictures);
  });

  it('a terminal that plays a real stream that lists more than it plays has hung up, and has no more when it ends there again', async () => {
    const { terminal, order, connect, output } = await terminalFixture();
    const { bytes, pictures } = wholeFrames(200);
    await connect({ hangsUpAfter: bytes });
    expect(await faultOf(terminal.fetchFragment(order()))).toMatchObject({
      fault: 'hung_up',
      detail: expect.stringContaining('though it lists more'),
    });
    await terminal.fetchFragment(order());
    expect((await readBack(output)).times).toHaveLength(pictures);
    // It was whole as far as can be known: the next one starts afresh.
    expect((await faultOf(terminal.fetchFragment(order()))).fault).toBe('hung_up');
  });

  it('a terminal that plays a real stream that ends elsewhere each time has hung up each time', async () => {
    const { terminal, order, connect } = await terminalFixture();
    for (const packets of [200, 400, 300]) {
      await connect({ hangsUpAfter: wholeFrames(packets).bytes });
      expect((await faultOf(terminal.fetchFragment(order()))).fault).toBe('hung_up');
    }
    // Of another fragment, stream or channel that says nothing.
    const other = order({ to_ms: from_ms + captureSpanMs - 1_000 });
    expect((await faultOf(terminal.fetchFragment(other))).fault).toBe('hung_up');
  });

  it('a terminal that plays a real stream that breaks off within the same frame twice has no more', async () => {
    const { terminal, order, connect, output } = await terminalFixture();
    const { bytes, pictures } = wholeFrames(200);
    await connect({ hangsUpAfter: bytes + 500 });
    expect((await faultOf(terminal.fetchFragment(order()))).fault).toBe('hung_up');
    await terminal.fetchFragment(order());
    expect((await readBack(output)).times.length).toBeGreaterThanOrEqual(pictures);
  });

  it('a terminal that plays a real stream that stops for a minute in the middle has hung up', async () => {
    const { terminal, order, connect, clock, mediaConnections } = await terminalFixture();
    const { bytes, pictures } = wholeFrames(300);
    const fake = await connect({ stopsAfter: bytes });
    const { there, onProgress } = takenAll(pictures);
    const work = faultOf(terminal.fetchFragment(order({ onProgress })));
    await there;
    clock.advance(minute - 1);
    expect(mediaConnections()).toBe(1);
    clock.advance(1);
    expect((await work).fault).toBe('hung_up');
    await fake.playbacks[0]?.ended;
    await fake.playbacks[0]?.over;
  });

  it('a terminal that plays a real stream that stays silent after all it promised is done', async () => {
    const { terminal, order, connect, clock, output } = await terminalFixture();
    const fake = await connect({ staysOpen: true });
    const { there, onProgress } = takenAll(all());
    const span = captureFacts().timestamp_last - captureFacts().timestamp_first;
    const work = terminal.fetchFragment(order({ to_ms: from_ms + span + 1_000, onProgress }));
    await there;
    clock.advance(10_000);
    await work;
    expect((await readBack(output)).times).toHaveLength(all());
    await fake.playbacks[0]?.ended;
  });

  it('a terminal that plays a real stream that plays for ever is stopped a little after what was asked', async () => {
    const { terminal, order, connect, output } = await terminalFixture();
    const fake = await connect({ forever: true });
    const span = 150_000;
    await terminal.fetchFragment(order({ to_ms: from_ms + span }));
    await fake.playbacks[0]?.ended;
    await fake.playbacks[0]?.over;
    const { endS } = await readBack(output);
    expect(endS * 1_000).toBeGreaterThanOrEqual(span + margin_ms);
    expect(endS * 1_000).toBeLessThan(span + margin_ms + 1_000);
  });

  it('a terminal that plays a real stream ends the playback and the connection when it is cancelled', async () => {
    const { terminal, order, connect } = await terminalFixture();
    const { bytes, pictures } = wholeFrames(300);
    const fake = await connect({ stopsAfter: bytes });
    const { there, onProgress } = takenAll(pictures);
    const cancelling = new AbortController();
    const work = terminal.fetchFragment(order({ onProgress, signal: cancelling.signal }));
    await there;
    cancelling.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
    await fake.playbacks[0]?.ended;
    await fake.playbacks[0]?.over;
  });

  it('a terminal that plays a real stream goes on when its signalling connection ends in the middle', async () => {
    const { terminal, order, connect, output } = await terminalFixture();
    const fake = await connect();
    let cut = false;
    const onProgress = () => {
      if (!cut) fake.terminal.abort();
      cut = true;
    };
    await terminal.fetchFragment(order({ onProgress }));
    expect((await readBack(output)).times).toHaveLength(all());
  });

  it('a terminal that plays a real stream sends one order of a channel at a time', async () => {
    const { terminal, order, connect } = await terminalFixture();
    const { bytes, pictures } = wholeFrames(100);
    await connect({ stopsAfter: bytes });
    const { there, onProgress } = takenAll(pictures);
    const cancelling = new AbortController();
    const first = terminal.fetchFragment(order({ onProgress, signal: cancelling.signal }));
    await there;
    const second = order({ output: `${order().output}2` });
    expect((await faultOf(terminal.fetchFragment(second))).fault).toBe('busy');
    cancelling.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
  });

  it('a terminal that plays a real stream is reached by the newest connection when two have one number', async () => {
    const { terminal, order, connect, output } = await terminalFixture();
    const older = await connect({ answers: 'empty' });
    const newer = await connect();
    await older.terminal.ended;
    await terminal.fetchFragment(order());
    expect([older.playbacks.length, newer.playbacks.length]).toEqual([0, 1]);
    expect((await readBack(output)).times).toHaveLength(all());
  });

  it('a terminal that plays a real stream comes while another terminal stands still, each by its own number', async () => {
    const { terminal, order, connect, output } = await terminalFixture();
    await connect({ phone: '13900002222', stopsAfter: wholeFrames(100).bytes });
    await connect();
    const cancelling = new AbortController();
    const { signal } = cancelling;
    const stuck = terminal.fetchFragment(
      order({ terminal_id: '13900002222', output: `${output}.stuck`, signal }),
    );
    await terminal.fetchFragment(order());
    expect((await readBack(output)).times).toHaveLength(all());
    cancelling.abort(new Error('enough'));
    await expect(stuck).rejects.toThrow('enough');
  });

  it('a terminal that plays a real stream begins with the first I frame when the stream begins before it', async () => {
    const { terminal, order, connect, output } = await terminalFixture();
    const packets = cutPackets(readCapture()).slice(40);
    const firstKey = packets.find((it) => it.readUInt8(15) === 0x01);
    await connect({ packets, plays: 'all' });
    await terminal.fetchFragment(order());
    const { times, keyTimes } = await readBack(output);
    const start = timeOf(firstKey ?? Buffer.alloc(24)) ?? 0;
    expect(keyTimes[0]).toBe(0);
    expect(Math.round((times.at(-1) ?? 0) * 1_000)).toBe(captureFacts().timestamp_last - start);
    expect(captureSpanMs).toBeGreaterThan(0);
  });
});
