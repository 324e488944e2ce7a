import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { Form } from '../ui/Form.tsx';
import type { FieldErrors } from '../ui/formFaults.ts';
import { Modal, type ModalProps, ModalFooter } from '../ui/Modal.tsx';
import { useAction, type ActionOptions } from './useAction.ts';

/** Asks before something is done, does it, and closes; or stays and says why it was not done. */
export function ActionDialog({
  title,
  width = 520,
  submit,
  disabled = false,
  autoFocus = false,
  act,
  check,
  onClose,
  below,
  children,
  ...options
}: ActionOptions &
  Pick<ModalProps, 'title' | 'width' | 'onClose'> & {
    /** What the button says that does it. */
    submit: string;
    disabled?: boolean;
    /** The button takes the focus: there is no field. */
    autoFocus?: boolean;
    act: () => unknown;
    /** What is wrong with what was typed, by field; nothing is done then. */
    check?: () => FieldErrors;
    /** Under the form. */
    below?: ReactNode;
    children?: ReactNode | ((faults: FieldErrors) => ReactNode);
  }) {
  const { busy, sentence, faults, run, show } = useAction();
  const start = async () => {
    const wrong = check?.() ?? {};
    if (Object.keys(wrong).length > 0) show({ faults: wrong });
    else if (await run(act, options)) onClose();
  };
  return (
    <Modal title={title} onClose={onClose} width={width}>
      <Form onSubmit={() => void start()} faults={faults}>
        {typeof children === 'function' ? children(faults) : children}
        <ModalFooter sentence={sentence} onCancel={onClose}>
          <Button kind="primary" submits autoFocus={autoFocus} disabled={busy || disabled}>
            {submit}
          </Button>
        </ModalFooter>
      </Form>
      {below}
    </Modal>
  );
}
