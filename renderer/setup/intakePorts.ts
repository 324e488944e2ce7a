import type { UnknownTerminal } from '../../server/contract/positions.ts';
import type { Status } from '../../server/contract/settings.ts';

export interface IntakePort {
  protocol: keyof Status['intake'];
  port: number;
  /** Unknown terminals of that listener. */
  unknownTerminals: number;
  messages: number;
}

/** The open ports, each with its unknown terminals. */
export function intakePorts(status: Status, unknownTerminals: Iterable<UnknownTerminal>): IntakePort[] {
  const terminals = [...unknownTerminals];
  const ports: IntakePort[] = [];
  for (const protocol of ['teltonika', 'wialon', 'jt808', 'osmand', 'jt1078'] as const) {
    const intake = status.intake[protocol];
    if (intake === null) continue;
    ports.push({
      protocol,
      port: intake.port,
      unknownTerminals: terminals.filter((it) => it.protocol === protocol).length,
      messages: intake.messages,
    });
  }
  return ports;
}

/** Where terminals reach this machine: on the network, or, while nothing listens there, on this computer alone. */
export function intakeAddress(status: Status): { address: string; onlyHere: boolean } {
  const onNetwork = status.addresses.find((address) => address !== '127.0.0.1' && address !== '::1');
  return onNetwork === undefined
    ? { address: '127.0.0.1', onlyHere: true }
    : { address: onNetwork, onlyHere: false };
}
