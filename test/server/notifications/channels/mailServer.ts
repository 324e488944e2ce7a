import { onTestFinished } from 'vitest';
import { startMailServer } from '../../../support/mailServer.ts';

/** A mail server until the test is over. */
export async function openMailServer(options: Parameters<typeof startMailServer>[0] = {}) {
  const server = await startMailServer(options);
  onTestFinished(server.close);
  return server;
}
