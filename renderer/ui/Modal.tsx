import { X } from 'lucide-react';
import { useEffect, useRef, type ReactNode, type RefObject, createContext } from 'react';
import { Dialog, Heading, Modal as AriaModal, ModalOverlay } from 'react-aria-components';
import { useT } from '../i18n/useT.ts';
import { IconButton } from './IconButton.tsx';
import './Modal.css';
import { Button } from './Button.tsx';

export interface ModalProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Pixels. */
  width?: 400 | 520 | 640;
}

/** A dialog over the console, for what needs an answer before anything else. Escape and the scrim close it. */
export function Modal({ title, onClose, children, width = 400 }: ModalProps) {
  const t = useT();
  const dialog = useRef<HTMLElement>(null);
  useEffect(() => keepKeys(dialog, onClose), [onClose]);
  return (
    <ModalOverlay className="modal-scrim" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <AriaModal className={`modal modal--${width}`}>
        <Dialog ref={dialog} className="modal__dialog">
          <div className="modal__head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <span className="fill" />
            <IconButton icon={X} size="small" label={t('ui.close')} keycap="Esc" onPress={onClose} />
          </div>
          <div className="modal__body">
            <InDialog value={true}>{children}</InDialog>
          </div>
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  );
}

/** A button that had the focus and is switched off drops it. Keys must not reach what lies under the dialog then. */
function keepKeys(dialog: RefObject<HTMLElement | null>, onClose: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== document.body) return;
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    else dialog.current?.focus();
  };
  window.addEventListener('keydown', onKeyDown, { capture: true });
  return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
}

/** Whether something is shown in a dialog, where the keys of the console are off. */
export const InDialog = createContext(false);

interface ModalFooterProps {
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
