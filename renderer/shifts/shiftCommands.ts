import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { canOpen, mayWrite } from '../navigation/navigation.ts';
import { ownShift, startShift, waitingFor } from './shiftActions.ts';

const mayAct = ({ user, shifts }: AppContext): boolean =>
  mayWrite(user, 'notifications') && shifts.store.getState().load.phase === 'ready';
const own = ({ user, shifts }: AppContext) => ownShift(shifts.store.getState().byId, user);
const waits = ({ user, shifts }: AppContext) => waitingFor(shifts.store.getState().byId, user).length > 0;

/** What is done with shifts, from every screen. */
export const shiftCommands: readonly Command[] = [
  {
    id: 'start_shift',
    label: 'shift.start',
    group: 'shift',
    shortcut: 'Alt+Shift+S',
    when: (app) => mayAct(app) && own(app) === null,
    run: (app) => void startShift(app),
  },
  {
    id: 'add_shift_note',
    label: 'command.add_shift_note',
    group: 'shift',
    shortcut: 'Alt+Shift+N',
    when: (app) => mayAct(app) && own(app) !== null,
    run: (app) => app.view.setState({ overlay: 'shift_note' }),
  },
  {
    id: 'hand_over_shift',
    label: 'command.hand_over_shift',
    group: 'shift',
    shortcut: 'Alt+Shift+H',
    when: (app) => mayAct(app) && own(app) !== null,
    run: (app) => app.view.setState({ overlay: 'shift_handover' }),
  },
  {
    id: 'accept_shift',
    label: 'command.accept_shift',
    group: 'shift',
    shortcut: 'Alt+Shift+A',
    when: (app) => mayAct(app) && waits(app),
    run: (app) => app.view.setState({ overlay: 'shift_accept' }),
  },
  {
    id: 'end_shift',
    label: 'command.end_shift',
    group: 'shift',
    shortcut: 'Alt+Shift+E',
    when: (app) => mayAct(app) && own(app) !== null,
    run: (app) => app.view.setState({ overlay: 'shift_end' }),
  },
  {
    id: 'since_login',
    label: 'command.since_login',
    group: 'shift',
    shortcut: 'Alt+Shift+L',
    when: ({ user }) => canOpen(user, 'shift'),
    run: ({ navigation }) => navigation.go('shift', { id: 'since_login' }),
  },
];
