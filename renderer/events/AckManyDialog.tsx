import { useState, type SyntheticEvent } from 'react';
import { notificationRoutes } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Modal } from '../ui/Modal.tsx';
import { ModalFoot } from '../ui/ModalFoot.tsx';
import { TextField } from '../ui/TextField.tsx';

/** The most that one call takes. */
const AT_ONCE = 1_000;

/** Acknowledges many with one note. */
export function AckManyDialog({
  ids,
  onDone,
  onClose,
}: {
  ids: readonly string[];
  onDone: () => void;
  onClose: () => void;
}) {
  const desk = useDesk();
  const say = useText();
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
        const { notifications } = await desk.api.request(notificationRoutes.ackMany, {
          body: {
            notification_ids: chosen.slice(from, from + AT_ONCE),
            note: note.trim() === '' ? null : note.trim(),
          },
        });
        desk.notifications.put(notifications);
      }
      onDone();
      onClose();
    } catch (error) {
      setSentence(sentenceOf(error, say));
      setBusy(false);
    }
  };

  return (
    <Modal title={say('events.acknowledge_many', { count: chosen.length })} onClose={onClose}>
      <form
        className="form-column"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          void acknowledge();
        }}
      >
        <TextField
          label={say('note.label')}
          value={note}
          onChange={setNote}
          multiline
          autoFocus
          maxLength={2_000}
        />
        <ModalFoot sentence={sentence} onCancel={onClose}>
          <Button kind="primary" submits disabled={busy}>
            {say('queue.acknowledge')}
          </Button>
        </ModalFoot>
      </form>
    </Modal>
  );
}
