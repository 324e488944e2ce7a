import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { kindsBesideTracks } from '../contract/events.ts';
import { geofenceRoutes } from '../contract/geofences.ts';
import { ruleRoutes, type NewRule, type Rule } from '../contract/rules.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { geofenceOf } from '../geofences/geofenceRecord.ts';
import { checkMonitored, type Geofences } from '../geofences/geofences.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';
import type { Api } from '../http/api.ts';
import { invalid } from '../http/apiError.ts';
import { holds, isDealer, type Viewer } from '../http/viewer.ts';
import type { Rules } from '../notifications/rules.ts';
import type { Sight } from '../notifications/sight.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import { respondWithProgress } from './answerWork.ts';
import type { PreviewWork } from './previewWork.ts';
import type { FiringOrder } from './rulePreview.ts';

export interface PreviewRouteDeps {
  work: Pick<PreviewWork, 'visits' | 'firings'>;
  vehicles: Pick<Vehicles, 'visible'>;
  geofences: Pick<Geofences, 'all' | 'find' | 'draft' | 'notMonitored'>;
  rules: Pick<Rules, 'find' | 'inScope'>;
  sight: Sight;
  /** Throws 400 for a rule that the viewer could not add. */
  checkRule: (input: NewRule, viewer: Viewer) => void;
  settings: () => SettingsFields;
  clock: Clock;
}

/** What geofences and rules, saved or not, would have made of the past. */
export function addPreviewRoutes(api: Api, deps: PreviewRouteDeps): void {
  const { work, vehicles, geofences, rules, sight, settings, clock } = deps;

  api.handle(geofenceRoutes.preview, (call) => {
    const { body, viewer } = call;
    return respondWithProgress(call, async (ask) => {
      const geofence = geofenceOf(
        body.geofence === undefined
          ? checkMonitored(geofences, geofences.find(body.geozone_id ?? '', viewer))
          : await geofences.draft(body.geofence, viewer, ask.signal),
      );
      // Positions are shown only to callers who may see vehicles.
      const seen = () => (holds(viewer, 'vehicles', 'read') ? vehicles.visible(viewer) : []);
      const order = () => ({
        geofence,
        vehicle_ids: seen()
          .filter(
            ({ group_ids }) =>
              geofence.group_ids.length === 0 || group_ids.some((id) => geofence.group_ids.includes(id)),
          )
          .map((it) => it.vehicle_id),
        period: periodOf(body),
        crossing_max_gap_s: settings().crossing_max_gap_s,
      });
      return work.visits(order, ask);
    });
  });

  api.handle(ruleRoutes.preview, (call) => {
    const { body, viewer } = call;
    const rule =
      body.rule === undefined ? rules.find(body.rule_id ?? '', viewer) : draftRule(body.rule, viewer);
    if (kindsBesideTracks.includes(rule.event_kind)) {
      throw invalid('rule.event_kind', 'concerns what tracks do not contain');
    }
    return respondWithProgress(call, async (ask) => {
      const preview = await work.firings(() => firingOrder(rule, periodOf(body), viewer), ask);
      const items = preview.items.map((item) => {
        const { geozone_id, details } = sight.of({ ...item, rule_id: null }, viewer);
        return { ...item, geozone_id, details };
      });
      return { ...preview, items };
    });
  });

  function firingOrder(rule: Rule, period: TimeRange, viewer: Viewer): FiringOrder {
    const inScope = vehicles.visible(viewer).filter((it) => rules.inScope(rule, it.vehicle_id));
    const fences = geofences.all().filter((it) => geofences.notMonitored(it.geozone_id) === null);
    const [any] = inScope;
    return {
      rule,
      vehicles: inScope,
      geofences: fences.map(geofenceOf),
      seen_fence_ids: fences
        .map((it) => it.geozone_id)
        .filter((id) => any !== undefined && rules.inScope(rule, any.vehicle_id, id)),
      settings: settings(),
      period,
      now_ms: clock.now(),
    };
  }

  function draftRule(input: NewRule, viewer: Viewer): Rule {
    deps.checkRule(input, viewer);
    const now = new Date(clock.now()).toISOString();
    return {
      ...input,
      video: input.video ?? null,
      rule_id: randomUUID(),
      disabled_reason: null,
      owner_id: isDealer(viewer) ? null : viewer.user.user_id,
      version: 1,
      created_at: now,
      updated_at: now,
    };
  }
}

function periodOf({ from, to }: { from: string; to: string }): TimeRange {
  return { from_ms: Date.parse(from), to_ms: Date.parse(to) };
}
