import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog, Heading, Modal as AriaModal, ModalOverlay } from 'react-aria-components';
import { useText } from '../i18n/useText.ts';
import { IconButton } from './IconButton.tsx';
import './Modal.css';

export interface ModalProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Pixels. */
  width?: 400 | 520 | 640;
}

/** A dialog over the console, for what needs an answer before anything else. Escape and the scrim close it. */
export function Modal({ title, onClose, children, width = 400 }: ModalProps) {
  const say = useText();
  return (
    <ModalOverlay className="modal-scrim" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <AriaModal className={`modal modal--${width}`}>
        <Dialog className="modal__dialog">
          <div className="modal__head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <span className="fill" />
            <IconButton icon={X} size="small" label={say('ui.close')} keycap="Esc" onPress={onClose} />
          </div>
          <div className="modal__body">{children}</div>
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  );
}
