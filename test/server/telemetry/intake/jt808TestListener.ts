import { pino, type Logger } from 'pino';
import { onTestFinished } from 'vitest';
import {
  createCommandLinks,
  type CommandLinks,
  createTerminalLinks,
  type TerminalLinks,
} from '../../../../server/telemetry/intake/terminalLinks.ts';
import { listenJt808 } from '../../../../server/telemetry/intake/jt808Listener.ts';
import type { MonitoredListener } from '../../../../server/telemetry/intake/listenerContext.ts';
import type { DepotLimits } from '../../../../server/telemetry/intake/protocolHandler.ts';
import { connectFakeJt808, type FakeJt808, type FakeJt808Options } from '../../../support/fakeJt808.ts';
import { createFakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { createFakeListenerContext, type Answer, type SeenIntake } from './madeUpIntake.ts';

export interface Jt808TestListener extends SeenIntake {
  listener: MonitoredListener;
  links: TerminalLinks;
  commands: CommandLinks;
  clock: FakeClock;
  connect(options?: Partial<FakeJt808Options>): Promise<FakeJt808>;
  /** Connects and logs on. */
  come(options?: Partial<FakeJt808Options>): Promise<FakeJt808>;
}

export const phone = '013800001234';
/** As a vehicle has it: without leading zeros. */
export const terminalId = '13800001234';

/** A listener on a free port that knows one terminal, with a fake report handler. */
export async function openJt808TestListener(
  answer?: Answer,
  log: Logger = pino({ level: 'silent' }),
  depotLimits?: () => DepotLimits,
): Promise<Jt808TestListener> {
  const intake = createFakeListenerContext(terminalId, answer);
  const links = createTerminalLinks();
  const commands = createCommandLinks();
  const clock = createFakeClock();
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
