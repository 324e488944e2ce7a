import {
  createListenerContext,
  withMonitoring,
  type ListenerContext,
  type MonitoredListener,
} from './listenerContext.ts';
import type { IntakeDeps, TcpProtocol, UdpProtocol } from './protocolHandler.ts';
import type { Listener } from './listener.ts';
import { listenTcp } from './tcpListener.ts';
import { listenUdp } from './udpListener.ts';

/** Any free port is tried so often for being free for datagrams too. */
const tries = 10;

/** Listens for terminals of one protocol by TCP and by UDP on the same port. Rejects when it cannot be had. */
export async function listenTcpAndUdp(
  port: number,
  host: string,
  protocols: { tcp: TcpProtocol; udp: UdpProtocol },
  given: IntakeDeps,
): Promise<MonitoredListener> {
  const listener = createListenerContext(protocols.tcp.name, given);
  const [tcp, udp] = await listenBoth(port, host, protocols, listener);
  const both: Listener = {
    ...tcp,
    async close() {
      await Promise.all([tcp.close(), udp.close()]);
    },
  };
  return withMonitoring(both, listener);
}

async function listenBoth(
  port: number,
  host: string,
  { tcp, udp }: { tcp: TcpProtocol; udp: UdpProtocol },
  listener: ListenerContext,
  left = tries,
): Promise<[Listener, Listener]> {
  const first = await listenTcp(port, host, tcp, listener);
  try {
    return [first, await listenUdp(first.port, host, udp, listener)];
  } catch (error) {
    await first.close();
    if (port !== 0 || left <= 1) throw error;
    return listenBoth(port, host, { tcp, udp }, listener, left - 1);
  }
}
