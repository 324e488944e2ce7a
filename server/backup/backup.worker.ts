import { serveOrders } from '../workerChannel.ts';
import { isFullDisk, writeBackup, type BackupOrder, type WrittenBackup } from './writeBackup.ts';

serveOrders<BackupOrder, WrittenBackup>(writeBackup, (error) => ({
  code: isFullDisk(error) ? 'disk_full' : 'failed',
  detail: error instanceof Error ? error.message : String(error),
}));
