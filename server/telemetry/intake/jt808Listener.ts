import { createRoom } from '../protocols/jt808/subpackages.ts';
import { createListenerContext, withMonitoring, type MonitoredListener } from './listenerContext.ts';
import type { IntakeDeps } from './protocolHandler.ts';
import { createJt808, type Jt808Shared } from './jt808Handler.ts';
import { createLogRateLimit } from './logRateLimit.ts';
import { listenTcp } from './tcpListener.ts';

export type Jt808Deps = IntakeDeps & Pick<Jt808Shared, 'isKnown' | 'heard' | 'links' | 'commands'>;

/** Long messages that are half here, of all connections together. */
const maxPartBytes = 64 * 1024 * 1024;

/** The intake for terminals of JT/T 808, 2011 to 2019. Rejects when the port cannot be had. */
export async function listenJt808(port: number, host: string, given: Jt808Deps): Promise<MonitoredListener> {
  const { isKnown, heard, links, commands, ...intake } = given;
  const { clock } = intake;
  const protocol = createJt808({
    isKnown,
    heard,
    links,
    commands,
    clock,
    room: createRoom(maxPartBytes),
    limitUnknownMessages: createLogRateLimit(clock),
  });
  const listener = createListenerContext(protocol.name, intake);
  return withMonitoring(await listenTcp(port, host, protocol, listener), listener);
}
