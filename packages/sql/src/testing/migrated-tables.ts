import type { DatabaseType } from '@cadmus/model/database-types'
import type { SchemaPairs } from '../alter-pairs.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../tree.ts'
import { insertOf } from './filled-tables.ts'
import type { Rows } from './introspect.ts'

// For tests only: everything that a catalogue says about tables, apart from the order of columns and names that the database chooses.

export async function catalogueOf(rows: Rows, database: DatabaseType): Promise<string[]> {
  const objects: string[] = []
  for (const query of catalogues[database] ?? []) {
    objects.push(...(await rows(query)).map(row => JSON.stringify(Object.values(row))))
  }
  return objects.toSorted()
}

const catalogues: Partial<Record<DatabaseType, readonly string[]>> = {
  postgresql: [
    `SELECT table_name, column_name, data_type, character_maximum_length, numeric_precision, numeric_scale, is_nullable, is_identity,
      column_default, pg_get_serial_sequence(quote_ident(table_name), column_name) AS sequence,
      col_description(quote_ident(table_name)::regclass, ordinal_position) AS comment, obj_description(quote_ident(table_name)::regclass) AS about
      FROM information_schema.columns WHERE table_schema = 'public'`,
    `SELECT CASE WHEN c.contype = 'c' AND c.conname NOT LIKE 'ck\\_%' THEN '' ELSE c.conname END AS n, t.relname, pg_get_constraintdef(c.oid) AS d
      FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid WHERE c.connamespace = 'public'::regnamespace AND c.contype <> 'n'`,
    "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
  ],
  mysql: [
    `SELECT table_name a, column_name b, column_type c, is_nullable d, column_default e, extra f, column_comment g, collation_name h
      FROM information_schema.columns WHERE table_schema = DATABASE()`,
    `SELECT table_name a, engine b, table_comment c FROM information_schema.tables WHERE table_schema = DATABASE()`,
    `SELECT table_name a, check_clause b FROM information_schema.check_constraints WHERE constraint_schema = DATABASE()`,
    `SELECT table_name a, index_name b, column_name c, seq_in_index d, non_unique e, collation f FROM information_schema.statistics WHERE table_schema = DATABASE()`,
    `SELECT table_name a, constraint_name b, column_name c, ordinal_position d, referenced_table_name e, referenced_column_name f
      FROM information_schema.key_column_usage WHERE constraint_schema = DATABASE()`,
    `SELECT table_name a, constraint_name b, delete_rule c, update_rule d FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE()`,
  ],
  hsql: [
    `SELECT table_name a, column_name b, data_type c, character_maximum_length d, numeric_precision e, numeric_scale f, is_nullable g,
      column_default h, is_identity i, datetime_precision j FROM information_schema.columns WHERE table_schema = 'PUBLIC'`,
    `SELECT k.table_name a, CASE WHEN k.constraint_name LIKE 'SYS%' THEN '' ELSE k.constraint_name END b, c.check_clause c
      FROM information_schema.check_constraints c JOIN information_schema.table_constraints k
      ON k.constraint_schema = c.constraint_schema AND k.constraint_name = c.constraint_name WHERE c.constraint_schema = 'PUBLIC'`,
    `SELECT table_name a, constraint_name b, column_name c, ordinal_position d, position_in_unique_constraint e
      FROM information_schema.key_column_usage WHERE constraint_schema = 'PUBLIC'`,
    `SELECT constraint_name a, unique_constraint_name b, delete_rule c FROM information_schema.referential_constraints WHERE constraint_schema = 'PUBLIC'`,
    `SELECT table_name a, CASE WHEN index_name LIKE 'ix%' THEN index_name ELSE '' END b, column_name c, ordinal_position d, non_unique e, asc_or_desc f
      FROM information_schema.system_indexinfo WHERE table_schem = 'PUBLIC'`,
    `SELECT object_name a, column_name b, comment c FROM information_schema.system_comments WHERE object_schema = 'PUBLIC' AND comment <> ''`,
  ],
}

/** Statements that fill tables, as far as keys allow. */
export function insertsOf({ tables }: Schema, dialect: Dialect): string[] {
  return tables.flatMap(table => [1, 2, 3, 4].map(number => insertOf(table, number, dialect)))
}

/** Records of tables that stay, with the columns whose values stay the same, each as a text. */
export function remainingRows(query: Rows, { pairs }: SchemaPairs, dialect: Dialect) {
  const columns = pairs.map(pair =>
    pair.columns.filter(
      ({ before, after }) =>
        dialect.typeName(before.type) === dialect.typeName(after.type) && (after.nullable || !before.nullable),
    ),
  )
  const read = async (of: 'before' | 'after') => {
    const records: string[][] = []
    for (const [at, pair] of pairs.entries()) {
      const own = columns[at]?.map((one, number) => `${dialect.quote(one[of].name)} AS c${number}`) ?? []
      const rows = await query(`SELECT ${['1 AS c', ...own].join(', ')} FROM ${dialect.quote(pair[of].name)}`)
      records.push(rows.map(row => JSON.stringify(Object.values(row))).toSorted())
    }
    return records
  }
  return { before: async () => read('before'), after: async () => read('after') }
}
