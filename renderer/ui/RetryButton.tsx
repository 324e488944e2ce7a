import { useContext, type ReactNode, useEffect, useRef } from 'react';
import { useT } from '../i18n/useT.ts';
import { Button, type ButtonProps } from './Button.tsx';
import { InDialog } from './Modal.tsx';
import { useAppContext } from '../appContext/AppContextProvider.tsx';

/** The button of whatever failed and can be tried again, with its key, which tries all that is shown as failed. */
export function RetryButton({
  onRetry,
  children,
  ...looks
}: Pick<ButtonProps, 'kind' | 'size' | 'icon'> & {
  onRetry: () => void;
  /** "Try now" when it is left out. */
  children?: ReactNode;
}) {
  const t = useT();
  const hasKey = !useContext(InDialog);
  useRetryKey(hasKey ? onRetry : null);
  return (
    <Button {...looks} keycap={hasKey ? 'R' : null} onPress={onRetry}>
      {children ?? t('ui.try_now')}
    </Button>
  );
}

/** Lets the key for "try now" run this; null while there is nothing to try. */
export function useRetryKey(run: (() => void) | null): void {
  const { retries } = useAppContext();
  const current = useRef(run);
  useEffect(() => {
    current.current = run;
  });
  const hasKey = run !== null;
  useEffect(() => (hasKey ? retries.add(() => current.current?.()) : undefined), [retries, hasKey]);
}
