import { useCallback, useEffect, useRef, useState } from 'react';
import { isAbort } from '../api/errors.ts';
import { askProgress } from '../api/progress.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { isSame } from '../resources/rebaseForm.ts';
import { isShownByDriver, layoutOf } from './reportLayouts.ts';
import { askedOf, reportSource, type Answered, type ReportFilter } from './reportQuery.ts';
import type { ReportsView } from './reportView.ts';

export type ReportState =
  | { phase: 'none' }
  | { phase: 'working'; share: number }
  | { phase: 'failed'; error: unknown; filter: ReportFilter }
  | ({ phase: 'ready' } & NonNullable<ReportsView['shown']>);

/** Asks for one report at a time; another one takes its place, and leaving the screen cancels it on the server. */
export function useReport(first: ReportFilter) {
  const app = useAppContext();
  const [state, setState] = useState<ReportState>(() => {
    const { filter, shown } = app.reportsView.getState();
    // A link that asks for something else shows no report that was run before.
    return shown !== null && isSame(filter, first) ? { phase: 'ready', ...shown } : { phase: 'none' };
  });
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  /** What was run last, unless it was cancelled. */
  const last = useRef<Pick<NonNullable<ReportsView['shown']>, 'filter' | 'byDriver'> | null>(
    state.phase === 'ready' ? state : null,
  );

  const run = useCallback(
    (filter: ReportFilter) => {
      const { kind } = filter;
      const byDriver = isShownByDriver(kind, layoutOf(app.reportLayouts.store.getState(), kind));
      abort.current?.abort();
      const current = new AbortController();
      abort.current = current;
      last.current = { filter, byDriver };
      setState({ phase: 'working', share: 0 });
      ask()
        .then((answered) => {
          if (current.signal.aborted) return;
          app.reportsView.setState({
            shown: { answered, filter, byDriver },
            selected: null,
            closedGroups: new Set(),
          });
          setState({ phase: 'ready', answered, filter, byDriver });
        })
        .catch((error: unknown) => {
          if (!current.signal.aborted && !isAbort(error)) setState({ phase: 'failed', error, filter });
        });

      async function ask(): Promise<Answered> {
        const { route, schema } = reportSource(kind);
        const report = await askProgress(
          app.api,
          route,
          schema,
          {
            query: { ...askedOf(filter), ...(byDriver ? { group: 'driver' } : {}) },
            signal: current.signal,
          },
          (share) => {
            if (!current.signal.aborted) setState({ phase: 'working', share });
          },
        );
        // The schema is that of the kind.
        return { kind, report } as Answered;
      }
    },
    [app],
  );

  useEffect(
    () =>
      app.reportLayouts.store.subscribe((layouts) => {
        if (last.current === null) return;
        const { filter, byDriver } = last.current;
        // Its rows are others.
        if (isShownByDriver(filter.kind, layoutOf(layouts, filter.kind)) !== byDriver) run(filter);
      }),
    [app, run],
  );

  return {
    state,
    run,
    cancel: useCallback(() => {
      abort.current?.abort();
      last.current = null;
      setState({ phase: 'none' });
    }, []),
  };
}
