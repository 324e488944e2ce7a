import { Copy } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from './Button.tsx';

/** Puts a text into the clipboard, and says whether it went. */
export function CopyButton({
  text,
  children,
  label,
  autoFocus = false,
}: {
  text: string;
  /** What it says before it was pressed, where that is not "Copy". */
  children?: string;
  /** Spoken; the text itself when left out. */
  label?: string;
  autoFocus?: boolean;
}) {
  const { platform } = useAppContext();
  const t = useT();
  const [done, setDone] = useState<{ text: string; copied: boolean } | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  // At once: where it takes the place of the field that had the focus, a dialog gives a focus that is lost to its first
  // control before an effect runs.
  useLayoutEffect(() => {
    if (autoFocus) button.current?.focus();
  }, [autoFocus]);
  const isDone = done !== null && done.text === text;
  return (
    <Button
      size="small"
      icon={Copy}
      ref={button}
      label={label ?? t('setup.copy', { text })}
      onPress={() => void platform.copyText(text).then((copied) => setDone({ text, copied }))}
    >
      {!isDone ? (children ?? t('ui.copy')) : done.copied ? t('ui.copied') : t('ui.copy_denied')}
    </Button>
  );
}
