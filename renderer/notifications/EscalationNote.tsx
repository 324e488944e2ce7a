import { BellRing } from 'lucide-react';
import type { Notification } from '../../server/contract/notifications.ts';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { Icon } from '../ui/Icon.tsx';
import { useNextWords } from './escalationLabels.ts';
import './EscalationNote.css';

/** In a row of the queue: that it was escalated to this user, and whom it reaches next, of whom the title says all. */
export function EscalationNote({ notification: { escalation } }: { notification: Notification }) {
  const t = useT();
  const next = useNextWords(escalation);
  if (escalation === null) return null;
  return (
    <>
      {escalation.to_me && (
        <span
          className="escalation-note in-warning"
          role="img"
          aria-label={t('escalation.to_me')}
          title={t('escalation.to_me')}
        >
          <Icon of={BellRing} />
        </span>
      )}
      {next !== null && (
        <span className="escalation-note__next quiet" title={next.whole}>
          <span className="ellipsis">· {next.brief}</span>
          {next.others > 0 && <span className="escalation-note__others">+{formatNumber(next.others)}</span>}
        </span>
      )}
    </>
  );
}
