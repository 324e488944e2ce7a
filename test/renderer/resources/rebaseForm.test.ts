import { expect, it } from 'vitest';
import { changesOf, rebaseForm } from '../../../renderer/resources/rebaseForm.ts';

it('a form keeps what was typed while a form was being saved, and takes all else as it was saved', () => {
  const sent = { name: 'Van', plate: 'AB 1', groups: ['north'], password: 'a new one' };
  const saved = { name: 'Van', plate: 'AB 1', groups: ['north', 'south'], password: '' };
  expect(rebaseForm(sent, sent, saved)).toEqual(saved);
  expect(rebaseForm({ ...sent, plate: 'CD 2' }, sent, saved)).toEqual({ ...saved, plate: 'CD 2' });
  // Back to what it was before both: typed all the same.
  expect(rebaseForm({ ...sent, plate: '' }, sent, saved)).toEqual({ ...saved, plate: '' });
  expect(rebaseForm({ ...sent, groups: [...sent.groups] }, sent, saved)).toEqual(saved);
});

it('the changes of a form are the fields that say something else, and another order of ids says the same', () => {
  const base = { name: 'Van', plate: null, group_ids: ['north', 'south'], schedule: { days: [1, 2] } };
  expect(changesOf({ ...base, group_ids: ['south', 'north', 'north'] }, base)).toEqual({});
  expect(changesOf({ ...base, plate: 'AB 1', group_ids: ['north'] }, base)).toEqual({
    plate: 'AB 1',
    group_ids: ['north'],
  });
  expect(changesOf({ ...base, schedule: { days: [2] } }, base)).toEqual({ schedule: { days: [2] } });
});
