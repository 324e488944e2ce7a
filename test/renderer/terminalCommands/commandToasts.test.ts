import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { StreamMessage } from '../../../server/contract/stream.ts';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { createLiveView } from '../../../renderer/live/liveView.ts';
import {
  fetchCommandToast,
  startCommandToasts,
} from '../../../renderer/terminalCommands/startCommandToasts.ts';
import { openVehicleDialog } from '../../../renderer/vehicles/vehicleDialogs.ts';
import { createToastStore } from '../../../renderer/ui/toastStore.ts';
import { sampleVehicle } from '../samples.ts';
import { createFakeStream } from '../stream/fakeStream.ts';
import { respondedCommand, failedCommand, sampleCommand, sentCommand } from './sampleCommand.ts';

/** As much of a session as the news look at. */
function setUp() {
  const { stream, send } = createFakeStream();
  stream.start();
  const app = {
    user: { user_id: 'u1' },
    stream,
    toasts: createToastStore(),
    view: createLiveView({}),
    vehicles: { store: createStore(() => ({ byId: new Map([['v1', sampleVehicle({ name: 'V 17' })]]) })) },
    t: createTranslate(createI18n()),
  } as unknown as AppContext;
  const stop = startCommandToasts(app);
  return {
    app,
    stop,
    emit: async (data: Extract<StreamMessage, { topic: 'command' }>['data']) => {
      send({ topic: 'command', data });
      await fetchCommandToast();
    },
    toast: () => app.toasts.getState().toast,
  };
}

describe('the end of a command', () => {
  it('the end of a command is reported to the user that gave it, with a link to the commands of the vehicle', async () => {
    const { app, emit, toast } = setUp();
    await emit(respondedCommand());
    expect(toast()).toMatchObject({
      text: 'V 17 replied to “getver”: Ver:03.27.07_00 GPS:AXN_5.1',
      isTrouble: false,
    });
    toast()?.action?.run();
    expect(app.view.getState()).toMatchObject({ overlay: 'terminal_commands', dialogVehicleId: 'v1' });
    await emit(failedCommand('no_response', ''));
    expect(toast()?.text).toMatch(/^V 17 replied to/);
  });

  it('the end of a command is trouble when it did not work out', async () => {
    const { emit, toast } = setUp();
    await emit(failedCommand('no_response', ''));
    expect(toast()?.isTrouble).toBe(true);
    await emit(sampleCommand({ status: 'expired' }));
    expect(toast()).toMatchObject({
      text: expect.stringContaining('did not connect in time'),
      isTrouble: true,
    });
  });

  it('the end of a command is not reported while its vehicle’s commands are open, but while those of another are', async () => {
    const { app, emit, toast } = setUp();
    openVehicleDialog(app, 'terminal_commands', 'v1');
    await emit(respondedCommand());
    expect(toast()).toBeNull();
    openVehicleDialog(app, 'terminal_commands', 'v2');
    await emit(respondedCommand());
    expect(toast()).not.toBeNull();
  });

  it('the end of a command is not notified to others, nor while it is under way, cancelled or deleted, nor anything after the end', async () => {
    const { emit, toast, stop } = setUp();
    await emit(respondedCommand({ created_by: 'u2' }));
    await emit(sampleCommand());
    await emit(sentCommand());
    await emit(sampleCommand({ status: 'cancelled' }));
    await emit({ command_id: 'c1', deleted: true });
    stop();
    await emit(respondedCommand());
    expect(toast()).toBeNull();
  });
});
