import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import { migrations } from '../../../../server/store/telemetry/schema.ts';

let db: DatabaseSync;

beforeEach(() => {
  db = new DatabaseSync(':memory:');
  for (const { sql } of migrations) db.exec(sql);
  return () => {
    db.close();
  };
});

it('the database refuses two active vehicles with one terminal, and allows archived ones beside it', () => {
  const add = db.prepare(
    'INSERT INTO vehicles (vehicle_id, version, terminal_key, record) VALUES (?, 1, ?, ?)',
  );
  add.run('first', '7', '{}');
  expect(() => add.run('second', '7', '{}')).toThrow('UNIQUE constraint failed: vehicles.terminal_key');
  add.run('archived', null, '{}');
  add.run('archived too', null, '{}');
  expect(db.prepare('SELECT count(*) AS count FROM vehicles').get()).toEqual({ count: 3 });
});

it('the database refuses two users with one login and two groups with one name', () => {
  const user = db.prepare("INSERT INTO users VALUES (?, 1, 'anna', 0, '{}')");
  user.run('first');
  expect(() => user.run('second')).toThrow('UNIQUE constraint failed: users.login_key');
  const group = db.prepare("INSERT INTO groups VALUES (?, 1, 'north', '{}')");
  group.run('first');
  expect(() => group.run('second')).toThrow('UNIQUE constraint failed: groups.name_key');
});
