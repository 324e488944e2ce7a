import { useContext, type ReactNode } from 'react';
import { useT } from '../i18n/useT.ts';
import { useRetryKey } from '../resources/useRetryKey.ts';
import { Button, type ButtonProps } from './Button.tsx';
import { InDialog } from './inDialog.ts';

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
