import { describe, expect, it } from 'vitest';
import { ApiProblem, Unreachable } from '../../../renderer/api/errors.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { failureOf, placeFaults } from '../../../renderer/ui/formFaults.ts';
import type { ProblemCode } from '../../../server/contract/problem.ts';

const t = createTranslate(createI18n());

function problem(code: ProblemCode, errors?: { path: string; message: string }[]): ApiProblem {
  return new ApiProblem(
    {
      type: 'about:blank',
      title: 'Title',
      status: 400,
      detail: 'The rule Gate watch names it.',
      code,
      request_id: 'r1',
      ...(errors === undefined ? {} : { errors }),
    },
    null,
  );
}

describe('the faults of a form', () => {
  it('the faults of a form stand at the fields that show them, those of a list at the list', () => {
    const faults = [
      { path: 'body.name', message: 'is empty' },
      { path: '/group_ids/0', message: 'is unknown' },
      { path: 'group_ids.1', message: 'is unknown too' },
    ];
    expect(placeFaults(faults, ['name', 'group_ids'])).toEqual({
      faults: { name: 'is empty', group_ids: 'is unknown' },
      sentence: null,
    });
  });

  it('the faults of a form stand at the most particular of its fields', () => {
    const faults = [
      { path: 'video', message: 'is not allowed' },
      { path: 'video.after_s', message: 'is too large' },
    ];
    expect(placeFaults(faults, ['video', 'video.after_s']).faults).toEqual({
      video: 'is not allowed',
      'video.after_s': 'is too large',
    });
  });

  it('the faults of a form that none of its fields shows are said in one sentence', () => {
    const faults = [
      { path: 'name', message: 'is empty' },
      { path: 'names', message: 'is unknown' },
      { path: 'geometry.coordinates.0', message: 'crosses itself' },
    ];
    expect(placeFaults(faults, ['name'])).toEqual({
      faults: { name: 'is empty' },
      sentence: 'names: is unknown; geometry.coordinates.0: crosses itself',
    });
  });
});

describe('the failure of an action', () => {
  it('the failure of an action is shown at the fields when the server refuses a value', () => {
    const error = problem('validation_failed', [{ path: 'name', message: 'is empty' }]);
    expect(failureOf(error, t, { fields: ['name'] })).toEqual({
      faults: { name: 'is empty' },
      sentence: null,
    });
    expect(failureOf(error, t)).toEqual({ faults: {}, sentence: 'name: is empty' });
  });

  it('the failure of an action is said in the form’s own words where it has some', () => {
    const error = problem('in_use');
    expect(failureOf(error, t).sentence).toBe('The rule Gate watch names it.');
    expect(failureOf(error, t, { texts: { in_use: 'It is in use.' } }).sentence).toBe('It is in use.');
    const texts = { in_use: (detail: string) => `In use: ${detail}` };
    expect(failureOf(error, t, { texts }).sentence).toBe('In use: The rule Gate watch names it.');
  });

  it('the failure of an action says that nothing was saved, or was sent, while the server is not reached', () => {
    const error = new Unreachable('down');
    expect(failureOf(error, t).sentence).toBe('The server is not responding. Nothing was saved.');
    expect(failureOf(error, t, { unreachable: 'Not sent.' }).sentence).toBe('Not sent.');
  });
});
