import { useT } from '../i18n/useT.ts';
import type { FieldErrors } from '../ui/formFaults.ts';
import { TextField } from '../ui/TextField.tsx';

/** Username and password, as a password manager knows them. */
export function CredentialFields({
  login,
  onLogin,
  password,
  onPassword,
  isNew = false,
  autoFocus,
  faults = {},
}: {
  login: string;
  onLogin: (login: string) => void;
  password: string;
  onPassword: (password: string) => void;
  /** The user does not exist yet. */
  isNew?: boolean;
  autoFocus: boolean;
  faults?: FieldErrors;
}) {
  const t = useT();
  return (
    <>
      <TextField
        label={t('login.login')}
        value={login}
        onChange={onLogin}
        fault={faults['login'] ?? null}
        autoComplete="username"
        autoFocus={autoFocus}
        maxLength={64}
      />
      <TextField
        label={t('login.password')}
        type="password"
        value={password}
        onChange={onPassword}
        fault={faults['password'] ?? null}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        maxLength={200}
      />
    </>
  );
}
