import { useEffect, useMemo } from 'react';
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

interface SharedRules {
  list: RuleList;
  readers: number;
  stop: () => void;
}

const shared = new WeakMap<AppContext, SharedRules>();

function sharedRules(app: AppContext): SharedRules {
  const known = shared.get(app);
  if (known !== undefined) return known;
  const made: SharedRules = { list: createRuleList(app), readers: 0, stop: () => undefined };
  shared.set(app, made);
  return made;
}

/**
 * The visible rules by their id: of a session one list for all its readers, which the stream follows while there are
 * any. The next reader finds what the last one left, until it is read again; the first one nothing.
 */
export function useRules(wanted = true): ReadonlyMap<string, Rule> {
  const app = useAppContext();
  useEffect(() => {
    if (!wanted) return;
    const rules = sharedRules(app);
    if (rules.readers++ === 0) rules.stop = rules.list.start();
    return () => {
      if (--rules.readers === 0) rules.stop();
    };
  }, [app, wanted]);
  return useStore(sharedRules(app).list.store, (state) => state.byId);
}

/** Names of the visible rules by their id, in order of name; empty while they are on their way. */
export function useRuleNames(wanted = true): ReadonlyMap<string, string> {
  const byId = useRules(wanted);
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
