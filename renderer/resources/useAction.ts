import { useCallback, useRef, useState } from 'react';
import type { Translate } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { failureOf, type FailureTexts, type FieldErrors } from '../ui/formFaults.ts';

export interface ActionOptions extends FailureTexts {
  /** Called when the action failed, before the failure is shown. */
  onFailure?: (error: unknown) => unknown;
  /** The sentence of a failure in place of the usual one; null: nothing is shown. */
  sentence?: (error: unknown, t: Translate) => string | null;
}

interface ActionState {
  running: number;
  sentence: string | null;
  faults: FieldErrors;
}

const idle: ActionState = { running: 0, sentence: null, faults: {} };

/**
 * Runs requests of a form, a dialog or a button: busy while one is under way, then what went wrong, in a sentence and at
 * the fields that it concerns.
 */
export function useAction() {
  const t = useT();
  const [state, setState] = useState(idle);
  const era = useRef(0);

  /** Replaces what is shown as wrong; without an argument, by nothing. */
  const show = useCallback(
    (failure: { sentence?: string | null; faults?: FieldErrors } = {}) =>
      setState(({ running }) => ({ ...idle, running, ...failure })),
    [],
  );

  /** Ignores what is under way, and shows nothing as wrong. */
  const reset = useCallback(() => {
    era.current += 1;
    setState(idle);
  }, []);

  /** Answers whether it succeeded, and was not reset meanwhile. `act` is handed whether it still counts. */
  const run = useCallback(
    async (act: (counts: () => boolean) => unknown, options: ActionOptions = {}): Promise<boolean> => {
      const current = era.current;
      const counts = () => current === era.current;
      const end = (failure: { sentence: string | null; faults: FieldErrors } | null) => {
        if (counts()) setState((now) => ({ ...now, ...failure, running: now.running - 1 }));
      };
      setState(({ running }) => ({ ...idle, running: running + 1 }));
      try {
        await act(counts);
        end(null);
        return counts();
      } catch (error) {
        await options.onFailure?.(error);
        end(
          options.sentence === undefined
            ? failureOf(error, t, options)
            : { sentence: options.sentence(error, t), faults: {} },
        );
        return false;
      }
    },
    [t],
  );

  return { busy: state.running > 0, sentence: state.sentence, faults: state.faults, run, show, reset };
}
