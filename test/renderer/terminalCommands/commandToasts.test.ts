import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { StreamMessage } from '../../../server/contract/stream.ts';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { createLiveView } from '../../../renderer/live/liveView.ts';
import {
  startCommandToasts,
  openTerminalCommands,
} from '../../../renderer/terminalCommands/openTerminalCommands.ts';
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
    emit: (data: Extract<StreamMessage, { topic: 'command' }>['data']) => send({ topic: 'command', data }),
    toast: () => app.toasts.getState().toast,
  };
}

describe('the end of a command', () => {
  it('the end of a command is reported to the user that gave it, with a link to the commands of the vehicle', () => {
    const { app, emit, toast } = setUp();
    emit(respondedCommand());
    expect(toast()).toMatchObject({
      text: 'V 17 replied to “getver”: Ver:03.27.07_00 GPS:AXN_5.1',
      isTrouble: false,
    });
    toast()?.action?.run();
    expect(app.view.getState()).toMatchObject({ overlay: 'terminal_commands', commandedId: 'v1' });
    emit(failedCommand('no_response', ''));
    expect(toast()?.text).toMatch(/^V 17 replied to/);
  });

  it('the end of a command is trouble when it did not work out', () => {
    const { emit, toast } = setUp();
    emit(failedCommand('no_response', ''));
    expect(toast()?.isTrouble).toBe(true);
    emit(sampleCommand({ status: 'expired' }));
    expect(toast()).toMatchObject({
      text: expect.stringContaining('did not connect in time'),
      isTrouble: true,
    });
  });

  it('the end of a command is not reported while its vehicle’s commands are open, but while those of another are', () => {
    const { app, emit, toast } = setUp();
    openTerminalCommands(app, 'v1');
    emit(respondedCommand());
    expect(toast()).toBeNull();
    openTerminalCommands(app, 'v2');
    emit(respondedCommand());
    expect(toast()).not.toBeNull();
  });

  it('the end of a command is not notified to others, nor while it is under way, cancelled or deleted, nor anything after the end', () => {
    const { emit, toast, stop } = setUp();
    emit(respondedCommand({ created_by: 'u2' }));
    emit(sampleCommand());
    emit(sentCommand());
    emit(sampleCommand({ status: 'cancelled' }));
    emit({ command_id: 'c1', deleted: true });
    stop();
    emit(respondedCommand());
    expect(toast()).toBeNull();
  });
});
