import { BellRing } from 'lucide-react';
import { Button } from 'react-aria-components';
import type { Notification } from '../../server/contract/notifications.ts';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { Icon } from '../ui/Icon.tsx';
import { Tip } from '../ui/IconButton.tsx';
import { useNextWords } from './escalationLabels.ts';
import './EscalationNote.css';

/** In a row of the queue: that it was escalated to this user, and whom it reaches next, of whom the tooltip says all. */
export function EscalationNote({
  notification: { escalation },
  onPress,
}: {
  notification: Notification;
  onPress: () => void;
}) {
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
        <Tip text={next.whole}>
          <Button className="escalation-note__next quiet" onPress={onPress}>
            <span className="ellipsis">· {next.brief}</span>
            {next.others > 0 && <span className="escalation-note__others">+{formatNumber(next.others)}</span>}
          </Button>
        </Tip>
      )}
    </>
  );
}
