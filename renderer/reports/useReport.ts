import { useCallback, useEffect, useRef, useState } from 'react';
import { isAbort } from '../api/errors.ts';
import { askProgress } from '../api/progress.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { isSame } from '../resources/rebaseForm.ts';
import { askedOf, reportSource, type Answered, type ReportFilter } from './reportQuery.ts';

export type ReportState =
  | { phase: 'none' }
  | { phase: 'working'; share: number }
  | { phase: 'failed'; error: unknown; filter: ReportFilter }
  | { phase: 'ready'; answered: Answered; filter: ReportFilter };

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

  const run = useCallback(
    (filter: ReportFilter) => {
      abort.current?.abort();
      const current = new AbortController();
      abort.current = current;
      setState({ phase: 'working', share: 0 });
      ask()
        .then((answered) => {
          if (current.signal.aborted) return;
          app.reportsView.setState({
            shown: { answered, filter },
            selected: null,
            closedGroups: new Set(),
          });
          setState({ phase: 'ready', answered, filter });
        })
        .catch((error: unknown) => {
          if (!current.signal.aborted && !isAbort(error)) setState({ phase: 'failed', error, filter });
        });

      async function ask(): Promise<Answered> {
        const { route, schema } = reportSource(filter.kind);
        const report = await askProgress(
          app.api,
          route,
          schema,
          { query: askedOf(filter), signal: current.signal },
          (share) => {
            if (!current.signal.aborted) setState({ phase: 'working', share });
          },
        );
        // The schema is that of the kind.
        return { kind: filter.kind, report } as Answered;
      }
    },
    [app],
  );

  return {
    state,
    run,
    cancel: useCallback(() => {
      abort.current?.abort();
      setState({ phase: 'none' });
    }, []),
  };
}
