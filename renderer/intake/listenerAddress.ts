import type { ListenerName, IntakeListener, IntakeState } from '../../server/contract/intake.ts';

/** What is entered in a terminal to reach a listener. */
export type ListenerAddress =
  | { kind: 'host_and_port'; host: string; port: number }
  /** Apps take one address with all in it. */
  | { kind: 'url'; url: string }
  /** Nothing: terminals get the address for their video with each request. */
  | { kind: 'published'; host: string; port: number };

/** @param host the address of this machine that terminals are pointed at */
export function listenerAddress(
  listener: Pick<IntakeListener, 'name' | 'port' | 'transports'>,
  host: string,
  media: IntakeState['media_address'],
): ListenerAddress {
  if (listener.name === 'jt1078')
    return { kind: 'published', host: media?.host ?? host, port: media?.port ?? listener.port };
  if (listener.transports.includes('http'))
    return { kind: 'url', url: `http://${host.includes(':') ? `[${host}]` : host}:${listener.port}` };
  return { kind: 'host_and_port', host, port: listener.port };
}

const listenerOrder: readonly ListenerName[] = ['teltonika', 'wialon', 'jt808', 'osmand', 'jt1078'];

/** Those that most terminals come by first, the one that nothing is entered for last. */
export function inOrder<T extends Pick<IntakeListener, 'name'>>(listeners: readonly T[]): T[] {
  return [...listeners].sort((a, b) => listenerOrder.indexOf(a.name) - listenerOrder.indexOf(b.name));
}
