import type { Notification } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { ageText } from '../format/age.ts';
import { asSentence } from '../format/inSentence.ts';
import { useText } from '../i18n/useText.ts';
import { showNotification } from '../live/liveActions.ts';
import { useAlarmWords } from '../notifications/useWords.ts';
import { Button } from '../ui/Button.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';

/** The gravest open alarm of a vehicle, with its numbers and its rule. */
export function OpenAlarm({ notification, others }: { notification: Notification; others: number }) {
  const desk = useDesk();
  const say = useText();
  const words = useAlarmWords(notification);
  const spanMs = Date.parse(notification.last_time) - Date.parse(notification.first_time);
  const title =
    notification.count > 1
      ? say('panel.alarm_times', { kind: words.kind, number: notification.count, age: ageText(spanMs) })
      : words.kind;
  return (
    <div className={`vehicle-panel__section open-alarm open-alarm--${notification.severity}`}>
      <SeverityMark severity={notification.severity} />
      <div className="fill">
        <div className="open-alarm__title">{title}</div>
        <div className="open-alarm__words">
          {say('panel.alarm_rule', { what: asSentence(words.what), rule: notification.rule_name })}
          {others > 0 && ` ${say('panel.alarm_others', { count: others })}`}
        </div>
      </div>
      <Button
        size="small"
        keycap="W"
        label={say('command.why')}
        onPress={() => {
          showNotification(desk, notification);
          desk.view.setState({ overlay: 'why' });
        }}
      >
        {say('panel.why')}
      </Button>
    </div>
  );
}
