import type { OpenAlarms } from './bridge/channels.ts';

/**
 * The open alarms on the icons of the program; one more while nobody looks makes the task bar flash. Null: nobody is
 * logged in.
 */
export function createBadge(deps: {
  show: (open: OpenAlarms | null) => void;
  flash: () => void;
  isFocused: () => boolean;
}): (open: OpenAlarms | null) => void {
  let before: OpenAlarms | null = null;
  return (open) => {
    if (open?.count === before?.count && open?.worst === before?.worst) return;
    deps.show(open);
    if ((open?.count ?? 0) > (before?.count ?? 0) && !deps.isFocused()) deps.flash();
    before = open;
  };
}
