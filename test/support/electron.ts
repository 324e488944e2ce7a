import { fileURLToPath } from 'node:url';
import { findElectron } from '../../electron/findElectron.ts';

/** The Electron program on this machine, or null. */
export function electronPath(): string | null {
  const packageFolder = fileURLToPath(new URL('../../node_modules/electron/', import.meta.url));
  return findElectron(packageFolder, process.env, process.platform);
}
