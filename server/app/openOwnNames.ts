import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { createAllowedHosts } from '../http/allowedHosts.ts';
import type { ServerCertificate } from '../http/frontServer.ts';
import {
  inUrl,
  isWildcard,
  watchMachineNames,
  type Machine,
  type MachineNames,
} from '../http/machineAddresses.ts';
import { openOwnCertificate } from '../http/ownCertificate.ts';

/**
 * The names under which this host may be called, and the certificate for them, kept up to date while addresses of the
 * machine change.
 *
 * @param deps.givenTls the certificate that the command line names
 * @param deps.undo gets the close function of each part as soon as it exists; to be called from last to first
 */
export async function openOwnNames(deps: {
  config: Pick<Config, 'host' | 'allowHosts' | 'tlsSelf'>;
  folder: string;
  machine: Machine;
  givenTls: ServerCertificate | null;
  /** Called with each certificate after the first. */
  onRenewed: (certificate: ServerCertificate) => void;
  clock: Clock;
  log: Logger;
  undo: (() => Promise<void> | void)[];
}) {
  const { config, folder, machine, givenTls, onRenewed, clock, log, undo } = deps;
  const isTls = givenTls !== null || config.tlsSelf;
  const ownNames = createAllowedHosts({ tls: isTls, bound: config.host, allowHosts: config.allowHosts });
  let ownCertificate: Awaited<ReturnType<typeof openOwnCertificate>> | null = null;
  const machineNames = watchMachineNames(config.host, {
    machine,
    clock,
    onChange(names) {
      ownNames.setMachineNames(names);
      log.info({ ...names }, 'addresses of this machine have changed');
      void ownCertificate?.check();
    },
  });
  undo.push(() => machineNames.stop());
  ownNames.setMachineNames(machineNames.now());
  if (config.tlsSelf) {
    ownCertificate = await openOwnCertificate({
      folder,
      names: () => certifiedNames(config, machineNames.now()),
      clock,
      log,
      onRenewed,
    });
  }
  undo.push(() => ownCertificate?.stop());

  return {
    ownNames,
    /** The one that holds now; null: this host speaks HTTP. */
    certificate: isTls ? () => ownCertificate?.now() ?? givenTls : null,
    /** SHA-256 of the certificate that this host has signed itself; null without. */
    fingerprint: (): string | null => ownCertificate?.now().fingerprint ?? null,
    /** Where the console and the API are, this machine's own address first, its name last. */
    urls: (port: number): string[] => {
      const { addresses, names } = machineNames.now();
      const { host } = config;
      const hosts = isWildcard(host) ? ['127.0.0.1', ...addresses, ...names.slice(0, 1)] : [host];
      return hosts.map((it) => `${isTls ? 'https' : 'http'}://${inUrl(it)}:${port}`);
    },
  };
}

/** All by which browsers may call this host: names, and addresses without brackets. */
function certifiedNames(
  { host, allowHosts }: Pick<Config, 'host' | 'allowHosts'>,
  { names, addresses }: MachineNames,
): string[] {
  const allowed = allowHosts
    .map((it) => `http://${it}`)
    .filter((it) => URL.canParse(it))
    .map((it) => new URL(it).hostname.replace(/^\[|\]$/g, ''));
  const bound = isWildcard(host) ? [] : [host];
  return [...names, ...allowed, 'localhost', ...bound, '127.0.0.1', '::1', ...addresses];
}
