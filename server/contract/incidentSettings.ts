import { z } from 'zod';
import { eventKind } from './events.ts';
import { shortText } from './fields.ts';

/** All who are logged in are sent the settings at each change of them. */
const maxChars = 16_000;

/** Why incidents are closed: what a dispatcher chooses from. */
export const closeReasons = z
  .array(shortText)
  .min(1)
  .max(30)
  .refine(
    (reasons) => new Set(reasons.map((it) => it.toLowerCase())).size === reasons.length,
    'has a reason twice',
  )
  .default(['Resolved', 'False alarm', 'Test', 'Handed over to emergency services', 'Duplicate'])
  .meta({ description: 'for which an incident may be closed; none twice, whatever its case' });

const checklist = z
  .strictObject({
    event_kind: eventKind.nullable().meta({ description: 'null: of incidents without an alarm' }),
    items: z.array(z.string().trim().min(1).max(200).meta({ pattern: '\\S' })).max(30),
  })
  .meta({ id: 'IncidentChecklist' });

/** What is to be done, by the kind of an incident's first alarm. An incident keeps the one that it began with. */
export const checklists = z
  .array(checklist)
  .max(50)
  .refine(
    (lists) => new Set(lists.map((it) => it.event_kind)).size === lists.length,
    'has two checklists of one kind',
  )
  .refine(
    (lists) => JSON.stringify(lists).length <= maxChars,
    `is longer than ${maxChars} characters as JSON`,
  )
  .default([
    {
      event_kind: 'sos',
      items: [
        'Call the driver',
        'Watch the video of the moment',
        'Send help to the location',
        'Inform the supervisor',
        'Write down what the driver says',
      ],
    },
    { event_kind: 'power_cut', items: ['Call the driver', 'Check where the vehicle stands'] },
    { event_kind: 'offline', items: ['Call the driver', 'Check the last position'] },
  ])
  .meta({ description: 'copied into each new incident, by the kind of its first alarm; one for each kind' });
