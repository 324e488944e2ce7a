import { useCallback, useEffect, useRef, useState } from 'react';
import { isAbort } from '../api/errors.ts';
import { askProgress } from '../api/progress.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { reportKinds, type Answered, type ReportKind } from './reportKinds.ts';
import { askedOf, type ReportFilter } from './reportQuery.ts';

export type ReportState =
  | { phase: 'none' }
  | { phase: 'working'; share: number }
  | { phase: 'failed'; error: unknown; filter: ReportFilter }
  | { phase: 'ready'; answered: Answered; filter: ReportFilter };

export interface ReportRun {
  state: ReportState;
  run: (filter: ReportFilter) => void;
  cancel: () => void;
}

/** Asks for one report at a time; another one takes its place, and leaving the screen cancels it on the server. */
export function useReport(): ReportRun {
  const app = useAppContext();
  const [state, setState] = useState<ReportState>({ phase: 'none' });
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const run = useCallback(
    (filter: ReportFilter) => {
      abort.current?.abort();
      const mine = new AbortController();
      abort.current = mine;
      setState({ phase: 'working', share: 0 });
      ask(filter.kind)
        .then((answered) => {
          if (!mine.signal.aborted) setState({ phase: 'ready', answered, filter });
        })
        .catch((error: unknown) => {
          if (!mine.signal.aborted && !isAbort(error)) setState({ phase: 'failed', error, filter });
        });

      async function ask(kind: ReportKind): Promise<Answered> {
        const { route, schema } = reportKinds[kind];
        const report = await askProgress(
          app.api,
          route,
          schema,
          { query: askedOf(filter), signal: mine.signal },
          (share) => {
            if (!mine.signal.aborted) setState({ phase: 'working', share });
          },
        );
        // The schema is that of the kind.
        return { kind, report } as Answered;
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
