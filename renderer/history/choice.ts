import { MOST_CHOSEN } from './historyAddress.ts';

/** How a vehicle is chosen: alone, beside the others or no longer, and with all between it and the last one. */
export type Choose = 'only' | 'toggle' | 'range';

export interface Choice {
  /** The one that is looked at: it is among the chosen. */
  vehicleId: string | null;
  chosenIds: readonly string[];
}

/** What is chosen after a vehicle was. @param listed those of the list, in its order */
export function choiceAfter(
  { vehicleId: last, chosenIds }: Choice,
  vehicleId: string,
  how: Choose,
  listed: readonly string[],
): Choice {
  if (how === 'only') return { vehicleId, chosenIds: [vehicleId] };
  if (how === 'toggle' && chosenIds.includes(vehicleId)) {
    const others = chosenIds.filter((it) => it !== vehicleId);
    return { vehicleId: vehicleId === last ? (others.at(-1) ?? null) : last, chosenIds: others };
  }
  const ends = [listed.indexOf(last ?? vehicleId), listed.indexOf(vehicleId)];
  const between = how === 'range' ? listed.slice(Math.max(0, Math.min(...ends)), Math.max(...ends) + 1) : [];
  const all = [...new Set([...chosenIds, ...between].filter((it) => it !== vehicleId)), vehicleId];
  return { vehicleId, chosenIds: all.slice(-MOST_CHOSEN) };
}
