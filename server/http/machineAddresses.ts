import { hostname, networkInterfaces } from 'node:os';
import type { Clock } from '../clock.ts';

/** What this machine says of its network; other than the system's in tests. */
export interface Machine {
  interfaces: typeof networkInterfaces;
  hostname: () => string;
}

export const thisMachine: Machine = { interfaces: networkInterfaces, hostname };

/** How often addresses are read again: no system call announces a change. */
const readMs = 10_000;

export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** An address as it stands in a URL or a `Host` field. */
export function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Where other machines reach what listens at this address of the machine, without names; IPv4 first. */
export function reachableAddresses(
  host: string,
  { interfaces }: Pick<Machine, 'interfaces'> = thisMachine,
): string[] {
  if (!isWildcard(host)) return [host];
  const outward = Object.values(interfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((it) => !it.internal);
  const addressesOf = (family: string) =>
    outward.filter((it) => it.family === family && !isLinkLocal(it.address)).map((it) => it.address);
  return [...addressesOf('IPv4'), ...(host === '::' ? addressesOf('IPv6') : [])];
}

/** RFC 4291, 2.5.6: means something only together with an interface of the machine that asks. */
function isLinkLocal(address: string): boolean {
  return /^fe[89ab]/i.test(address);
}

/** The machine's host name, its first label, and that in `.local` (RFC 6762), lower case; none that no URL can have. */
function namesOf({ hostname: read }: Pick<Machine, 'hostname'>): string[] {
  const name = read().toLowerCase().replace(/\.$/, '');
  if (!/^[a-z\d]([\w.-]{0,252})$/.test(name) || /^[\d.]+$/.test(name) || name === 'localhost') return [];
  const [label = ''] = name.split('.');
  return [...new Set([name, label, `${label}.local`])];
}

/** What this machine is called by others; nothing of what is bound to itself alone. */
export interface MachineNames {
  /** As they stand in no URL: IPv6 without brackets. */
  addresses: readonly string[];
  names: readonly string[];
}

/**
 * Watches the names and addresses by which others reach what listens at `bound`.
 *
 * @param onChange called with the new ones, never at the start
 */
export function watchMachineNames(
  bound: string,
  deps: { machine: Machine; clock: Pick<Clock, 'after'>; onChange: (names: MachineNames) => void },
) {
  const { machine, clock, onChange } = deps;
  const read = (): MachineNames =>
    isWildcard(bound)
      ? { addresses: reachableAddresses(bound, machine), names: namesOf(machine) }
      : { addresses: [], names: isOfItself(bound) ? [] : namesOf(machine) };
  let current = read();

  function look(): void {
    stop = clock.after(readMs, look);
    const next = read();
    if (JSON.stringify(next) === JSON.stringify(current)) return;
    current = next;
    onChange(next);
  }
  let stop = clock.after(readMs, look);

  return { now: () => current, stop: () => stop() };
}

function isOfItself(bound: string): boolean {
  return bound === 'localhost' || bound === '::1' || bound.startsWith('127.');
}
