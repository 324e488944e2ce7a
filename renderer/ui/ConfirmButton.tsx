import { useState } from 'react';
import { useT } from '../i18n/useT.ts';
import { Button, type ButtonProps } from './Button.tsx';

/** Asks once more in its own place, with no dialog over what it is about. */
export function ConfirmButton({
  children,
  confirm,
  keep,
  disabled = false,
  onConfirm,
  ...looks
}: Pick<ButtonProps, 'size' | 'disabled' | 'children'> & {
  /** What the second press does. */
  confirm: string;
  /** The way back; "Cancel" when it is left out. */
  keep?: string;
  onConfirm: () => void;
}) {
  const t = useT();
  const [confirming, setConfirming] = useState(false);
  return confirming ? (
    <>
      <Button {...looks} disabled={disabled} onPress={onConfirm}>
        {confirm}
      </Button>
      <Button {...looks} kind="quiet" onPress={() => setConfirming(false)}>
        {keep ?? t('ui.cancel')}
      </Button>
    </>
  ) : (
    <Button {...looks} disabled={disabled} onPress={() => setConfirming(true)}>
      {children}
    </Button>
  );
}
