import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createCommandLinks, type CommandLinks } from '../../../../server/telemetry/gateway/commandLinks.ts';
import type { WatchedListener } from '../../../../server/telemetry/gateway/doorParts.ts';
import { openDoor } from '../../../../server/telemetry/gateway/openDoor.ts';
import { createTeltonika } from '../../../../server/telemetry/gateway/teltonikaConversation.ts';
import { connectFakeTeltonika, type FakeTeltonika } from '../../../support/fakeTeltonika.ts';
import { createHandClock, type HandClock } from '../../../support/handClock.ts';
import { createMadeUpIntake, type Answer, type SeenIntake } from './madeUpIntake.ts';

export interface TeltonikaDoor extends SeenIntake {
  listener: WatchedListener;
  clock: HandClock;
  commands: CommandLinks;
  connect(imei?: string): Promise<FakeTeltonika>;
  /** Connects and logs on. */
  come(imei?: string): Promise<FakeTeltonika>;
  /** A terminal that sends datagrams. */
  datagrams(): Promise<{ send(bytes: Uint8Array): void; answer(): Promise<Buffer> }>;
}

export const imei = '356307042441013';

/** A door on a free port that knows one terminal, with what takes reports in made up. */
export async function openTeltonikaDoor(answer?: Answer): Promise<TeltonikaDoor> {
  const intake = createMadeUpIntake(imei, answer);
  const clock = createHandClock();
  const commands = createCommandLinks();
  const log = pino({ level: 'silent' });
  const listener = await openDoor(0, '127.0.0.1', createTeltonika({ ...intake, commands, clock }), {
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
