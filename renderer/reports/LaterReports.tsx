import { useState } from 'react';
import { meetsLevel } from '../../server/contract/rights.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Modal } from '../ui/Modal.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { ReportJobs } from './ReportJobs.tsx';
import type { ReportFilter } from './reportQuery.ts';
import { ReportSchedules } from './ReportSchedules.tsx';

export type LaterPart = 'jobs' | 'schedules';

/** Reports that nobody waits for: those in the background, and those that are made when their time comes. */
export function LaterReports({
  filter,
  part: first,
  onShow,
  onClose,
}: {
  /** The report of the form. */
  filter: ReportFilter;
  part: LaterPart;
  /** Puts what a job was asked with into the form. */
  onShow: (filter: ReportFilter) => void;
  onClose: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const [part, setPart] = useState<LaterPart>(first);
  const isDealer = app.user.role === 'dealer';
  const mayWrite = isDealer || meetsLevel(app.user.rights.reports, 'write');
  return (
    <Modal title={t('later.title')} width={640} onClose={onClose}>
      <SegmentedControl
        label={t('later.title')}
        value={part}
        options={[
          { id: 'jobs', label: t('later.jobs') },
          { id: 'schedules', label: t('later.schedules') },
        ]}
        onChange={setPart}
      />
      {part === 'jobs' ? (
        <ReportJobs filter={filter} onShow={onShow} />
      ) : (
        <ReportSchedules filter={filter} mayWrite={mayWrite} isDealer={isDealer} />
      )}
    </Modal>
  );
}
