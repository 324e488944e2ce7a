import { createDoorParts, watch, type DoorParts, type WatchedListener } from './doorParts.ts';
import type { IntakeParts, TcpProtocol, UdpProtocol } from './intakeProtocol.ts';
import type { Listener } from './listener.ts';
import { listenTcp } from './tcpListener.ts';
import { listenUdp } from './udpListener.ts';

/** Any free port is tried so often for being free for datagrams too. */
const tries = 10;

/** Listens for terminals of one protocol by TCP and by UDP on the same port. Rejects when it cannot be had. */
export async function openDoor(
  port: number,
  host: string,
  protocols: { tcp: TcpProtocol; udp: UdpProtocol },
  given: IntakeParts,
): Promise<WatchedListener> {
  const door = createDoorParts(protocols.tcp.name, given);
  const [tcp, udp] = await listenBoth(port, host, protocols, door);
  const both: Listener = {
    ...tcp,
    async close() {
      await Promise.all([tcp.close(), udp.close()]);
    },
  };
  return watch(both, door);
}

async function listenBoth(
  port: number,
  host: string,
  { tcp, udp }: { tcp: TcpProtocol; udp: UdpProtocol },
  door: DoorParts,
  left = tries,
): Promise<[Listener, Listener]> {
  const first = await listenTcp(port, host, tcp, door);
  try {
    return [first, await listenUdp(first.port, host, udp, door)];
  } catch (error) {
    await first.close();
    if (port !== 0 || left <= 1) throw error;
    return listenBoth(port, host, { tcp, udp }, door, left - 1);
  }
}
