/** The number of open alarms on the dock or task bar; one more while nobody looks makes the task bar flash. */
export function createBadge(parts: {
  setCount: (count: number) => void;
  flash: () => void;
  isFocused: () => boolean;
}): (count: number) => void {
  let before = 0;
  return (count) => {
    if (count === before) return;
    parts.setCount(count);
    if (count > before && !parts.isFocused()) parts.flash();
    before = count;
  };
}
