import type { AppContext } from '../appContext/appContext.ts';

/** Reports what the program around the console did by itself or by its tray: a page loaded again, sounds muted. Returns its end. */
export function startProgramToasts(
  app: Pick<AppContext, 'platform' | 'toasts' | 'settings' | 't'>,
): () => void {
  const { platform, toasts, settings, t } = app;
  const reason = platform.takeReloadReason();
  if (reason !== null) {
    toasts.setState({ toast: { text: t(`program.reloaded.${reason}`), isTrouble: true, action: null } });
  }
  const { program } = platform;
  if (program === null) return () => undefined;
  return program.preferences.subscribe((now, before) => {
    const mutedUntil = now?.mutedUntil ?? null;
    if (mutedUntil === null || mutedUntil === before?.mutedUntil) return;
    const time = settings.getState().time.minute(mutedUntil);
    toasts.setState({
      toast: {
        text: t('program.muted', { time }),
        isTrouble: false,
        action: {
          label: t('program.unmute'),
          // What could not be changed stays as the settings show it.
          run: () => void program.change({ mutedUntil: null }).catch(() => undefined),
        },
      },
    });
  });
}
