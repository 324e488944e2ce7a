import { pino, type Logger } from 'pino';
import { onTestFinished } from 'vitest';
import { createCommandLinks, type CommandLinks } from '../../../../server/telemetry/gateway/commandLinks.ts';
import { listenJt808 } from '../../../../server/telemetry/gateway/jt808Listener.ts';
import type { WatchedListener } from '../../../../server/telemetry/gateway/doorParts.ts';
import type { DepotLimits } from '../../../../server/telemetry/gateway/intakeProtocol.ts';
import {
  createTerminalLinks,
  type TerminalLinks,
} from '../../../../server/telemetry/gateway/terminalLinks.ts';
import { connectFakeJt808, type FakeJt808, type FakeJt808Options } from '../../../support/fakeJt808.ts';
import { createHandClock, type HandClock } from '../../../support/handClock.ts';
import { createMadeUpIntake, type Answer, type SeenIntake } from './madeUpIntake.ts';

export interface Jt808Door extends SeenIntake {
  listener: WatchedListener;
  links: TerminalLinks;
  commands: CommandLinks;
  clock: HandClock;
  connect(options?: Partial<FakeJt808Options>): Promise<FakeJt808>;
  /** Connects and logs on. */
  come(options?: Partial<FakeJt808Options>): Promise<FakeJt808>;
}

export const phone = '013800001234';
/** As a vehicle has it: without leading zeros. */
export const terminalId = '13800001234';

/** A door on a free port that knows one terminal, with what takes reports in made up. */
export async function openJt808Door(
  answer?: Answer,
  log: Logger = pino({ level: 'silent' }),
  depotLimits?: () => DepotLimits,
): Promise<Jt808Door> {
  const intake = createMadeUpIntake(terminalId, answer);
  const links = createTerminalLinks();
  const commands = createCommandLinks();
  const clock = createHandClock();
  const listener = await listenJt808(0, '127.0.0.1', {
    ...intake,
    links,
    commands,
    clock,
    log,
    ...(depotLimits === undefined ? {} : { depotLimits }),
  });
  onTestFinished(() => listener.close());

  async function connect(options: Partial<FakeJt808Options> = {}): Promise<FakeJt808> {
    const terminal = await connectFakeJt808({ port: listener.port, phone, ...options });
    onTestFinished(() => terminal.abort());
    return terminal;
  }
  return {
    listener,
    links,
    commands,
    clock,
    ...intake.seen,
    connect,
    async come(options) {
      const terminal = await connect(options);
      await terminal.logOn();
      return terminal;
    },
  };
}
