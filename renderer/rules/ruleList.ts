import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { ruleRoutes, type Rule } from '../../server/contract/rules.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { createListLoader } from '../resources/loader.ts';
import { createResourceStore, olderByVersion } from '../resources/resourceStore.ts';

/** The rules that the operator sees, kept by the stream while the screen is there. */
export type RuleList = ReturnType<typeof createRuleList>;

export function createRuleList({ api, clock, stream }: Pick<AppContext, 'api' | 'clock' | 'stream'>) {
  const rules = createResourceStore<Rule>({ idOf: (it) => it.rule_id, isOlder: olderByVersion });
  const loader = createListLoader({
    store: rules,
    readPage: (query, signal) => api.request(ruleRoutes.list, { query, signal }),
    clock,
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
  /** Ends that the stream keeps them; null while it does not. */
  stop: (() => void) | null;
}

const shared = new WeakMap<AppContext, SharedRules>();

function sharedRules(app: AppContext): SharedRules {
  const known = shared.get(app);
  if (known !== undefined) return known;
  const made: SharedRules = { list: createRuleList(app), readers: 0, stop: null };
  shared.set(app, made);
  return made;
}

/**
 * One more reader of the list of the session; returns its end. What was once read whole the stream keeps from then on,
 * so that the next reader has it at once.
 */
export function readRules(app: AppContext): () => void {
  const rules = sharedRules(app);
  rules.readers += 1;
  rules.stop ??= rules.list.start();
  return () => {
    rules.readers -= 1;
    if (rules.readers > 0 || rules.list.store.getState().load.phase === 'ready') return;
    rules.stop?.();
    rules.stop = null;
  };
}

/** The visible rules by their id: of a session one list for all its readers. */
export function useRules(wanted = true): ReadonlyMap<string, Rule> {
  const app = useAppContext();
  useEffect(() => (wanted ? readRules(app) : undefined), [app, wanted]);
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
