import { type ComponentType, Fragment, type ReactNode, useEffect, useState } from 'react';
import { Unreachable } from '../api/errors.ts';
import type { Clock } from '../clock/clock.ts';
import { loadLaterTexts } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';

/** A part of the console that is not looked at all night: its code comes later than the first picture. */
export interface LaterPart<Props extends object = object> {
  Part: ComponentType<Props>;
  /** Gets the code, so that the part opens at once, and without the server. */
  fetch: () => Promise<unknown>;
}

/**
 * @param load its code; called again after it failed
 * @param Frame what stands round the notice that it failed
 */
export function laterPart<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
  Frame: ComponentType<{ children: ReactNode }> = Fragment,
): LaterPart<Props> {
  let Loaded: ComponentType<Props> | null = null;
  let loading: Promise<ComponentType<Props>> | null = null;
  const fetch = () => {
    loading ??= Promise.all([load(), loadLaterTexts()]).then(
      ([found]) => (Loaded = found),
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };

  function Part(props: Props) {
    const t = useT();
    const [shown, setShown] = useState<{ Loaded: ComponentType<Props> | null; error: unknown }>({
      Loaded,
      error: null,
    });
    const [tries, setTries] = useState(0);
    useEffect(() => {
      let isGone = false;
      fetch().then(
        (found) => {
          if (!isGone) setShown({ Loaded: found, error: null });
        },
        (error: unknown) => {
          if (!isGone) setShown({ Loaded: null, error });
        },
      );
      return () => {
        isGone = true;
      };
    }, [tries]);
    if (shown.Loaded !== null) return <shown.Loaded {...props} />;
    if (shown.error === null) return null;
    return (
      <Frame>
        <LoadFailure
          title={t('failure.part')}
          stillWorks={t('failure.part_still')}
          // A module that cannot be had says no more than that.
          error={new Unreachable('the code of a screen could not be loaded')}
          nextTryAt={null}
          onRetry={() => setTries(tries + 1)}
        />
      </Frame>
    );
  }
  return { Part, fetch };
}

/** The first picture comes before all else. */
const FIRST_MS = 3_000;
const PAUSE_MS = 200;

/** Gets the code of one part after the other while the server is there. Returns its undo. */
export function fetchParts(
  parts: readonly Pick<LaterPart, 'fetch'>[],
  clock: Pick<Clock, 'after'>,
): () => void {
  const [next, ...others] = parts;
  if (next === undefined) return () => undefined;
  let stop = clock.after(FIRST_MS, () => fetchNext(next, others));
  function fetchNext({ fetch }: Pick<LaterPart, 'fetch'>, rest: readonly Pick<LaterPart, 'fetch'>[]): void {
    const goOn = () => {
      const [first, ...further] = rest;
      if (first !== undefined) stop = clock.after(PAUSE_MS, () => fetchNext(first, further));
    };
    // One that fails is tried again when it is opened.
    fetch().then(goOn, goOn);
  }
  return () => stop();
}
