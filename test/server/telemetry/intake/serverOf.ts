import { Server } from 'node:net';
import { vi } from 'vitest';

/** Opens something that listens, and gives the server beneath it too. */
export async function serverOf<T>(open: () => Promise<T>): Promise<{ opened: T; server: Server }> {
  const listen = vi.spyOn(Server.prototype, 'listen');
  try {
    const opened = await open();
    const [server] = listen.mock.contexts;
    if (!(server instanceof Server)) throw new Error('nothing listens');
    return { opened, server };
  } finally {
    listen.mockRestore();
  }
}
