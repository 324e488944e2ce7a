import { backupRoutes } from '../contract/backups.ts';
import type { Api } from '../http/api.ts';
import type { Backups } from './backups.ts';

export function addBackupRoutes(api: Api, { backups }: { backups: Pick<Backups, 'start' | 'state'> }): void {
  api.handle(backupRoutes.list, () => backups.state());

  api.handle(backupRoutes.start, async ({ body }) => {
    await backups.start(body.clips ?? null);
    return backups.state();
  });
}
