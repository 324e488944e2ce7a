import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** Whether somebody listens there. */
export async function isPortOpen(port: number, host: string): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Takes a port, as another program would; with the running test it is free again. */
export async function occupy(port: number, host: string): Promise<Server> {
  const other = createServer().listen(port, host);
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  return other;
}
