import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ProblemCode } from '../../server/contract/problem.ts';
import { isProblem, Unreachable } from '../api/errors.ts';
import { CredentialFields } from '../auth/CredentialFields.tsx';
import { useConsole } from '../RootContext.tsx';
import { ConnectionsButton } from '../connections/ConnectionsButton.tsx';
import { hostOf, useApiDifference } from '../connections/remoteHost.ts';
import { formatAge } from '../format/age.ts';
import type { Translate } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { LanguageChoice } from '../ui/LanguageChoice.tsx';
import { BrandMark } from '../ui/BrandMark.tsx';
import { Button } from '../ui/Button.tsx';
import { Form } from '../ui/Form.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import './LoginScreen.css';
import { problemText } from '../ui/formFaults.ts';

/** Tries that an address has within any 60 seconds (API.md, limits). */
const TRIES = 10;

export function LoginScreen({ reason }: { reason: ProblemCode | null }) {
  const { auth, platform, clock } = useConsole();
  const t = useT();
  const connection = platform.connection();
  const apiDifference = useApiDifference();
  const depotName = useStore(auth.store, (state) => state.depotName);
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const { busy, run } = useAction();
  const [error, setError] = useState<unknown>(null);
  const [wrong, setWrong] = useState(0);
  const [blockedUntil, setBlockedUntil] = useState<number | null>(null);
  const leftMs = useCountdown(blockedUntil);

  const submit = () => {
    setError(null);
    void run(() => auth.login(login.trim(), password), {
      onFailure: (failure) => {
        setError(failure);
        if (isProblem(failure, 'credentials_invalid')) setWrong((count) => count + 1);
        if (isProblem(failure, 'rate_limited'))
          setBlockedUntil(clock.now() + (failure.retryAfterS ?? 60) * 1_000);
      },
    });
  };

  return (
    <div className="login-page">
      <Form className="login" onSubmit={submit}>
        <BrandMark size={32} />
        <div>
          <h1 className="login__depot">{depotName}</h1>
          <p className="quiet">
            {connection === null
              ? window.location.host
              : t('connections.remote', { host: hostOf(connection.url) })}
          </p>
        </div>
        {reason !== null && error === null && <p className="login__reason">{t(reasonKey(reason))}</p>}
        {apiDifference !== null && <p className="form-sentence">{t(apiDifference)}</p>}
        <CredentialFields
          login={login}
          onLogin={setLogin}
          password={password}
          onPassword={setPassword}
          autoFocus
        />
        <Button
          kind="primary"
          wide
          submits
          disabled={busy || leftMs > 0 || login.trim() === '' || password === '' || !platform.cookies}
        >
          {t('login.log_in')}
        </Button>
        {!platform.cookies && (
          <div className="login__note" role="alert">
            <SeverityMark severity="info" />
            <span>
              <b>{t('login.cookies_off')}</b> {t('login.cookies_how', { host: window.location.hostname })}
            </span>
          </div>
        )}
        <p className="small" role="alert">
          {leftMs > 0 ? t('login.blocked', { age: formatAge(leftMs + 999) }) : formatError(error, wrong, t)}
        </p>
        <ConnectionsButton wide />
        <LoginLanguage />
      </Form>
    </div>
  );
}

/** Kept on this computer: who will log in is not known yet. */
function LoginLanguage() {
  const { preferences } = useConsole();
  const t = useT();
  return (
    <LanguageChoice
      label={t('language.language')}
      value={useStore(preferences, (state) => state.language)}
      onChange={(language) => preferences.setState({ language })}
    />
  );
}

function formatError(error: unknown, wrong: number, t: Translate): string {
  if (error === null) return '';
  if (isProblem(error, 'credentials_invalid')) {
    return wrong === 1
      ? t('login.wrong')
      : t('login.wrong_times', { times: wrong, left: Math.max(0, TRIES - wrong) });
  }
  if (isProblem(error, 'user_blocked')) return t('login.user_blocked');
  // The announced block is over.
  if (isProblem(error, 'rate_limited')) return '';
  if (isProblem(error)) return problemText(error.problem, t);
  return error instanceof Unreachable ? t('failure.no_response') : t('failure.unexpected');
}

function reasonKey(reason: ProblemCode) {
  return reason === 'session_expired' ? 'login.session_expired' : 'login.session_ended';
}

function useCountdown(until: number | null): number {
  const { clock } = useConsole();
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (until === null) return;
    let stop: () => void = () => undefined;
    const count = () => {
      const leftMs = until - clock.now();
      setLeft(Math.max(0, leftMs));
      if (leftMs > 0) stop = clock.after(Math.min(leftMs, 1_000), count);
    };
    count();
    return () => stop();
  }, [until, clock]);
  return left;
}
