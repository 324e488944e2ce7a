import { useState } from 'react';
import { CredentialFields } from '../auth/CredentialFields.tsx';
import { PASSWORD_MIN, passwordStrength, STRENGTH_STEPS } from '../auth/passwordStrength.ts';
import { useConsole } from '../RootContext.tsx';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Failure, Form } from '../ui/Form.tsx';
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
  const { busy, faults, sentence, run } = useAction();
  const strength = passwordStrength(password, login);
  const rating = strength <= 1 ? 'weak' : strength === 2 ? 'fair' : 'good';

  const submit = () =>
    run(
      async () => {
        await auth.setup(code.trim(), login.trim(), password);
        navigation.go('setup');
      },
      {
        fields: ['code', 'login', 'password'],
        texts: { credentials_invalid: t('setup.code_wrong'), not_found: t('setup.taken') },
      },
    );

  return (
    <Form className="setup-form" faults={faults} onSubmit={() => void submit()}>
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
      <CredentialFields
        login={login}
        onLogin={setLogin}
        password={password}
        onPassword={setPassword}
        isNew
        autoFocus={given}
        faults={faults}
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
      <Failure>{sentence}</Failure>
      <div>
        <Button
          kind="primary"
          submits
          disabled={busy || code.trim() === '' || login.trim() === '' || password.length < PASSWORD_MIN}
        >
          {t('setup.create_dealer')}
        </Button>
      </div>
    </Form>
  );
}
