import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { EscalationStep } from '../../server/contract/escalation.ts';
import {
  channelPatch,
  notificationRoutes,
  type ChannelSettings,
} from '../../server/contract/notifications.ts';
import { recipientRoutes } from '../../server/contract/recipients.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { stepWords } from '../notifications/escalationLabels.ts';
import { useResourceForm } from '../resources/useResourceForm.ts';
import { Button } from '../ui/Button.tsx';
import { Form } from '../ui/Form.tsx';
import { ModalFooter } from '../ui/Modal.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { nextStep, stepFormsOf, stepsOf, type StepForm } from './escalationForm.ts';
import { escalationFields, EscalationSteps } from './EscalationSteps.tsx';

const PATH = 'alarm_escalation.steps';

interface DepotForm {
  steps: readonly StepForm[];
}

const formOf = (channels: ChannelSettings | null): DepotForm => ({
  steps: stepFormsOf(channels?.alarm_escalation ?? null),
});

/** The escalation of the rules that escalate as the depot. */
export function DepotEscalation({ channels, onClose }: { channels: ChannelSettings; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const { form, change, faults, sentence, busy, isDirty, save } = useResourceForm<ChannelSettings, DepotForm>(
    {
      item: channels,
      formOf,
      requestOf: ({ steps }) => {
        const wrong: Record<string, string> = {};
        const number = (path: string, text: string) => {
          const value = Number(text);
          if (text.trim() === '' || !Number.isFinite(value)) wrong[path] = t('form.not_a_number');
          return value;
        };
        const read = stepsOf(steps, number, PATH);
        if (Object.keys(wrong).length > 0) return { faults: wrong };
        const body = { alarm_escalation: read.length === 0 ? null : { steps: read } };
        return {
          schema: channelPatch,
          body,
          send: () => app.api.request(notificationRoutes.patchChannels, { body }),
        };
      },
      fields: escalationFields(PATH),
    },
  );
  const { steps } = form;
  return (
    <Form faults={faults} onSubmit={() => void save().then((saved) => saved !== null && onClose())}>
      <p className="quiet">{t('escalation.depot_about')}</p>
      <p className="quiet">{t('escalation.about')}</p>
      <Toggle
        label={t('escalation.depot_on')}
        on={steps.length > 0}
        onChange={(on) => change({ steps: on ? [nextStep([])] : [] })}
      />
      {steps.length > 0 && (
        <EscalationSteps
          steps={steps}
          onChange={(next) => change({ steps: next })}
          faults={faults}
          path={PATH}
        />
      )}
      <ModalFooter sentence={sentence} onCancel={onClose}>
        <Button kind="primary" submits disabled={busy || !isDirty}>
          {t('ui.save')}
        </Button>
      </ModalFooter>
    </Form>
  );
}

/** The steps of the depot while they are needed; null: it has none, undefined: not known. */
export function useDepotSteps(isNeeded: boolean): readonly EscalationStep[] | null | undefined {
  const app = useAppContext();
  const [steps, setSteps] = useState<readonly EscalationStep[] | null | undefined>(undefined);
  useEffect(() => {
    if (!isNeeded) return;
    const abort = new AbortController();
    app.api.request(recipientRoutes.suggestions, { signal: abort.signal }).then(
      ({ alarm_escalation }) => setSteps(alarm_escalation?.steps ?? null),
      () => setSteps(undefined),
    );
    return () => abort.abort();
  }, [app, isNeeded]);
  return isNeeded ? steps : undefined;
}

/** In a rule that escalates as the depot: what that does now. Without a response only that it does is said. */
export function DepotEscalationNote() {
  const app = useAppContext();
  const t = useT();
  const names = useStore(app.userNames, (state) => state.byId);
  const steps = useDepotSteps(true);
  return (
    <div className="small">
      <p className="quiet">{t('escalation.depot_rule')}</p>
      {steps === null && <p className="escalation__warning">{t('escalation.depot_none')}</p>}
      {steps?.map((it) => (
        <p key={it.after_min} className="quiet">
          {stepWords(
            it,
            it.user_ids.map((id) => names.get(id) ?? null),
            t,
          )}
        </p>
      ))}
    </div>
  );
}
