import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  listenMedia,
  maxUnclaimed,
  strangersLeaveAfterMs,
  type MediaClaim,
} from '../../../../../server/video/terminals/jt1078/mediaListener.ts';
import { createFakeClock } from '../../../../support/fakeClock.ts';
import { captureNeeded, hasCapture, writePacket } from '../../../../support/jt1078Packets.ts';
import { readBack } from '../../media/sampleVideos.ts';
import { openMedia, phone, terminalFixture } from './terminalBench.ts';
import { serverOf } from '../../../telemetry/intake/serverOf.ts';

async function listener() {
  const clock = createFakeClock();
  const media = await listenMedia(0, '127.0.0.1', { clock, log: pino({ level: 'silent' }) });
  onTestFinished(() => media.close());
  return { media, clock };
}

/** A claim that notes what it hears. */
function noting(more: Partial<MediaClaim> = {}) {
  const heard: string[] = [];
  let wake = (): void => undefined;
  let opened = 0;
  const note = (text: string) => {
    heard.push(text);
    wake();
  };
  const claim: MediaClaim = {
    sim: phone,
    channel: 2,
    opened() {
      const number = ++opened;
      note(`${number} opened`);
      return {
        bytes: () => undefined,
        take: (packet) => {
          note(`${number} packet ${packet.serial}`);
          return Promise.resolve();
        },
        closed: (isCut) => note(`${number} closed${isCut ? ' cut' : ''}`),
      };
    },
    stranger: (what) => note(`stranger: ${what}`),
    ...more,
  };
  return {
    claim,
    heard,
    async until(text: string) {
      while (!heard.includes(text)) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

const packet = (serial: number, more: { sim?: string; channel?: number } = {}) =>
  writePacket({
    sim: phone,
    channel: 2,
    kind: 0,
    serial,
    time_ms: serial,
    payload: Buffer.from('payload'),
    ...more,
  });

describe('the media port', () => {
  it('the media port gives a connection to the claim of its terminal and channel, and its packets alone', async () => {
    const { media } = await listener();
    const mine = noting({ sim: `0${phone}` });
    const other = noting({ channel: 3 });
    media.claim(mine.claim);
    media.claim(other.claim);
    const socket = await openMedia(media.port);
    socket.write(
      Buffer.concat([packet(0), packet(1, { sim: '13800000000' }), packet(2, { channel: 3 }), packet(3)]),
    );
    await mine.until('1 packet 3');
    socket.end();
    await mine.until('1 closed');
    expect(mine.heard).toEqual(['1 opened', '1 packet 0', '1 packet 3', '1 closed']);
    expect(other.heard).toEqual([]);
  });

  it('the media port distinguishes a connection that ends within a packet from one that ends after it', async () => {
    const { media } = await listener();
    const mine = noting();
    media.claim(mine.claim);
    const socket = await openMedia(media.port);
    socket.end(Buffer.concat([packet(0), packet(1).subarray(0, 20)]));
    await mine.until('1 closed cut');
  });

  it('the media port takes the newer of two connections', async () => {
    const { media } = await listener();
    const mine = noting();
    media.claim(mine.claim);
    const older = await openMedia(media.port);
    older.write(packet(0));
    await mine.until('1 packet 0');
    const newer = await openMedia(media.port);
    newer.write(packet(7));
    await mine.until('2 packet 7');
    await older.over;
  });

  it('the media port ends a claim’s connection with the claim, which can then be made again', async () => {
    const { media } = await listener();
    const mine = noting();
    const release = media.claim(mine.claim);
    expect(media.claim(noting().claim)).toBeNull();
    const socket = await openMedia(media.port);
    socket.write(packet(0));
    await mine.until('1 packet 0');
    release?.();
    await socket.over;
    expect(media.claim(noting().claim)).not.toBeNull();
  });

  it('the media port keeps its claims when it is moved, and informs their receivers', async () => {
    const { media } = await listener();
    const mine = noting();
    const later = noting({ channel: 3 });
    media.claim(mine.claim);
    media.claim(later.claim);
    const before = await openMedia(media.port);
    before.write(packet(0));
    await mine.until('1 packet 0');
    const { port } = media;
    await media.rebind('127.0.0.2');
    expect(media).toMatchObject({ port, host: '127.0.0.2' });
    await mine.until('1 closed cut');
    await before.over;
    const socket = connect(port, '127.0.0.2');
    onTestFinished(() => void socket.destroy());
    socket.write(packet(7, { channel: 3 }));
    await later.until('1 packet 7');
    expect(media.connections()).toBe(1);
  });

  it('the media port closes a connection without a claim, be it silent or slow', async () => {
    const { media, clock } = await listener();
    const mine = noting();
    media.claim(mine.claim);
    const silent = await openMedia(media.port);
    const strange = await openMedia(media.port);
    strange.write(packet(0, { sim: '13800000000' }));
    const slow = await openMedia(media.port);
    slow.write(packet(0).subarray(0, 3));
    while (media.connections() < 3) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(strangersLeaveAfterMs);
    await Promise.all([silent.over, strange.over, slow.over]);
    expect(mine.heard).not.toContain('1 opened');
    expect(media.connections()).toBe(0);
  });

  it('the media port closes an unclaimed connection that exceeds its byte limit', async () => {
    const { media } = await listener();
    const socket = await openMedia(media.port);
    const noise = Buffer.alloc(64 * 1024, 0x31);
    while (!socket.destroyed) {
      if (!socket.write(noise)) {
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), socket.over]);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await socket.over;
  });

  it('the media port is closed with all its connections', async () => {
    const { media } = await listener();
    const socket = await openMedia(media.port);
    await media.close();
    await socket.over;
  });
});

describe.skipIf(!hasCapture)(`ten thousand connections${captureNeeded}`, () => {
  it('ten thousand connections with a few bytes each are kept to a bound, and a terminal still delivers', async () => {
    const {
      terminal,
      order,
      connect: connectFake,
      output,
      mediaPort,
      mediaConnections,
    } = await terminalFixture();
    await connectFake();
    const open = new Set<ReturnType<typeof connect>>();
    onTestFinished(() => {
      for (const socket of open) socket.destroy();
    });
    let [max, begun] = [0, 0];
    // Each comes as soon as one before it is through; as many at once as a system lets wait.
    await new Promise<void>((resolve) => {
      let through = 0;
      const next = (): void => {
        if (begun === 10_000) return;
        begun += 1;
        const socket = connect(mediaPort, '127.0.0.1', () => socket.write('0\x31c'));
        open.add(socket);
        socket.on('error', () => undefined);
        socket.resume();
        const count = (): void => {
          socket.off('connect', count).off('close', count);
          max = Math.max(max, mediaConnections());
          through += 1;
          if (through === 10_000) resolve();
          next();
        };
        socket.once('connect', count).once('close', count);
        socket.once('close', () => open.delete(socket));
      };
      for (let at = 0; at < 200; at += 1) next();
    });
    // Those that were let go may still be on their way out.
    expect(max).toBeLessThanOrEqual(maxUnclaimed + 200);
    await terminal.fetchFragment(order());
    expect((await readBack(output)).times).toHaveLength(931);
  });
});

it('the media port releases those of the address that floods it, and keeps one of another address that has sent nothing yet', async () => {
  const { opened, server } = await serverOf(() => listener());
  const { media } = opened;
  const served: Socket[] = [];
  server.on('connection', (socket: Socket) => served.push(socket));
  const recorder = connect(media.port, '127.0.0.1');
  await expect.poll(() => media.connections()).toBe(1);
  onTestFinished(() => void recorder.destroy());
  for (let at = 0; at < maxUnclaimed + 20; at += 1) {
    const socket = connect({ port: media.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
  }
  await expect.poll(() => served.length).toBe(maxUnclaimed + 21);
  await expect.poll(() => media.connections()).toBe(maxUnclaimed);
  expect(served[0]?.destroyed).toBe(false);
});

it('the media port goes on when it cannot take a connection', async () => {
  const {
    opened: { media },
    server,
  } = await serverOf(() => listener());
  expect(server.emit('error', new Error('accept EMFILE'))).toBe(true);
  const socket = connect(media.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await expect.poll(() => media.connections()).toBe(1);
});
