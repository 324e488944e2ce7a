import type { Notification } from '../../server/contract/notifications.ts';
import { useT } from '../i18n/useT.ts';
import { useNextWords } from './escalationLabels.ts';

/** In a row of the queue: that it was escalated to this user, and what comes next. */
export function EscalationNote({ notification: { escalation } }: { notification: Notification }) {
  const t = useT();
  const next = useNextWords(escalation);
  if (escalation === null) return null;
  const parts = [...(escalation.to_me ? [t('escalation.to_me')] : []), ...(next === null ? [] : [next])];
  return parts.map((words) => (
    <span key={words} className="quiet" title={words}>
      {' · '}
      {words}
    </span>
  ));
}
