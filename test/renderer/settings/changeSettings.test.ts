import { expect, it } from 'vitest';
import { serviceRoutes, settingsFields, type Settings } from '../../../server/contract/settings.ts';
import { ApiProblem, Unreachable } from '../../../renderer/api/errors.ts';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { changeSettings } from '../../../renderer/settings/changeSettings.ts';
import { createSettingsStore, takeSettings } from '../../../renderer/settings/settingsStore.ts';

const version = (number: number) => ({ ...settingsFields.parse({}), version: number }) as unknown as Settings;

function open(read: () => Promise<Settings>) {
  const settings = createSettingsStore();
  takeSettings(settings, version(1));
  const request = (route: unknown) =>
    route === serviceRoutes.settings
      ? read()
      : Promise.reject(new ApiProblem({ code: 'version_conflict', status: 412 } as never, null));
  return { settings, api: { request } } as unknown as Pick<AppContext, 'api' | 'settings'>;
}

it('settings that someone else changed are read again before a change is refused for it', async () => {
  const app = open(() => Promise.resolve(version(7)));
  await expect(changeSettings(app, version(1), {})).rejects.toThrow(ApiProblem);
  expect(app.settings.getState().settings?.version).toBe(7);
});

it('a change is not said to meet reloaded settings that could not be read', async () => {
  const app = open(() => Promise.reject(new Unreachable('no answer')));
  await expect(changeSettings(app, version(1), {})).rejects.toThrow(Unreachable);
});
