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

it('a database from before API tokens keeps its change log, in which nothing was done with one', () => {
  const added = migrations.findIndex(({ sql }) => sql.includes('CREATE TABLE api_tokens'));
  const older = new DatabaseSync(':memory:');
  for (const { sql } of migrations.slice(0, added)) older.exec(sql);
  older.exec("INSERT INTO change_log (topic, resource_id, at_ms, actor) VALUES ('user', 'anna', 1, 'boss')");
  for (const { sql } of migrations.slice(added)) older.exec(sql);
  expect(older.prepare('SELECT actor, actor_token, actor_token_name FROM change_log').all()).toEqual([
    { actor: 'boss', actor_token: null, actor_token_name: null },
  ]);
  expect(older.prepare('SELECT count(*) AS count FROM api_tokens').get()).toEqual({ count: 0 });
  older.close();
});
