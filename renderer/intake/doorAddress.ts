import type { DoorName, IntakeDoor, IntakeState } from '../../server/contract/intake.ts';

/** What is entered in a terminal to reach a door. */
export type DoorAddress =
  | { kind: 'host_and_port'; host: string; port: number }
  /** Apps take one address with all in it. */
  | { kind: 'url'; url: string }
  /** Nothing: terminals are told where to bring their video when it is asked for. */
  | { kind: 'told'; host: string; port: number };

/** @param host the address of this machine that terminals are pointed at */
export function doorAddress(
  door: Pick<IntakeDoor, 'name' | 'port' | 'transports'>,
  host: string,
  media: IntakeState['media_address'],
): DoorAddress {
  if (door.name === 'jt1078')
    return { kind: 'told', host: media?.host ?? host, port: media?.port ?? door.port };
  if (door.transports.includes('http'))
    return { kind: 'url', url: `http://${host.includes(':') ? `[${host}]` : host}:${door.port}` };
  return { kind: 'host_and_port', host, port: door.port };
}

const doorOrder: readonly DoorName[] = ['teltonika', 'wialon', 'jt808', 'osmand', 'jt1078'];

/** Those that most terminals come by first, the one that nothing is entered for last. */
export function inOrder<T extends Pick<IntakeDoor, 'name'>>(doors: readonly T[]): T[] {
  return [...doors].sort((a, b) => doorOrder.indexOf(a.name) - doorOrder.indexOf(b.name));
}
