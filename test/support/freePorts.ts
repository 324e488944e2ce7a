const ports = ['port', 'osmand-port', 'teltonika-port', 'wialon-port', 'jt808-port', 'jt1078-port'] as const;

/** Arguments of the program for a free port each, but for those that are given. */
export function freePorts(given: Partial<Record<(typeof ports)[number], number | string>> = {}): string[] {
  return ports.flatMap((name) => [`--${name}`, String(given[name] ?? 0)]);
}

/** Below what systems hand out by themselves, and away from a host that runs on this machine. */
export function anyPort(): number {
  return 20_000 + Math.floor(Math.random() * 10_000);
}
