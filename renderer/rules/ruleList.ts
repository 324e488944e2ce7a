import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { ruleRoutes, type Rule } from '../../server/contract/rules.ts';
import { fetchAllPages, PAGE_LIMIT } from '../api/client.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { createLoader } from '../resources/loader.ts';
import { createResourceStore, olderByVersion } from '../resources/resourceStore.ts';

/** The rules that the operator sees, kept by the stream while the screen is there. */
export type RuleList = ReturnType<typeof createRuleList>;

export function createRuleList({ api, clock, stream }: Pick<AppContext, 'api' | 'clock' | 'stream'>) {
  const rules = createResourceStore<Rule>({ idOf: (it) => it.rule_id, isOlder: olderByVersion });
  const loader = createLoader({
    clock,
    read: (signal) => {
      rules.listing();
      return fetchAllPages((cursor) =>
        api.request(ruleRoutes.list, { query: { limit: PAGE_LIMIT, cursor }, signal }),
      );
    },
    take: (items) => rules.listed(items),
    onState: (load) => rules.setLoad(load),
  });
  return {
    store: rules.store,
    put: (rule: Rule): void => rules.put([rule]),
    drop: (ruleId: string): void => rules.remove([ruleId]),
    load: (): void => loader.load(),
    retry: (): void => loader.retry(),
    /** Begins; returns its end. */
    start(): () => void {
      const undo = [
        stream.on('rule', (message) => {
          if ('deleted' in message) rules.hide([message.rule_id]);
          else rules.receive([message]);
        }),
        stream.on('reset', () => loader.load()),
        () => loader.stop(),
      ];
      loader.load();
      return () => undo.forEach((run) => run());
    },
  };
}

/** Names of the visible rules by their id, in order of name; empty while they are on their way, or not `wanted`. */
export function useRuleNames(wanted = true): ReadonlyMap<string, string> {
  const app = useAppContext();
  const [list] = useState(() => createRuleList(app));
  useEffect(() => (wanted ? list.start() : undefined), [list, wanted]);
  const byId = useStore(list.store, (state) => state.byId);
  return useMemo(
    () =>
      new Map(
        [...byId.values()]
          .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
          .map((it) => [it.rule_id, it.name]),
      ),
    [byId],
  );
}
