import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { dayMs } from '../depot.ts';
import { always, type OperationAttack } from '../attack.ts';

/** Settings, status and intake. */
export const serviceAttacks: readonly OperationAttack[] = [
  { operation: 'getSettings', does: 'as often as may be', calls: always({}) },
  {
    operation: 'patchSettings',
    does: 'the time zone to and fro: all vehicles are evaluated again',
    calls: () => (at) => ({
      body: { timezone: at % 2 === 0 ? 'America/St_Johns' : 'Asia/Kathmandu', offline_s: 10 + (at % 2) },
    }),
  },
  {
    operation: 'patchSettings',
    variant: 'intake',
    does: 'the intake opens to the network and closes again',
    calls: () => (at) => ({ body: { intake_connections: 10_000 + (at % 2), intake_open: false } }),
  },
  {
    operation: 'listAuditLog',
    does: 'a search that finds nothing, so that all of the log is read',
    calls: always({ query: { limit: 1_000, entity_id: 'a'.repeat(64), action: 'exported' } }),
  },
  {
    operation: 'exportAuditLog',
    does: 'a year as a file, which is never read',
    unread: true,
    calls: () => {
      const to = Date.now();
      const [from, end] = [to - 366 * dayMs, to].map((ms) => new Date(ms).toISOString());
      return () => ({ query: { from: from ?? '', to: end ?? '' } });
    },
  },
  { operation: 'getStatus', does: 'as often as may be', calls: always({}) },
  {
    operation: 'confirmRecoveries',
    does: 'as many names of documents as there may be',
    calls: () => {
      const body = JSON.stringify({ documents: Array.from({ length: 100 }, () => 'a'.repeat(200)) });
      return () => ({ body });
    },
  },
  { operation: 'listBackups', does: 'as often as may be', calls: always({}) },
  {
    operation: 'startBackup',
    does: 'with clips, as often as may be: one is made at a time',
    async calls({ keeper }) {
      const backup_folder = await mkdtemp(join(tmpdir(), 'fleetdeck-abuse-backups-'));
      process.once('exit', () => rmSync(backup_folder, { recursive: true, force: true }));
      await keeper.ask(serviceRoutes.patchSettings, { body: { backup_folder, backup_keep: 1 } });
      return () => ({ body: { clips: true } });
    },
  },
  {
    operation: 'getHealth',
    does: 'as often as may be: it is not counted',
    addresses: 4,
    perAddress: 500,
    calls: always({}),
  },
  { operation: 'getProblemReport', does: 'as often as may be: it is made every 5 s', calls: always({}) },
  { operation: 'getMetrics', does: 'as often as may be', calls: always({}) },
  { operation: 'getIntake', does: 'as often as may be', calls: always({}) },
  {
    operation: 'listIntakeMessages',
    does: 'the last 250 of all',
    calls: always({ query: { limit: 250 } }),
  },
];
