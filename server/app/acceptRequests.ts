import { isIPv4 } from 'node:net';
import type { Logger } from 'pino';
import type { FirstRun } from '../auth/firstRun.ts';
import type { Backups } from '../backup/backups.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { askHealth, grantApi, makeBackup, setDealer } from '../contract/control.ts';
import type { Front } from '../http/frontServer.ts';
import { reachableAddresses, type Machine } from '../http/machineAddresses.ts';
import { announceHost } from '../remote/discovery.ts';
import type { Health } from '../settings/health.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { StreamHub } from '../stream/streamHub.ts';
import type { Users } from '../users/users.ts';
import { controlOperation, openControlSocket } from './controlSocket.ts';
import { giveApiAccess, giveDealer } from './createDealer.ts';
import type { Intake } from './intake.ts';
import type { IntakeBinding } from './intakeBinding.ts';
import type { openOwnNames } from './openOwnNames.ts';

/** Requests under way get this long at the end. */
const closingGraceMs = 2_000;

/**
 * Opens all by which this host is reached, when all else is ready: HTTP, the intake, the announcement on the network and
 * the control socket.
 *
 * @param deps.ports gets those that the host listens on
 * @param deps.undo gets the close function of each part as soon as it exists; to be called from last to first
 */
export async function acceptRequests(deps: {
  front: Front;
  hub: Pick<StreamHub, 'close'>;
  intake: Pick<Intake, 'ports' | 'close'>;
  opening: Pick<IntakeBinding, 'start'>;
  own: Pick<Awaited<ReturnType<typeof openOwnNames>>, 'ownNames' | 'certificate' | 'fingerprint' | 'urls'>;
  ports: number[];
  folder: string;
  config: Config;
  machine: Machine;
  settings: Pick<SettingsStore, 'instanceId' | 'now'>;
  users: Users;
  firstRun: Pick<FirstRun, 'code'>;
  backups: Pick<Backups, 'run'>;
  /** After a look at the host. */
  healthNow: () => Health;
  clock: Clock;
  log: Logger;
  undo: (() => Promise<void> | void)[];
}) {
  const { front, hub, intake, opening, own, ports, folder, config, machine, settings, users } = deps;
  const { clock, log, undo } = deps;
  const { port } = await front.listen(config.port, config.host);
  // Open streams would keep the server from closing.
  undo.push(
    () => front.close(closingGraceMs),
    () => hub.close(),
  );
  own.ownNames.setPort(port);
  undo.push(() => intake.close());
  // Before the first request can be answered: it may rebind the listeners.
  await opening.start();
  const intakePorts = intake.ports();
  ports.push(port, ...Object.values(intakePorts).filter((it) => it !== null));

  if (config.announce) {
    const announced = {
      instanceId: settings.instanceId,
      port,
      tls: own.certificate !== null,
      name: () => settings.now().depot_name,
      addresses: () => reachableAddresses(config.host, machine).filter((it) => isIPv4(it)),
    };
    const warn = (error: Error) => log.warn({ err: error }, 'host could not be announced on the network');
    undo.push(announceHost(announced, { clock, warn }));
  }

  try {
    const operations = [
      controlOperation(setDealer, (asked) => giveDealer(users, asked)),
      controlOperation(grantApi, (asked) => giveApiAccess(users, asked)),
      controlOperation(makeBackup, (asked, { signal, progress }) =>
        deps.backups.run(asked, { signal, onProgress: (fraction) => progress({ fraction }) }),
      ),
      controlOperation(askHealth, () => Promise.resolve(deps.healthNow().asSeenByItsOwner())),
    ];
    const control = await openControlSocket({ folder, operations, clock, log });
    undo.push(() => control.close());
  } catch (error) {
    log.warn({ err: error }, 'control socket could not be opened; commands cannot reach this host');
  }

  const urls = own.urls(port);
  const [url = ''] = urls;
  const certificateSha256 = own.fingerprint();
  const setupCode = deps.firstRun.code();
  if (setupCode !== null)
    log.info({ setup_code: setupCode }, 'first run: create the first dealer in the console with this code');
  log.info(
    { urls, ...(certificateSha256 !== null && { sha256: certificateSha256 }), intake: intakePorts },
    'server accepts requests',
  );
  return { url, urls, certificateSha256, setupCode, intake: intakePorts };
}
