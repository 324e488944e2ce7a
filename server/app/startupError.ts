import type { Cause } from '../contract/causes.ts';
import { causeOf, detailOf } from '../contract/causeTexts.ts';
import { ConfigError } from '../config.ts';
import { ApiError } from '../http/apiError.ts';
import { DiskFull, DataFolderError } from '../store/storeErrors.ts';
import { HostRefused, NoHost } from './controlSocket.ts';

/** Why a host cannot start, in one line for whoever typed it; null for what is a fault of the program. */
export function startupError(error: unknown): string | null {
  if (error instanceof DataFolderError) return error.message;
  if (error instanceof DiskFull) return 'The disk that holds the data folder is full.';
  const cause = listenError(error);
  return cause === null ? null : detailOf([cause]);
}

export type StartupFault = DataFolderError['code'] | 'disk_full' | 'port';

/** The kind of what `startupError` puts into words, for who says it in another language; null for the same errors. */
export function startupFault(error: unknown): StartupFault | null {
  if (error instanceof DataFolderError) return error.code;
  if (error instanceof DiskFull) return 'disk_full';
  return listenError(error) === null ? null : 'port';
}

/** Why a port cannot be opened; null for what is another error. */
export function listenError(error: unknown): Cause | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  // Ports of connections, and of datagrams.
  if (syscall !== 'listen' && syscall !== 'bind') return null;
  const where = { port: `${address ?? ''}:${port ?? ''}` };
  if (code === 'EADDRINUSE') return causeOf('listener.port_in_use', where);
  if (code === 'EACCES') return causeOf('listener.port_denied', where);
  if (code === 'EADDRNOTAVAIL') return causeOf('listener.no_address', { address: address ?? '' });
  return null;
}

/** The same for a command, which may also be refused by a host. */
export function commandError(error: unknown): string | null {
  const isWorded = [ConfigError, HostRefused, NoHost, ApiError].some((kind) => error instanceof kind);
  return isWorded && error instanceof Error ? error.message : startupError(error);
}
