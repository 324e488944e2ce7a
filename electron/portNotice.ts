import type { PortChoice } from './ports.ts';

/** What to tell the operator of ports that other programs hold; null when all is as usual. */
export function portNotice(ports: {
  console: PortChoice;
  /** `wanted`: the port that could not be had, or null. */
  osmand: { wanted: number | null; port: number | null };
}): { message: string; detail: string } | null {
  const lines: string[] = [];
  const { console, osmand } = ports;
  if (console.insteadOf !== null) {
    lines.push(
      `Port ${console.insteadOf} is taken, so the console and the REST API are at port ${console.port} this time. ` +
        'Videos and settings that this computer keeps for the console belong to the usual port and are back with it.',
    );
  }
  if (osmand.wanted !== null) {
    lines.push(
      `Port ${osmand.wanted}, where trackers send positions, is taken. Positions are taken in at port ` +
        `${osmand.port ?? 'none'} this time; trackers that send to ${osmand.wanted} do not reach Fleetdeck.`,
    );
  }
  if (lines.length === 0) return null;
  return {
    message: 'Another program holds a port of Fleetdeck.',
    detail: [...lines, 'End the other program and start Fleetdeck again.'].join('\n\n'),
  };
}
