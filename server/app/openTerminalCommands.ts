import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Acts } from '../store/acts.ts';
import type { Store } from '../store/operations.ts';
import {
  loadTerminalCommands,
  type TerminalCommands,
} from '../telemetry/terminalCommands/terminalCommands.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { Intake } from './intake.ts';
import type { Stream } from './openStream.ts';

/** The road back to the terminals. To be closed after the intake: the end of a connection is that of its commands. */
export async function openTerminalCommands(deps: {
  store: Store;
  acts: Acts;
  vehicles: Vehicles;
  intake: Pick<Intake, 'commands'>;
  stream: Pick<Stream, 'feed' | 'shown'>;
  clock: Clock;
  log: Logger;
  undo: (() => Promise<void> | void)[];
}): Promise<TerminalCommands> {
  const { feed, shown } = deps.stream;
  const commands = await loadTerminalCommands({
    ...deps,
    links: deps.intake.commands,
    onChange: (rows, written) => feed.publish(written, shown.among({ commands: rows })),
  });
  deps.undo.push(() => commands.close());
  commands.start();
  return commands;
}
