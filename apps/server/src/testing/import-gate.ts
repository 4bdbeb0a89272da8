import type { PostgresDatabase } from '@cadmus/testing/postgres'

/** Rows an import writes before it stops. */
const before = 200

/**
 * Makes imports in this database stop halfway, after storing some rows, until the returned function is called, so that
 * tests can act during an import on any machine.
 */
export async function holdImports(database: PostgresDatabase): Promise<() => Promise<void>> {
  const gate = await database.connect()
  await gate.run('select pg_advisory_lock(2)', [])
  await database.execute(`
    create sequence if not exists rows_of_imports;
    alter sequence rows_of_imports restart;
    create or replace function wait_in_the_middle() returns trigger language plpgsql as
      'begin if nextval(''rows_of_imports'') > ${before} then perform pg_advisory_xact_lock_shared(2); end if; return new; end';
    create or replace trigger middle before insert on entity
      for each row when (new.import_id > 0) execute function wait_in_the_middle()`)
  return () => gate.end()
}
