import { useEffect, useState } from 'react';
import type { Access, Task } from '../../../server/contract/video.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import { Modal } from '../../ui/Modal.tsx';
import { TimeOfDay } from '../../ui/Moment.tsx';
import { readAccess } from './exportEvidence.ts';
import './Evidence.css';

/** Who had these videos in hand: read or exported them, by whom and when last. */
export function AccessList({ taskIds }: { taskIds: readonly string[] }) {
  const { api } = useAppContext();
  const t = useT();
  const [list, setList] = useState<readonly Access[] | 'failed' | null>(null);
  const ids = taskIds.join(' ');
  useEffect(() => {
    if (ids === '') return;
    const abort = new AbortController();
    readAccess(api, ids.split(' '), abort.signal).then(setList, () => {
      if (!abort.signal.aborted) setList('failed');
    });
    return () => abort.abort();
  }, [api, ids]);
  return (
    <section aria-label={t('evidence.access')}>
      <h3 className="access__title">{t('evidence.access')}</h3>
      {list === null ? (
        <p className="faint">{t('evidence.access_reading')}</p>
      ) : list === 'failed' ? (
        <p className="quiet">{t('evidence.access_failed')}</p>
      ) : list.length === 0 ? (
        <p className="quiet">{t('evidence.access_none')}</p>
      ) : (
        <ul className="access">
          {peopleOf(list).map((it) => (
            <li key={`${it.user_id} ${it.action}`} className="access__row">
              <span className="strong ellipsis">{it.login ?? t('evidence.gone_user')}</span>
              <span>{t(`evidence.${it.action}`, { count: it.times })}</span>
              <span className="to-right quiet">
                <TimeOfDay at={Date.parse(it.at)} withDate />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Within this time it is one viewing of the videos that were opened together, as for the server of one of them. */
const SAME_VIEWING_MS = 10 * 60_000;

/** One user's acts of one kind: the last one, and how many they are. */
export interface Person extends Access {
  times: number;
}

/** A list of accesses (newest first), one row for each user and kind; in order of the last act. */
export function peopleOf(list: readonly Access[]): Person[] {
  const people = new Map<string, Person & { beganAt: number }>();
  for (const access of list.toReversed()) {
    const key = `${access.user_id} ${access.action}`;
    const known = people.get(key);
    const at = Date.parse(access.at);
    // All the videos of an export are written at one moment.
    const sameWithinMs = access.action === 'read' ? SAME_VIEWING_MS : 1;
    if (known !== undefined && at - known.beganAt < sameWithinMs) Object.assign(known, access);
    else people.set(key, { ...access, times: (known?.times ?? 0) + 1, beganAt: at });
  }
  return [...people.values()]
    .map(({ beganAt: _, ...person }) => person)
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** Who had the videos of an order in hand. */
export function AccessDialog({ tasks, onClose }: { tasks: readonly Task[]; onClose: () => void }) {
  const t = useT();
  return (
    <Modal title={t('evidence.access')} onClose={onClose} width={520}>
      <AccessList taskIds={tasks.map((it) => it.task_id)} />
    </Modal>
  );
}
