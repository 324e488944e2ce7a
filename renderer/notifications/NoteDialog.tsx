import { useState, type SyntheticEvent } from 'react';
import type { Notification } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { inSentence } from '../format/inSentence.ts';
import { useText } from '../i18n/useText.ts';
import { acknowledge } from '../live/liveActions.ts';
import { Button } from '../ui/Button.tsx';
import { Modal } from '../ui/Modal.tsx';
import { ModalFoot } from '../ui/ModalFoot.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { alarmWords } from './alarmWords.ts';

/** Acknowledges with a note for whoever reads it later. */
export function NoteDialog({ notification, onClose }: { notification: Notification; onClose: () => void }) {
  const desk = useDesk();
  const say = useText();
  const [note, setNote] = useState('');
  const vehicle = useVehicleName(notification.vehicle_id);
  const words = alarmWords(notification, desk);
  return (
    <Modal
      title={say('note.title', {
        vehicle,
        kind: inSentence(words.kind),
      })}
      onClose={onClose}
    >
      <form
        className="form-column"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          acknowledge(desk, notification.notification_id, note.trim() === '' ? null : note.trim());
          onClose();
        }}
      >
        <p className="quiet">{words.what}</p>
        <TextField
          label={say('note.label')}
          value={note}
          onChange={setNote}
          multiline
          autoFocus
          maxLength={2_000}
        />
        <ModalFoot onCancel={onClose}>
          <Button kind="primary" submits>
            {say('queue.acknowledge')}
          </Button>
        </ModalFoot>
      </form>
    </Modal>
  );
}
