import type { Incident, IncidentEntry } from '../../server/contract/incidents.ts';
import type { TextKey, Translate } from '../i18n/text.ts';

/** One line of a timeline, as a sentence; the text of a note stands below it. */
export function entrySentence(entry: IncidentEntry, t: Translate): string {
  const { action, user, text, from, to } = entry;
  const values = {
    user: user?.name ?? t('incident.server'),
    text: text ?? '',
    from: from ?? t('incident.nobody'),
    to: to ?? t('incident.nobody'),
  };
  switch (action) {
    case 'status_changed':
      return t('incident.did.status_changed', { ...values, to: t(`incident.status.${statusOf(to)}`) });
    case 'severity_changed':
      return t('incident.did.severity_changed', { ...values, to: t(severityOf(to)) });
    case 'assigned':
      if (to === null) return t('incident.did.released', values);
      return t(to === user?.name ? 'incident.did.taken' : 'incident.did.assigned', values);
    default:
      return t(`incident.did.${action}`, values);
  }
}

const statusOf = (word: string | null): Incident['status'] =>
  word === 'in_progress' || word === 'waiting' || word === 'closed' ? word : 'open';

const severityOf = (word: string | null): TextKey =>
  word === 'alarm' ? 'severity.alarm' : word === 'warning' ? 'severity.warning' : 'severity.info';

export const ownerText = ({ owner_id, owner_name }: Incident, t: Translate): string =>
  owner_id === null ? t('incident.nobody') : (owner_name ?? t('user.another'));
