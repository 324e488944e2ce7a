import type { Cause } from '../contract/causes.ts';
import { causeOf } from '../contract/causeTexts.ts';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Settings, SettingsFields } from '../contract/settings.ts';
import { ApiError, causesOf } from '../http/apiError.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Intake } from './intake.ts';
import { listenError } from './startupError.ts';

/** The address of listeners that only this machine may reach. */
const ownHost = '127.0.0.1';

/** Opens the intake to the network, and closes it, as the settings say. */
export type IntakeBinding = ReturnType<typeof createIntakeBinding>;

/** @param deps.openHost the address of listeners that other machines may reach */
export function createIntakeBinding(deps: {
  settings: SettingsStore;
  intake: Pick<Intake, 'listeners' | 'open' | 'rebind'>;
  config: Pick<Config, 'intakeHost'>;
  openHost: string;
  log: Logger;
}) {
  const { settings, intake, config, openHost, log } = deps;
  /** The last move that failed. */
  let failure: Cause[] | null = null;
  /** One change after the other: each is checked against what the one before has left. */
  const queue = new PQueue({ concurrency: 1 });

  const hostOf = ({ intake_open }: SettingsFields) => config.intakeHost ?? (intake_open ? openHost : ownHost);

  async function move(host: string): Promise<void> {
    try {
      await intake.rebind(host);
    } catch (error) {
      const cause = listenError(error);
      failure = cause === null ? causesOf(error) : [cause];
      log.error({ err: error, host }, 'intake could not be rebound; keeping the previous address');
      const why = [...failure, causeOf('listener.stays')];
      throw new ApiError(cause === null ? 'unavailable' : 'in_use', why, { cause: error });
    }
    failure = null;
    log.warn({ host }, 'intake listens at another address');
  }

  async function change(patch: object, ifMatch: number | null): Promise<Settings> {
    const former = hostOf(settings.now());
    const wanted = hostOf(settings.check(patch, ifMatch));
    if (wanted === former) {
      const changed = await settings.patch(patch, ifMatch);
      // Whoever says so again is content with where it is.
      if ('intake_open' in patch) failure = null;
      return changed;
    }
    await move(wanted);
    try {
      return await settings.patch(patch, ifMatch);
    } catch (error) {
      await move(former);
      throw error;
    }
  }

  function shut(): Cause[] | null {
    for (const [name, { listener }] of Object.entries(intake.listeners)) {
      const fault = listener.fault();
      if (fault !== null)
        return [
          causeOf('listener.shut', { name }),
          listenError(fault) ?? causeOf('verbatim', { detail: fault.message }),
        ];
    }
    return null;
  }

  return {
    /** Where the listeners should bind. */
    host: (): string => hostOf(settings.now()),
    /** Where they bind once they are open to the network, if they may be opened. */
    openHost: (): string => config.intakeHost ?? openHost,
    /** Whether other machines may reach them. */
    isOpen: (): boolean => settings.now().intake_open,
    /** Whether a command-line option holds where they listen. */
    isOverridden: config.intakeHost !== null,
    /** Why one of them is shut; null when all listen. */
    shut,
    /** That, or else why they could not be moved the last time; null when they could. */
    fault: (): Cause[] | null => shut() ?? failure,
    /** Opens the listeners; rejects when a port cannot be opened. */
    start: (): Promise<void> => queue.add(() => intake.open(hostOf(settings.now()))),
    /**
     * Changes settings; what they say of the intake holds before it is stored, and is taken back when it cannot be
     * stored. Throws as the settings do; 409 when a port cannot be opened, 503 when the listeners cannot be rebound for
     * another reason: nothing is changed then.
     */
    patch: (patch: object, ifMatch: number | null): Promise<Settings> =>
      queue.add(() => change(patch, ifMatch)),
  };
}
