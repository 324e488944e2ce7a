import type { EscalationHistory } from '../../server/contract/escalation.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import { useT } from '../i18n/useT.ts';
import { detailText } from '../ui/formFaults.ts';
import { Moment } from '../ui/Moment.tsx';
import { useNextWords } from './escalationLabels.ts';

/** What escalation has done, and what comes next; nothing where the rule had none. */
export function WhyEscalation({
  history,
  notification: { escalation },
}: {
  history: EscalationHistory | null;
  notification: Notification;
}) {
  const t = useT();
  const next = useNextWords(escalation);
  if (history === null) return null;
  const { steps, done, refused, refused_causes } = history;
  const isPaused = escalation?.next != null && escalation.next_at === null;
  if (done.length === 0 && next === null && refused === null && !isPaused) return null;
  return (
    <section className="why__section">
      <h3>{t('escalation.title')}</h3>
      {refused !== null && (
        <p>
          {t('escalation.refused', { reason: detailText({ detail: refused, causes: refused_causes }, t) })}
        </p>
      )}
      <ul>
        {done.map((it) => (
          <li key={it.step} className="why__delivery">
            <span className="strong">{t('escalation.done', { step: it.step, steps })}</span>{' '}
            <span className="quiet">
              <Moment at={it.at} />
            </span>
            <StepLines step={it} />
          </li>
        ))}
      </ul>
      {next !== null && (
        <p>
          <span className="strong">{t('escalation.next_title')}</span> {next.whole}
        </p>
      )}
      {isPaused && <p className="quiet">{t('escalation.paused')}</p>}
    </section>
  );
}

type DoneStep = EscalationHistory['done'][number];

/** Whom a step has reached, and whom not. What was sent to addresses stands among the deliveries. */
function StepLines({ step }: { step: DoneStep }) {
  const t = useT();
  const people = (list: DoneStep['console']) => list.map((it) => it.name ?? t('user.another')).join(', ');
  const listed = (list: DoneStep['console'], write: (names: string) => string) =>
    list.length === 0 ? [] : [write(people(list))];
  const lines = [
    ...(step.missed.length === 0 ? [] : [t('escalation.done_missed', { steps: step.missed.join(', ') })]),
    ...(step.nobody_on_duty ? [t('escalation.done_off_duty')] : []),
    ...(step.everybody ? [t('escalation.done_everybody')] : []),
    ...listed(step.console, (names) => t('escalation.done_console', { people: names })),
    ...listed(step.email, (names) => t('escalation.done_email', { people: names })),
    ...listed(step.no_address, (names) => t('escalation.done_no_address', { people: names })),
    ...listed(step.no_access, (names) => t('escalation.done_no_access', { people: names })),
    ...(step.not_mailed === 0 ? [] : [t('escalation.done_not_mailed', { count: step.not_mailed })]),
  ];
  return lines.map((line) => <div key={line}>{line}</div>);
}
