import { terminalKey } from '../../contract/fields.ts';

/**
 * The latest connection of each terminal of a listener. A mobile network that was lost leaves the earlier one
 * behind half open for minutes: it would take a connection's place, and answers and commands would go into the void.
 */
export type ConnectionTakeover = ReturnType<typeof createConnectionTakeover>;

export function createConnectionTakeover() {
  const newest = new Map<string, { end: () => void }>();
  return {
    /**
     * A terminal speaks by this connection from now on; its earlier one is ended, and what was not answered there comes
     * again. Returns what gives the place up.
     *
     * @param end ends the connection at once
     */
    take(terminalId: string, end: () => void): () => void {
      const key = terminalKey(terminalId);
      const before = newest.get(key);
      const one = { end };
      newest.set(key, one);
      before?.end();
      return () => {
        if (newest.get(key) === one) newest.delete(key);
      };
    },
  };
}
