import { useEffect, useState } from 'react';
import { ruleRoutes } from '../../server/contract/rules.ts';
import { fetchAllPages, PAGE_LIMIT } from '../api/client.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { createLoader } from '../resources/loader.ts';

/** Names of the visible rules by their id, in order of name; empty while they are on their way. */
export function useRuleNames(): ReadonlyMap<string, string> {
  const { api, clock, stream } = useAppContext();
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    const loader = createLoader({
      clock,
      read: (signal) =>
        fetchAllPages((cursor) =>
          api.request(ruleRoutes.list, { query: { limit: PAGE_LIMIT, cursor }, signal }),
        ),
      take: (rules) =>
        setNames(
          new Map(
            [...rules]
              .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
              .map((it) => [it.rule_id, it.name]),
          ),
        ),
      onState: () => undefined,
    });
    loader.load();
    const undo = [stream.on('rule', () => loader.load()), () => loader.stop()];
    return () => undo.forEach((run) => run());
  }, [api, clock, stream]);
  return names;
}
