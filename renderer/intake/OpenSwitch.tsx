import { useState } from 'react';
import { useStore } from 'zustand';
import type { IntakeState } from '../../server/contract/intake.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useLostSince } from '../desk/useMoment.ts';
import { useText } from '../i18n/useText.ts';
import { changeSettings } from '../settings/changeSettings.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Modal } from '../ui/Modal.tsx';
import { ModalFoot } from '../ui/ModalFoot.tsx';
import { Toggle } from '../ui/Toggle.tsx';

/** Whether other machines can reach the intake; what changing it means is said before it is done. */
export function OpenSwitch({ intake, onChanged }: { intake: IntakeState; onChanged: () => void }) {
  const desk = useDesk();
  const say = useText();
  const lost = useLostSince() !== null;
  const settings = useStore(desk.settings, (state) => state.settings);
  const [asked, setAsked] = useState<boolean | null>(null);
  const held = intake.overridden;
  const state = say(intake.open ? 'intake.is_open' : 'intake.is_closed');

  return (
    <div className="intake-open">
      <Toggle
        label={say('intake.open')}
        hint={held ? `${state} ${say('settings.overridden')}` : state}
        on={intake.open}
        onChange={setAsked}
        disabled={held || lost || settings === null}
      />
      {intake.fault !== null && (
        <p className="form-sentence" role="alert">
          {say('intake.fault', { fault: intake.fault })}
        </p>
      )}
      {asked !== null && (
        <OpenDialog
          open={asked}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null);
            onChanged();
          }}
        />
      )}
    </div>
  );
}

function OpenDialog({
  open,
  onClose,
  onDone,
}: {
  /** What it is to become. */
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const desk = useDesk();
  const say = useText();
  const settings = useStore(desk.settings, (state) => state.settings);
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);

  const change = async () => {
    if (settings === null) return;
    setBusy(true);
    setSentence(null);
    try {
      await changeSettings(desk, settings, { intake_open: open });
      onDone();
    } catch (error) {
      setSentence(sentenceOf(error, say, { version_conflict: say('intake.conflict') }));
      setBusy(false);
    }
  };

  return (
    <Modal title={say(open ? 'intake.open_title' : 'intake.close_title')} onClose={onClose}>
      <div className="form-column">
        <p>{say(open ? 'intake.open_means' : 'intake.close_means')}</p>
        {open && <p className="quiet">{say('intake.open_reach')}</p>}
        <ModalFoot sentence={sentence} onCancel={onClose}>
          <Button kind="primary" disabled={busy} onPress={() => void change()}>
            {say(open ? 'intake.open_do' : 'intake.close_do')}
          </Button>
        </ModalFoot>
      </div>
    </Modal>
  );
}
