/** The number of open alarms on the dock or task bar; one more while nobody looks makes the task bar flash. */
export function createBadge(deps: {
  setCount: (count: number) => void;
  flash: () => void;
  isFocused: () => boolean;
}): (count: number) => void {
  let before = 0;
  return (count) => {
    if (count === before) return;
    deps.setCount(count);
    if (count > before && !deps.isFocused()) deps.flash();
    before = count;
  };
}
