import type { createStatusStore } from '../telemetry/statusStore.ts';
import { attentionByVehicle, sameAttention } from '../vehicles/attention.ts';
import type { AppContext } from './appContext.ts';

/** Keeps what follows from the facts: statuses, attention, names of places. */
export function startDerived(
  app: AppContext,
  statuses: ReturnType<typeof createStatusStore>,
  placeNames: { onChange: (run: () => void) => () => void },
): () => void {
  const { vehicles, notifications, geofences, attention, places, serverTime, settings, acks, snoozed } = app;

  const renewAttention = () => {
    const waiting = acks.store.getState().waiting;
    const snoozedById = snoozed.getState().byId;
    // What somebody has snoozed is in somebody's hands as well.
    const shown = [...notifications.store.getState().byId.values()].map((it) =>
      waiting.has(it.notification_id) || snoozedById.has(it.notification_id)
        ? { ...it, state: 'acknowledged' as const }
        : it,
    );
    const byVehicle = attentionByVehicle(shown);
    if (!sameAttention(byVehicle, attention.getState().byVehicle)) attention.setState({ byVehicle });
  };

  const undo = [
    vehicles.store.subscribe((state, before) => {
      if (state.byId !== before.byId) statuses.review();
    }),
    serverTime.ticks.subscribe(() => statuses.review()),
    settings.subscribe(() => statuses.review()),
    notifications.store.subscribe((state, before) => {
      if (state.byId !== before.byId) renewAttention();
    }),
    acks.store.subscribe(renewAttention),
    snoozed.subscribe(renewAttention),
    geofences.store.subscribe((state, before) => {
      if (state.byId !== before.byId) places.renew();
    }),
    placeNames.onChange(() => places.renew()),
  ];
  return () => undo.forEach((run) => run());
}
