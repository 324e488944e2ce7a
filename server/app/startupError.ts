import { ConfigError } from '../config.ts';
import { ApiError } from '../http/apiError.ts';
import { DiskFull, DataFolderError } from '../store/storeErrors.ts';
import { HostRefused, NoHost } from './controlSocket.ts';

/** Why a host cannot start, in one line for whoever typed it; null for what is a fault of the program. */
export function startupError(error: unknown): string | null {
  if (error instanceof DataFolderError) return error.message;
  if (error instanceof DiskFull) return 'The disk that holds the data folder is full.';
  if (!(error instanceof Error)) return null;
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  // Ports of connections, and of datagrams.
  if (syscall !== 'listen' && syscall !== 'bind') return null;
  const where = `${address ?? ''}:${port ?? ''}`;
  if (code === 'EADDRINUSE') return `The port ${where} is in use by another program.`;
  if (code === 'EACCES') return `The port ${where} may not be used by this user.`;
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${address ?? ''}.`;
  return null;
}

/** The same for a command, which may also be refused by a host. */
export function commandError(error: unknown): string | null {
  const isWorded = [ConfigError, HostRefused, NoHost, ApiError].some((kind) => error instanceof kind);
  return isWorded && error instanceof Error ? error.message : startupError(error);
}
