import { X } from 'lucide-react';
import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { Dialog, Heading, Modal as AriaModal, ModalOverlay } from 'react-aria-components';
import { useT } from '../i18n/useT.ts';
import { IconButton } from './IconButton.tsx';
import './Modal.css';
import { Button } from './Button.tsx';
import { CloseGuardContext } from './unsaved.ts';

export interface ModalProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Pixels. */
  width?: 400 | 520 | 640 | 960;
  /** Whether something in it would be lost; by its fields when it is left out. */
  unsaved?: boolean;
}

/**
 * A dialog over the console, for what needs an answer before anything else. Escape and the scrim close it, after a
 * question where unsaved input would be lost.
 */
export function Modal({ unsaved, onClose, ...frame }: ModalProps) {
  return (
    <CloseGuard isDialog {...(unsaved === undefined ? {} : { unsaved })}>
      <ModalFrame {...frame} onClose={onClose} />
    </CloseGuard>
  );
}

function ModalFrame({ title, onClose, children, width = 400 }: ModalProps) {
  const t = useT();
  const dialog = useRef<HTMLElement>(null);
  const guard = useContext(CloseGuardContext);
  const close = () => guard.close(onClose);
  const closeByKey = useEffectEvent(close);
  useEffect(() => keepKeys(dialog, () => closeByKey()), []);
  return (
    <ModalOverlay className="modal-scrim" isOpen isDismissable onOpenChange={(open) => !open && close()}>
      <AriaModal className={`modal modal--${width}`}>
        <Dialog ref={dialog} className="modal__dialog">
          <div className="modal__head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <span className="fill" />
            <IconButton icon={X} size="small" label={t('ui.close')} keycap="Esc" onPress={close} />
          </div>
          <div className="modal__body">
            <InDialog value={true}>{children}</InDialog>
          </div>
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  );
}

/** Asks before what is closed in it is closed with unsaved input: the one place that does. */
export function CloseGuard({
  isDialog = false,
  unsaved,
  children,
}: {
  isDialog?: boolean;
  /** In place of what the fields say. */
  unsaved?: boolean;
  children: ReactNode;
}) {
  const [inputs] = useState(() => new Set<{ discard: () => void }>());
  const [asked, setAsked] = useState<{ onClose: () => void } | null>(null);
  const guard = useMemo(
    () => ({
      inputs,
      isDialog,
      close: (onClose: () => void) => {
        if (unsaved ?? inputs.size > 0) setAsked({ onClose });
        else onClose();
      },
    }),
    [inputs, isDialog, unsaved],
  );
  return (
    <CloseGuardContext value={guard}>
      {children}
      {asked !== null && (
        <DiscardDialog
          onKeep={() => setAsked(null)}
          onDiscard={() => {
            setAsked(null);
            for (const input of [...inputs]) input.discard();
            asked.onClose();
          }}
        />
      )}
    </CloseGuardContext>
  );
}

/** In place of a dialog whose subject is not there any more: no key would work while it is open, unseen. */
export function CloseAtOnce({ onClose }: { onClose: () => void }) {
  const close = useEffectEvent(onClose);
  useEffect(() => close(), []);
  return null;
}

/** Whether unsaved input may be lost. Escape keeps it. */
export function DiscardDialog({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const t = useT();
  return (
    <Modal title={t('ui.discard_title')} onClose={onKeep}>
      <p>{t('ui.discard_about')}</p>
      <div className="modal__actions">
        <Button onPress={onDiscard}>{t('ui.discard')}</Button>
        <Button kind="primary" autoFocus onPress={onKeep}>
          {t('ui.keep_editing')}
        </Button>
      </div>
    </Modal>
  );
}

/** A button that had the focus and is switched off drops it. Keys must not reach what lies under the dialog then. */
function keepKeys(dialog: RefObject<HTMLElement | null>, onClose: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== document.body) return;
    // Of two dialogs the key is for the upper one.
    if ([...document.querySelectorAll('.modal__dialog')].at(-1) !== dialog.current) return;
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    else dialog.current.focus();
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
