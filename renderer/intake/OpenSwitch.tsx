import { useState } from 'react';
import { useStore } from 'zustand';
import type { IntakeState } from '../../server/contract/intake.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { changeSettings } from '../settings/changeSettings.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Modal } from '../ui/Modal.tsx';
import { ModalFooter } from '../ui/ModalFooter.tsx';
import { Toggle } from '../ui/Toggle.tsx';

/** Whether other machines can reach the intake; what changing it means is said before it is done. */
export function OpenSwitch({ intake, onChanged }: { intake: IntakeState; onChanged: () => void }) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const settings = useStore(app.settings, (state) => state.settings);
  const [asked, setAsked] = useState<boolean | null>(null);
  const held = intake.overridden;
  const state = t(intake.open ? 'intake.is_open' : 'intake.is_closed');

  return (
    <div className="intake-open">
      <Toggle
        label={t('intake.open')}
        hint={held ? `${state} ${t('settings.overridden')}` : state}
        on={intake.open}
        onChange={setAsked}
        disabled={held || lost || settings === null}
      />
      {intake.error !== null && (
        <p className="form-sentence" role="alert">
          {t('intake.fault', { fault: intake.error })}
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
  const app = useAppContext();
  const t = useT();
  const settings = useStore(app.settings, (state) => state.settings);
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);

  const change = async () => {
    if (settings === null) return;
    setBusy(true);
    setSentence(null);
    try {
      await changeSettings(app, settings, { intake_open: open });
      onDone();
    } catch (error) {
      setSentence(sentenceOf(error, t, { version_conflict: t('intake.conflict') }));
      setBusy(false);
    }
  };

  return (
    <Modal title={t(open ? 'intake.open_title' : 'intake.close_title')} onClose={onClose}>
      <div className="form-column">
        <p>{t(open ? 'intake.open_means' : 'intake.close_means')}</p>
        {open && <p className="quiet">{t('intake.open_reach')}</p>}
        <ModalFooter sentence={sentence} onCancel={onClose}>
          <Button kind="primary" disabled={busy} onPress={() => void change()}>
            {t(open ? 'intake.open_do' : 'intake.close_do')}
          </Button>
        </ModalFooter>
      </div>
    </Modal>
  );
}
