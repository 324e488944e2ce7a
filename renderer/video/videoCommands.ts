import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import type { TextKey } from '../i18n/text.ts';
import type { VideoControl } from './videoActions.ts';

const find = (app: AppContext, name: VideoControl) => app.video.controls.find(name);

function videoCommand(
  name: VideoControl,
  shortcut: string | null,
  label: TextKey,
  more: Pick<Command, 'otherShortcuts' | 'keycap' | 'needsKey'> = {},
): Command {
  return {
    id: `video_${name}`,
    label,
    group: 'video',
    shortcut,
    ...more,
    when: (app) => find(app, name) !== undefined,
    run: (app, pressed) => find(app, name)?.(pressed),
  };
}

/** The keys of the Video screen (LOOKS 7). Its parts say what they can do now: `useVideoControls`. */
export const videoCommands: readonly Command[] = [
  videoCommand('play', ' ', 'keys.video.play', { keycap: 'Space' }),
  videoCommand('frame', ',', 'keys.video.frame', { otherShortcuts: ['.'], keycap: ', .', needsKey: true }),
  // Signs lie on other keys in other layouts: Shift with a comma or a point is what it types.
  videoCommand('event', '<', 'keys.video.event', {
    otherShortcuts: [';', '>', ':'],
    keycap: 'Shift , .',
    needsKey: true,
  }),
  videoCommand('rate', 'Shift+ArrowUp', 'keys.video.rate', {
    otherShortcuts: ['Shift+ArrowDown'],
    keycap: 'Shift ↑ ↓',
    needsKey: true,
  }),
  videoCommand('channel', '1', 'keys.video.channel', {
    otherShortcuts: ['2', '3', '4', '5', '6', '7', '8', '9'],
    keycap: '1 … 9',
    needsKey: true,
  }),
  videoCommand('mark', 'M', 'keys.video.mark'),
  videoCommand('snapshot', 'S', 'keys.video.snapshot'),
  videoCommand('snapshot_all', 'Shift+S', 'keys.video.snapshot_all'),
  videoCommand('attach', null, 'keys.video.attach'),
  videoCommand('request', 'V', 'keys.video.request'),
  videoCommand('queue', 'Q', 'keys.video.queue'),
  videoCommand('retry', 'R', 'keys.video.retry'),
  videoCommand('cancel', 'X', 'keys.video.cancel'),
  videoCommand('important', 'I', 'keys.video.important'),
  videoCommand('export', 'E', 'evidence.export'),
];
