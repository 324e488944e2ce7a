import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createCommandLinks, type CommandLinks } from '../../../../server/telemetry/intake/terminalLinks.ts';
import type { MonitoredListener } from '../../../../server/telemetry/intake/listenerContext.ts';
import { listenTcpAndUdp } from '../../../../server/telemetry/intake/listenTcpAndUdp.ts';
import { createTeltonika } from '../../../../server/telemetry/intake/teltonikaHandler.ts';
import { connectFakeTeltonika, type FakeTeltonika } from '../../../support/fakeTeltonika.ts';
import { createFakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { createFakeListenerContext, type Answer, type SeenIntake } from './madeUpIntake.ts';

export interface TeltonikaTestListener extends SeenIntake {
  listener: MonitoredListener;
  clock: FakeClock;
  commands: CommandLinks;
  connect(imei?: string): Promise<FakeTeltonika>;
  /** Connects and logs on. */
  come(imei?: string): Promise<FakeTeltonika>;
  /** A terminal that sends datagrams. */
  datagrams(): Promise<{ send(bytes: Uint8Array): void; answer(): Promise<Buffer> }>;
}

export const imei = '356307042441013';

/** A listener on a free port that knows one terminal, with a fake report handler. */
export async function openTeltonikaTestListener(answer?: Answer): Promise<TeltonikaTestListener> {
  const intake = createFakeListenerContext(imei, answer);
  const clock = createFakeClock();
  const commands = createCommandLinks();
  const log = pino({ level: 'silent' });
  const listener = await listenTcpAndUdp(0, '127.0.0.1', createTeltonika({ ...intake, commands, clock }), {
    accept: intake.accept,
    clock,
    log,
  });
  onTestFinished(() => listener.close());

  async function connect(from = imei): Promise<FakeTeltonika> {
    const terminal = await connectFakeTeltonika({ port: listener.port, imei: from });
    onTestFinished(() => terminal.abort());
    return terminal;
  }
  return {
    listener,
    clock,
    commands,
    ...intake.seen,
    connect,
    async come(from) {
      const terminal = await connect(from);
      const said = await terminal.logIn();
      if (said !== 1) throw new Error(`the login was answered ${said}`);
      return terminal;
    },
    async datagrams() {
      const socket = createSocket('udp4');
      socket.connect(listener.port, '127.0.0.1');
      await once(socket, 'connect');
      onTestFinished(() => {
        socket.close();
      });
      return {
        send: (bytes) => socket.send(bytes),
        async answer() {
          const [bytes] = (await once(socket, 'message')) as [Buffer];
          return bytes;
        },
      };
    },
  };
}
