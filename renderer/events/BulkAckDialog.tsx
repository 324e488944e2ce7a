import { useState } from 'react';
import { notificationRoutes } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { AckDialog } from '../notifications/NoteDialog.tsx';

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

  const acknowledge = async (note: string | null) => {
    for (let from = 0; from < chosen.length; from += AT_ONCE) {
      const { notifications } = await app.api.request(notificationRoutes.ackMany, {
        body: {
          notification_ids: chosen.slice(from, from + AT_ONCE),
          note,
        },
      });
      app.notifications.put(notifications);
    }
    onDone();
  };

  return (
    <AckDialog
      title={t('events.acknowledge_many', { count: chosen.length })}
      acknowledge={acknowledge}
      onClose={onClose}
    />
  );
}
