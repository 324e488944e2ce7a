import type { Notification } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { ageText } from '../format/age.ts';
import { asSentence } from '../format/inSentence.ts';
import { useText } from '../i18n/useText.ts';
import { alarmWords } from '../notifications/alarmWords.ts';
import { SeverityMark } from '../ui/SeverityMark.tsx';

/** The gravest open alarm of a vehicle, with its numbers and its rule. */
export function OpenAlarm({ notification, others }: { notification: Notification; others: number }) {
  const desk = useDesk();
  const say = useText();
  const words = alarmWords(notification, desk);
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
    </div>
  );
}
