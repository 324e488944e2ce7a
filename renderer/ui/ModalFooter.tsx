import type { ReactNode } from 'react';
import { useT } from '../i18n/useT.ts';
import { Button } from './Button.tsx';
import './Modal.css';

export interface ModalFooterProps {
  /** What went wrong, for the whole of the dialog. */
  sentence?: string | null;
  onCancel: () => void;
  /** The button that does what the dialog asks about. */
  children: ReactNode;
}

/** The end of a dialog that asks before something is done: the error, the way out, and the action. */
export function ModalFooter({ sentence = null, onCancel, children }: ModalFooterProps) {
  const t = useT();
  return (
    <>
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
      <div className="modal__actions">
        <Button onPress={onCancel}>{t('ui.cancel')}</Button>
        {children}
      </div>
    </>
  );
}
