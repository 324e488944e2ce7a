import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { StreamMessage } from '../../../server/contract/stream.ts';
import type { Desk } from '../../../renderer/desk/desk.ts';
import { createTexts, sayWith } from '../../../renderer/i18n/text.ts';
import { createLiveView } from '../../../renderer/live/liveView.ts';
import { startCommandNews } from '../../../renderer/terminalCommands/commandNews.ts';
import { openTerminalCommands } from '../../../renderer/terminalCommands/openTerminalCommands.ts';
import { createToastStore } from '../../../renderer/ui/toastStore.ts';
import { sampleVehicle } from '../samples.ts';
import { createSpokenStream } from '../stream/spokenStream.ts';
import { answeredCommand, failedCommand, sampleCommand, sentCommand } from './sampleCommand.ts';

/** As much of a session as the news look at. */
function setUp() {
  const { stream, say } = createSpokenStream();
  stream.start();
  const desk = {
    user: { user_id: 'u1' },
    stream,
    toasts: createToastStore(),
    view: createLiveView({}),
    vehicles: { store: createStore(() => ({ byId: new Map([['v1', sampleVehicle({ name: 'V 17' })]]) })) },
    say: sayWith(createTexts()),
  } as unknown as Desk;
  const stop = startCommandNews(desk);
  return {
    desk,
    stop,
    tell: (data: Extract<StreamMessage, { topic: 'command' }>['data']) => say({ topic: 'command', data }),
    toast: () => desk.toasts.getState().toast,
  };
}

describe('the end of a command', () => {
  it('is told to who gave it, with a way to the commands of the vehicle', () => {
    const { desk, tell, toast } = setUp();
    tell(answeredCommand());
    expect(toast()).toMatchObject({
      text: 'V 17 answered “getver”: Ver:03.27.07_00 GPS:AXN_5.1',
      isTrouble: false,
    });
    toast()?.action?.run();
    expect(desk.view.getState()).toMatchObject({ overlay: 'terminal_commands', commandedId: 'v1' });
    tell(failedCommand('no_answer', ''));
    expect(toast()?.text).toMatch(/^V 17 answered/);
  });

  it('is trouble when it did not work out', () => {
    const { tell, toast } = setUp();
    tell(failedCommand('no_answer', ''));
    expect(toast()?.isTrouble).toBe(true);
    tell(sampleCommand({ status: 'expired' }));
    expect(toast()).toMatchObject({
      text: expect.stringContaining('did not connect in time'),
      isTrouble: true,
    });
  });

  it('is not told while its vehicle’s commands are looked at, but while those of another are', () => {
    const { desk, tell, toast } = setUp();
    openTerminalCommands(desk, 'v1');
    tell(answeredCommand());
    expect(toast()).toBeNull();
    openTerminalCommands(desk, 'v2');
    tell(answeredCommand());
    expect(toast()).not.toBeNull();
  });

  it('is no news to others, nor what is under way, cancelled or deleted, nor anything after the end', () => {
    const { tell, toast, stop } = setUp();
    tell(answeredCommand({ created_by: 'u2' }));
    tell(sampleCommand());
    tell(sentCommand());
    tell(sampleCommand({ status: 'cancelled' }));
    tell({ command_id: 'c1', deleted: true });
    stop();
    tell(answeredCommand());
    expect(toast()).toBeNull();
  });
});
