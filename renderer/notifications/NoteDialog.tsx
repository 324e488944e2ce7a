import { useState, type ReactNode } from 'react';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { inSentence } from '../format/inSentence.ts';
import { useT } from '../i18n/useT.ts';
import { acknowledge } from '../live/liveActions.ts';
import { NoteActionDialog } from '../resources/NoteActionDialog.tsx';
import { CloseAtOnce } from '../ui/Modal.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { alarmLabels } from './alarmLabels.ts';
import { isAt } from './notificationCommands.ts';
import { backFromGroup, clearChecked, severalToAcknowledge } from './queueView.ts';
import { selectedNotification } from './selectedNotification.ts';

/**
 * Acknowledges several rows, else the selected one, with a note. What was meant when it was asked for stays meant: what
 * others acknowledge while it is written changes neither the sentence nor where the note goes.
 */
export function NoteDialog({ onClose }: { onClose: () => void }) {
  const app = useAppContext();
  const [{ several, row }] = useState(() => ({
    several: isAt(app, 'live') ? severalToAcknowledge(app) : null,
    row: selectedNotification(app),
  }));
  const close = () => {
    backFromGroup(app);
    onClose();
  };
  if (several !== null) return <SeveralNoteDialog several={several} onClose={close} />;
  return row === null ? (
    <CloseAtOnce onClose={close} />
  ) : (
    <RowNoteDialog notification={row} onClose={close} />
  );
}

/** Acknowledges with a note for whoever reads it later. */
function RowNoteDialog({ notification, onClose }: { notification: Notification; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const vehicle = useVehicleName(notification.vehicle_id);
  const words = alarmLabels(notification, app);
  return (
    <AckDialog
      title={t('note.title', { vehicle, kind: inSentence(words.kind) })}
      acknowledge={(note) => acknowledge(app, notification.notification_id, note)}
      onClose={onClose}
    >
      <p className="quiet">{words.what}</p>
    </AckDialog>
  );
}

/** Acknowledges several with one note, as long as it is written. */
function SeveralNoteDialog({
  several,
  onClose,
}: {
  several: NonNullable<ReturnType<typeof severalToAcknowledge>>;
  onClose: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const count = several.ids.length;
  return (
    <AckDialog
      title={
        several.name === null
          ? t('queue.acknowledge_many', { count })
          : t('queue.acknowledge_group', { count, name: several.name })
      }
      acknowledge={(note) => {
        clearChecked(app);
        app.queueView.setState({ groupKey: null });
        void app.acks.acknowledge(several.ids, note);
      }}
      onClose={onClose}
    />
  );
}

/** Asks for the note of an acknowledgement; null: none was written. */
export function AckDialog({
  title,
  acknowledge,
  onClose,
  children,
}: {
  title: string;
  acknowledge: (note: string | null) => Promise<void> | void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const t = useT();
  return (
    <NoteActionDialog
      title={title}
      submit={t('queue.acknowledge')}
      label={t('note.label')}
      act={acknowledge}
      onClose={onClose}
    >
      {children}
    </NoteActionDialog>
  );
}
