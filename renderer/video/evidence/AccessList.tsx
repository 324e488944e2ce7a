import { useEffect, useState } from 'react';
import type { Access } from '../../../server/contract/video.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import { TimeOfDay } from '../../ui/Moment.tsx';
import { readAccess } from './exportEvidence.ts';
import { peopleOf } from './peopleOf.ts';
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
