import { useState, type SyntheticEvent } from 'react';
import { notificationRoutes } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Modal } from '../ui/Modal.tsx';
import { ModalFooter } from '../ui/ModalFooter.tsx';
import { TextField } from '../ui/TextField.tsx';

/** The most that one call takes. */
const AT_ONCE = 1_000;

/** Acknowledges many with one note. */
export function BulkAckDialog({
  ids,
  onDone,
  onClose,
}: {
  ids: readonly string[];
  onDone: () => void;
  onClose: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  // What was ticked when it was asked for: an acknowledgement by somebody else must not change the sentence.
  const [chosen] = useState(ids);
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);

  const acknowledge = async () => {
    setBusy(true);
    setSentence(null);
    try {
      for (let from = 0; from < chosen.length; from += AT_ONCE) {
        const { notifications } = await app.api.request(notificationRoutes.ackMany, {
          body: {
            notification_ids: chosen.slice(from, from + AT_ONCE),
            note: note.trim() === '' ? null : note.trim(),
          },
        });
        app.notifications.put(notifications);
      }
      onDone();
      onClose();
    } catch (error) {
      setSentence(sentenceOf(error, t));
      setBusy(false);
    }
  };

  return (
    <Modal title={t('events.acknowledge_many', { count: chosen.length })} onClose={onClose}>
      <form
        className="form-column"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          void acknowledge();
        }}
      >
        <TextField
          label={t('note.label')}
          value={note}
          onChange={setNote}
          multiline
          autoFocus
          maxLength={2_000}
        />
        <ModalFooter sentence={sentence} onCancel={onClose}>
          <Button kind="primary" submits disabled={busy}>
            {t('queue.acknowledge')}
          </Button>
        </ModalFooter>
      </form>
    </Modal>
  );
}
