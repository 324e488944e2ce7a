import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { UnknownTerminal } from '../../../server/contract/positions.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { compareValues } from '../../ui/tableOrder.ts';

/** Terminals that are listed at first: on the day when a whole fleet is unknown, it is imported. */
const LISTED = 8;

export interface UnknownTerminals {
  /** Unknown terminals. */
  count: number;
  /** The first of them, until all are wanted. */
  listed: readonly UnknownTerminal[];
  listAll: () => void;
}

export function useUnknownTerminals(): UnknownTerminals {
  const { unknownTerminals } = useAppContext();
  const byId = useStore(unknownTerminals.store, (state) => state.byId);
  const [isWhole, setIsWhole] = useState(false);
  const terminals = useMemo(() => byLastSeen(byId.values()), [byId]);
  return {
    count: terminals.length,
    listed: isWhole ? terminals : terminals.slice(0, LISTED),
    listAll: () => setIsWhole(true),
  };
}

/** As they came, those of one moment by their IDs: a row keeps its place whatever its terminal sends next. */
export function byLastSeen(terminals: Iterable<UnknownTerminal>): UnknownTerminal[] {
  return [...terminals].sort((a, b) => {
    if (a.first_seen_at === b.first_seen_at) return compareValues(a.terminal_id, b.terminal_id);
    return a.first_seen_at < b.first_seen_at ? -1 : 1;
  });
}
