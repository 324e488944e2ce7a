import { useState, type SyntheticEvent } from 'react';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { inSentence } from '../format/inSentence.ts';
import { useT } from '../i18n/useT.ts';
import { acknowledge } from '../live/liveActions.ts';
import { Button } from '../ui/Button.tsx';
import { Modal } from '../ui/Modal.tsx';
import { ModalFooter } from '../ui/ModalFooter.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { alarmLabels } from './alarmLabels.ts';

/** Acknowledges with a note for whoever reads it later. */
export function NoteDialog({ notification, onClose }: { notification: Notification; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const [note, setNote] = useState('');
  const vehicle = useVehicleName(notification.vehicle_id);
  const words = alarmLabels(notification, app);
  return (
    <Modal
      title={t('note.title', {
        vehicle,
        kind: inSentence(words.kind),
      })}
      onClose={onClose}
    >
      <form
        className="form-column"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          acknowledge(app, notification.notification_id, note.trim() === '' ? null : note.trim());
          onClose();
        }}
      >
        <p className="quiet">{words.what}</p>
        <TextField
          label={t('note.label')}
          value={note}
          onChange={setNote}
          multiline
          autoFocus
          maxLength={2_000}
        />
        <ModalFooter onCancel={onClose}>
          <Button kind="primary" submits>
            {t('queue.acknowledge')}
          </Button>
        </ModalFooter>
      </form>
    </Modal>
  );
}
