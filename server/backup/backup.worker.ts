import { errorCode } from '../store/documents/Files.ts';
import { serveOrders } from '../workerChannel.ts';
import { writeBackup, type BackupOrder, type WrittenBackup } from './writeBackup.ts';

serveOrders<BackupOrder, WrittenBackup>(writeBackup, (error) => ({
  code: isFull(error) ? 'disk_full' : 'failed',
  detail: error instanceof Error ? error.message : String(error),
}));

/** SQLite's code 13 (https://sqlite.org/rescode.html#full). */
function isFull(error: unknown): boolean {
  const isSqlite = error instanceof Error && 'errcode' in error && error.errcode === 13;
  return isSqlite || ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
}
