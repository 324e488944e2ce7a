import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatAge } from '../format/age.ts';
import { asSentence } from '../format/inSentence.ts';
import { useT } from '../i18n/useT.ts';
import { showNotification } from '../live/liveActions.ts';
import { useAlarmWords } from '../notifications/useLabels.ts';
import { Button } from '../ui/Button.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';

/** The gravest open alarm of a vehicle, with its numbers and its rule. */
export function OpenAlarm({ notification, others }: { notification: Notification; others: number }) {
  const app = useAppContext();
  const t = useT();
  const words = useAlarmWords(notification);
  const spanMs = Date.parse(notification.last_time) - Date.parse(notification.first_time);
  const title =
    notification.count > 1
      ? t('panel.alarm_times', { kind: words.kind, number: notification.count, age: formatAge(spanMs) })
      : words.kind;
  return (
    <div className={`vehicle-panel__section open-alarm open-alarm--${notification.severity}`}>
      <SeverityMark severity={notification.severity} />
      <div className="fill">
        <div className="open-alarm__title">{title}</div>
        <div className="open-alarm__words">
          {t('panel.alarm_rule', { what: asSentence(words.what), rule: notification.rule_name })}
          {others > 0 && ` ${t('panel.alarm_others', { count: others })}`}
        </div>
      </div>
      <Button
        size="small"
        keycap="W"
        label={t('command.why')}
        onPress={() => {
          showNotification(app, notification);
          app.view.setState({ overlay: 'why' });
        }}
      >
        {t('panel.why')}
      </Button>
    </div>
  );
}
