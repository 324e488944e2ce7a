import { terminalKey } from '../../contract/fields.ts';

/** Who is there: one link for each terminal, the newest. Leading zeros and letter case of an ID do not matter. */
export interface LinkRegistry<Link> {
  /** Null while the terminal is off line. */
  find(terminalId: string): Link | null;
  /** Puts a link in the place of the terminal's earlier one. Returns what takes it out again. */
  attach(terminalId: string, link: Link): () => void;
  /** Called with the ID of each terminal that comes on line. Returns its undo. */
  onAttach(listener: (terminalId: string) => void): () => void;
}

export function createLinkRegistry<Link>(): LinkRegistry<Link> {
  const attached = new Map<string, { link: Link }>();
  const listeners = new Set<(terminalId: string) => void>();
  return {
    find: (terminalId) => attached.get(terminalKey(terminalId))?.link ?? null,
    attach(terminalId, link) {
      const key = terminalKey(terminalId);
      const one = { link };
      attached.set(key, one);
      for (const listener of listeners) listener(terminalId);
      return () => {
        if (attached.get(key) === one) attached.delete(key);
      };
    },
    onAttach(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
