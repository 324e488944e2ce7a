import { useState, type SyntheticEvent } from 'react';
import { isProblem } from '../api/errors.ts';
import { PASSWORD_MIN, passwordStrength, STRENGTH_STEPS } from '../auth/passwordStrength.ts';
import { useConsole } from '../RootContext.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { faultsOf, sentenceOf, type FieldErrors } from '../ui/formFaults.ts';
import { StepMeter } from '../ui/Meter.tsx';
import { TextField } from '../ui/TextField.tsx';

/** Makes the dealer that a new depot begins with. */
export function FirstDealer() {
  const { auth, platform, navigation } = useConsole();
  const t = useT();
  const [code, setCode] = useState(() => platform.setupCode() ?? '');
  const [given] = useState(() => platform.setupCode() !== null);
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<FieldErrors>({});
  const [sentence, setSentence] = useState<string | null>(null);
  const strength = passwordStrength(password, login);
  const rating = strength <= 1 ? 'weak' : strength === 2 ? 'fair' : 'good';

  const submit = async () => {
    setBusy(true);
    setSentence(null);
    setFaults({});
    try {
      await auth.setup(code.trim(), login.trim(), password);
      navigation.go('setup');
    } catch (error) {
      setFaults(faultsOf(error));
      setSentence(
        isProblem(error, 'credentials_invalid')
          ? t('setup.code_wrong')
          : isProblem(error, 'not_found')
            ? t('setup.taken')
            : sentenceOf(error, t),
      );
      setBusy(false);
    }
  };

  return (
    <form
      className="setup-form"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      {!given && (
        <TextField
          label={t('setup.code')}
          hint={t('setup.code_hint')}
          value={code}
          onChange={setCode}
          fault={faults['code'] ?? null}
          autoFocus
          maxLength={200}
        />
      )}
      <TextField
        label={t('login.login')}
        value={login}
        onChange={setLogin}
        fault={faults['login'] ?? null}
        autoComplete="username"
        autoFocus={given}
        maxLength={64}
      />
      <TextField
        label={t('login.password')}
        type="password"
        value={password}
        onChange={setPassword}
        fault={faults['password'] ?? null}
        autoComplete="new-password"
        maxLength={200}
      />
      <div>
        <StepMeter label={t('setup.strength')} steps={strength} of={STRENGTH_STEPS} />
        <p className="quiet small setup-form__strength">
          {password.length < PASSWORD_MIN
            ? t('setup.password_short', { length: password.length, min: PASSWORD_MIN })
            : t(`setup.password_${rating}`, {
                length: password.length,
                min: PASSWORD_MIN,
              })}
        </p>
      </div>
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
      <div>
        <Button
          kind="primary"
          submits
          disabled={busy || code.trim() === '' || login.trim() === '' || password.length < PASSWORD_MIN}
        >
          {t('setup.create_dealer')}
        </Button>
      </div>
    </form>
  );
}
