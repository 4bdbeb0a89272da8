import { describe, expect, it } from 'vitest'
import type { ScriptDatabase } from '../databases.ts'
import { summaryOf } from '../testing/read-summary.ts'

const columns = 'a int not null, b int not null, c int'

/** The groups of the last table, and the remarks. */
function groupsOf(script: string, database: ScriptDatabase = 'postgresql') {
  const { tables, remarks } = summaryOf(script, database)
  const [, groups = ''] = /(?:^|, )((?:unique|index|key)(?: \S+)? \(.*\))$/.exec(tables.at(-1) ?? '') ?? []
  return { groups, remarks }
}

describe('Keys and indexes of several columns', () => {
  it.each<[string, string, string, ScriptDatabase?]>([
    ['inline', `CREATE TABLE t (${columns}, UNIQUE (a, b));`, 'unique (a, b)'],
    ['named', `CREATE TABLE t (${columns}, CONSTRAINT u UNIQUE (b, a));`, 'unique u (b, a)'],
    ['added later', `CREATE TABLE t (${columns}); ALTER TABLE t ADD CONSTRAINT u UNIQUE (a, b);`, 'unique u (a, b)'],
    ['a unique index', `CREATE TABLE t (${columns}); CREATE UNIQUE INDEX u ON t (a, b);`, 'unique u (a, b)'],
    [
      'an index in descending order',
      `CREATE TABLE t (${columns}); CREATE INDEX i ON t (a DESC, c);`,
      'index i (a desc, c)',
    ],
    ['a key of MySQL', `CREATE TABLE t (${columns}, KEY k (a, c));`, 'index k (a, c)', 'mysql'],
    ['an automatic name of ours', `CREATE TABLE t (${columns}, CONSTRAINT uq_t_a_b UNIQUE (a, b));`, 'unique (a, b)'],
    ['a key in another order than its columns', `CREATE TABLE t (${columns}, PRIMARY KEY (b, a));`, 'key (b, a)'],
    ['a key in the order of its columns', `CREATE TABLE t (${columns}, PRIMARY KEY (a, b));`, ''],
    [
      'a unique index without empty rows of SQL Server',
      `CREATE TABLE t (${columns}); CREATE UNIQUE INDEX u ON t (a, c) WHERE a IS NOT NULL AND c IS NOT NULL;`,
      'unique u (a, c)',
      'mssql',
    ],
    [
      'the same of Oracle',
      `CREATE TABLE t (a NUMBER(9) NOT NULL, c NUMBER(9));
CREATE UNIQUE INDEX u ON t (CASE WHEN a IS NOT NULL AND c IS NOT NULL THEN a END, CASE WHEN a IS NOT NULL AND c IS NOT NULL THEN c END);`,
      'unique u (a, c)',
      'oracle',
    ],
    [
      'a unique index of SQL Server without empty rows of the columns that may be empty',
      `CREATE TABLE t (${columns}); CREATE UNIQUE INDEX u ON t (a, c) WHERE (c IS NOT NULL);`,
      'unique u (a, c)',
      'mssql',
    ],
    [
      'one whose condition has other cases than the table',
      'CREATE TABLE t ([ItemNo] int, [Price] int); CREATE UNIQUE INDEX u ON t (itemno, [PRICE]) WHERE ItemNO IS NOT NULL AND price IS NOT NULL;',
      'unique u (ItemNo, Price)',
      'mssql',
    ],
    [
      'one of PostgreSQL, which never compares rows without a value',
      `CREATE TABLE t (a int, b int); CREATE UNIQUE INDEX u ON t (a, b) WHERE b IS NOT NULL;`,
      'unique u (a, b)',
    ],
    [
      'one of Oracle with names in other cases',
      `CREATE TABLE t (a NUMBER(9), c NUMBER(9));
CREATE UNIQUE INDEX u ON t (CASE WHEN A IS NOT NULL AND "C" IS NOT NULL THEN a END, CASE WHEN a IS NOT NULL AND c IS NOT NULL THEN c END);`,
      'unique u (a, c)',
      'oracle',
    ],
    [
      'a renamed column',
      `CREATE TABLE t (${columns}, UNIQUE (a, b)); ALTER TABLE t RENAME COLUMN a TO x;`,
      'unique (x, b)',
    ],
    [
      'one that is dropped',
      `CREATE TABLE t (${columns}, CONSTRAINT u UNIQUE (a, b)); ALTER TABLE t DROP CONSTRAINT u;`,
      '',
    ],
    ['one that repeats another', `CREATE TABLE t (${columns}, UNIQUE (a, b), UNIQUE (b, a));`, 'unique (a, b)'],
  ])('are read: %s', (_, script, groups, database) => {
    expect(groupsOf(script, database)).toEqual({ groups, remarks: [] })
  })

  it.each<[string, string, string, ScriptDatabase?]>([
    [
      'of which a column is an object',
      `CREATE TABLE t (${columns}, j jsonb, UNIQUE (a, j));`,
      "1 lost: The unique constraint (a, j) of table 't' is ignored: 'j' is an object.",
    ],
    [
      'over some rows',
      `CREATE TABLE t (${columns});\nCREATE UNIQUE INDEX u ON t (a, b) WHERE c IS NOT NULL;`,
      "2 lost: The INDEX u (a, b) WHERE c IS NOT NULL of table 't' is ignored.",
    ],
    [
      'over some rows of columns that may be empty',
      `CREATE TABLE t (a int, b int);\nCREATE UNIQUE INDEX u ON t (a, b) WHERE b IS NOT NULL;`,
      "2 lost: The INDEX u (a, b) WHERE b IS NOT NULL of table 't' is ignored.",
      'mssql',
    ],
    [
      'of the first characters of a column',
      `CREATE TABLE t (${columns}, d varchar(99), UNIQUE KEY k (a, d(10)));`,
      "1 changed: (a, d) are unique together by the first 10 characters of 'd': they are imported as unique as a whole.",
      'mysql',
    ],
    [
      'of more than 16 columns',
      `CREATE TABLE t (${Array.from({ length: 17 }, (__, at) => `c${at} int`).join(', ')});
CREATE INDEX i ON t (${Array.from({ length: 17 }, (__, at) => `c${at}`).join(', ')});`,
      '2 lost: The index',
    ],
    [
      'that compare empty values',
      `CREATE TABLE t (${columns}, UNIQUE (a, c));`,
      '1 changed: (a, c) are unique together: rows without a value in one of them are not compared.',
      'mssql',
    ],
  ])('are reported: %s', (_, script, remark, database) => {
    expect(groupsOf(script, database).remarks).toEqual([expect.stringContaining(remark)])
  })
})
