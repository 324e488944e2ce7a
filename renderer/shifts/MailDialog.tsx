import { useState } from 'react';
import { shiftRoutes, type Shift } from '../../server/contract/shifts.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Form } from '../ui/Form.tsx';
import { detailText } from '../ui/formFaults.ts';
import { Modal, ModalFooter } from '../ui/Modal.tsx';
import { TextField } from '../ui/TextField.tsx';

/** Sends the report of a shift by email, and says to whom it was not sent. */
export function MailDialog({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  const { api, toasts } = useAppContext();
  const t = useT();
  const [typed, setTyped] = useState('');
  const [failed, setFailed] = useState<readonly string[]>([]);
  const { busy, sentence, faults, run } = useAction();
  const addresses = typed.split(/[\s,;]+/).filter((it) => it !== '');
  const send = () =>
    run(
      async () => {
        const { shift_id } = shift;
        const mailed = await api.request(shiftRoutes.mail, {
          params: { shift_id },
          body: { email_to: addresses },
        });
        setFailed(
          mailed.failed.map((detail, at) => detailText({ detail, causes: mailed.failed_causes[at] }, t)),
        );
        setTyped(mailed.not_reached.join(', '));
        if (mailed.failed.length > 0) return;
        const text = t('shift.mail_sent', { count: mailed.sent.length });
        toasts.setState({ toast: { text, isTrouble: false, action: null } });
        onClose();
      },
      { fields: ['email_to'] },
    );
  return (
    <Modal title={t('shift.mail_title')} onClose={onClose} width={520}>
      <Form onSubmit={() => void send()} faults={faults}>
        <TextField
          label={t('shift.mail_to')}
          hint={t('shift.mail_hint')}
          value={typed}
          onChange={setTyped}
          fault={faults['email_to'] ?? null}
          autoFocus
          maxLength={2_000}
        />
        {failed.map((it) => (
          <p key={it} role="alert">
            {it}
          </p>
        ))}
        <ModalFooter sentence={sentence} onCancel={onClose}>
          <Button kind="primary" submits disabled={busy || addresses.length === 0}>
            {t('shift.mail')}
          </Button>
        </ModalFooter>
      </Form>
    </Modal>
  );
}
