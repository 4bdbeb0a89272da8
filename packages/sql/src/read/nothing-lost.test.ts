import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ScriptDatabase, scriptDatabases } from '../databases.ts'
import { type Counts, noCounts, sumOf } from './counts.ts'
import { readScript } from './script.ts'
import type { SqlModel } from './sql-model.ts'
import { SqlError } from './token.ts'

/** Those that are visible in the model. */
function visibleCounts({ tables, enumerations }: Pick<SqlModel, 'tables' | 'enumerations'>): Partial<Counts> {
  const columns = tables.flatMap(table => table.columns)
  const count = (has: (column: (typeof columns)[number]) => boolean) => columns.filter(has).length
  const groups = (kind: string) => tables.flatMap(table => table.groups.filter(group => group.kind === kind)).length
  return {
    table: tables.length,
    enumeration: enumerations.length,
    column: columns.length,
    key: tables.filter(table => table.columns.some(({ isKey }) => isKey)).length,
    foreignKey: count(({ reference }) => reference !== null),
    unique: count(({ unique }) => unique) + groups('unique'),
    index: count(({ indexed }) => indexed) + groups('index'),
    comment: [...tables, ...columns, ...enumerations].filter(({ description }) => description !== '').length,
  }
}

type Case = [what: string, script: string, counts: Partial<Counts>, database?: ScriptDatabase]

const scripts: readonly Case[] = [
  [
    'uniques beside one another',
    'CREATE TABLE seat (id int primary key, r int not null, c int not null, unique (r, c), constraint u unique (r), unique (c, r, id));',
    { table: 1, column: 3, key: 1, unique: 3 },
  ],
  [
    'checks, each by its own text',
    `CREATE TABLE pet (id int primary key, kind varchar(9) CHECK (kind IN ('cat','dog')), age int CHECK (age >= 0 AND age < 40) CHECK (age <> 7), tag varchar(5) CHECK (length(tag) > 2), CHECK (age > 0 OR kind = 'cat'), born date CHECK (born > '2000-01-01'));`,
    { table: 1, column: 5, key: 1, check: 6 },
  ],
  [
    'defaults, each by its own text',
    `CREATE TABLE room (id UUID PRIMARY KEY DEFAULT gen_random_uuid(), f INT DEFAULT 1, m JSONB DEFAULT '{}'::jsonb, made TIMESTAMP DEFAULT now(), day date DEFAULT CURRENT_DATE, x int DEFAULT 'y', z int DEFAULT a b);`,
    { table: 1, column: 7, key: 1, default: 7 },
    'postgresql',
  ],
  [
    'two tables in one line',
    'CREATE TABLE a (u uuid DEFAULT gen_random_uuid(), UNIQUE (u, v), v int); CREATE TABLE b (u uuid DEFAULT gen_random_uuid(), UNIQUE (u, v), v int);',
    { table: 2, column: 4, default: 2, unique: 2 },
  ],
  [
    'foreign keys',
    `CREATE TABLE p (a int, b int, PRIMARY KEY (a, b)); CREATE TABLE c (a int, b int, d int REFERENCES missing, FOREIGN KEY (a, b) REFERENCES p, FOREIGN KEY (a) REFERENCES e (x));
CREATE TABLE e (x int UNIQUE);`,
    { table: 3, column: 6, key: 1, foreignKey: 3, unique: 1 },
  ],
  [
    'indexes and comments',
    `COMMENT ON TABLE t IS 'x'; CREATE TABLE t (a int, b int); COMMENT ON COLUMN t.a IS 'y'; COMMENT ON COLUMN t.z IS 'y'; COMMENT ON INDEX i IS 'z';
CREATE INDEX i ON t (a); CREATE INDEX j ON t (a, b); CREATE INDEX k ON t ((a + b)); CREATE INDEX l ON t (a) WHERE b > 1; CREATE INDEX m ON other (a);`,
    { table: 1, column: 2, index: 5, comment: 4 },
  ],
  [
    'partitions and tables without columns',
    'CREATE TABLE m (a int) PARTITION BY RANGE (a); CREATE TABLE m1 PARTITION OF m DEFAULT; CREATE TABLE x AS SELECT 1; SELECT * INTO y FROM m;',
    { table: 4, column: 1 },
  ],
  [
    'keys of MySQL',
    "CREATE TABLE `t` (`a` int COMMENT 'x', `b` int, PRIMARY KEY (`a`), UNIQUE `u` (`b`), KEY `k` (`b`), KEY `l` (`a`, `b`), FULLTEXT KEY `f` (`b`)) COMMENT='y';",
    { table: 1, column: 2, key: 1, unique: 1, index: 3, comment: 2 },
    'mysql',
  ],
  [
    'parts of a kind on one column',
    'CREATE TABLE t (a int UNIQUE CHECK (a IN (1, 2)) CHECK (a IN (1, 3)), b int, UNIQUE (a)); CREATE INDEX i ON t (b); CREATE INDEX j ON t (b); CREATE UNIQUE INDEX k ON t (lower(b)); CREATE UNIQUE INDEX l ON u (b);',
    { table: 1, column: 2, unique: 4, index: 2, check: 2 },
  ],
  [
    'foreign keys with choices and default values',
    "CREATE TYPE e AS ENUM ('x'); CREATE TABLE p (a varchar(9) PRIMARY KEY); CREATE TABLE t (a varchar(9) DEFAULT 'x' REFERENCES p CHECK (a IN ('x')), b e REFERENCES p, c int CHECK (c IN ('x')));",
    { table: 2, column: 4, key: 1, foreignKey: 2, check: 2, default: 1, enumeration: 1 },
    'postgresql',
  ],
  [
    'types that list their values, with comments, and others',
    `CREATE TYPE e AS ENUM ('x'); CREATE TYPE s.e AS ENUM ('y'); CREATE TYPE none AS ENUM (); CREATE TYPE gone AS ENUM ('x'); DROP TYPE gone;
    CREATE DOMAIN d AS text CHECK (VALUE IN ('a', 'b')); CREATE DOMAIN n AS int CHECK (VALUE IN (1, 2)); CREATE DOMAIN p AS int CHECK (VALUE > 0);
    COMMENT ON TYPE e IS 'x'; COMMENT ON DOMAIN n IS 'y'; COMMENT ON DOMAIN p IS 'z'; CREATE TABLE t (a e, b n, c none);`,
    { table: 1, column: 3, enumeration: 5, comment: 3 },
    'postgresql',
  ],
  [
    'what was dropped',
    'CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (a int REFERENCES p DEFAULT 1, b int, UNIQUE (b), CHECK (b > a)); ALTER TABLE t DROP COLUMN b; DROP TABLE p CASCADE;',
    { table: 1, column: 1, default: 1 },
    'postgresql',
  ],
  [
    'generated values',
    "CREATE SEQUENCE s; CREATE TABLE t (a serial PRIMARY KEY, b int GENERATED ALWAYS AS IDENTITY, c int DEFAULT nextval('s')); CREATE TABLE u (a int PRIMARY KEY DEFAULT nextval('s'), b int DEFAULT NULL);",
    { table: 2, column: 5, key: 2, default: 2 },
    'postgresql',
  ],
  [
    'partitions with parts of their own',
    "CREATE TABLE m (a int PRIMARY KEY, b int DEFAULT 1) PARTITION BY RANGE (a); CREATE TABLE m1 PARTITION OF m DEFAULT; CREATE INDEX i ON m1 (b); COMMENT ON TABLE m1 IS 'x'; CREATE TABLE m2 PARTITION OF n DEFAULT;",
    { table: 3, column: 2, key: 1, index: 1, default: 1, comment: 1 },
    'postgresql',
  ],
  [
    'constraints of other kinds',
    'CREATE TABLE t (a int, EXCLUDE USING gist (a WITH =), EXCLUDE (a WITH =));',
    { table: 1, column: 1, other: 2 },
    'postgresql',
  ],
  [
    'repeated definitions',
    'CREATE TABLE t (a int, a int, PRIMARY KEY (a), b int PRIMARY KEY); CREATE TABLE t (c int);',
    { table: 2, column: 3, key: 2 },
  ],
]

describe('Everything in a script is in the model or reported as lost', () => {
  it.each(scripts)('%s', (_what, script, counts, database) => {
    const model = readScript(script, database)
    expect(model.counts.declared).toEqual({ ...noCounts(), ...counts })
    expectBalance(model)
  })
})

function expectBalance(model: Pick<SqlModel, 'tables' | 'enumerations' | 'counts'>): void {
  const { declared, taken, listed } = model.counts
  expect(sumOf(taken, listed)).toEqual(declared)
  expect(taken).toMatchObject(visibleCounts(model))
}

/** Nothing for a script that is refused; any other fault is thrown. */
function readOrRefuse(
  script: string,
  database?: ScriptDatabase,
): Pick<SqlModel, 'tables' | 'enumerations' | 'remarks' | 'counts'> {
  try {
    return readScript(script, database)
  } catch (error) {
    if (!(error instanceof SqlError) || error.line < 1) throw error
    return {
      tables: [],
      enumerations: [],
      remarks: [],
      counts: { declared: noCounts(), taken: noCounts(), listed: noCounts() },
    }
  }
}

describe('A changed script', () => {
  const pieces = scripts.flatMap(([, script]) => script.split(/(?<=[\s(),;'])/))
  const signs = [...'();,.\'"`[]$/*-#\\\n@:='].concat(
    '/*!',
    '$$',
    '--',
    'GO\n',
    'ALTER TABLE t ',
    'DROP ',
    'RENAME ',
    'LIKE t',
  )
  const edit = fc.record({
    at: fc.nat(),
    length: fc.nat(40),
    text: fc.oneof(fc.constantFrom(...signs), fc.constantFrom(...pieces)),
  })
  const changed = fc
    .tuple(fc.constantFrom(...scripts.map(([, script]) => script)), fc.array(edit, { minLength: 1, maxLength: 6 }))
    .map(([script, edits]) =>
      edits.reduce((text, { at, length, text: put }) => {
        const from = at % (text.length + 1)
        return text.slice(0, from) + put + text.slice(from + (length > 20 ? 0 : length))
      }, script),
    )

  it('is read, with remarks, or refused with a position', () => {
    fc.assert(
      fc.property(
        changed,
        fc.constantFrom<ScriptDatabase | undefined>(undefined, ...scriptDatabases),
        (script, database) => {
          const model = readOrRefuse(script, database)
          const { tables, remarks } = model
          expectBalance(model)
          for (const { line, message } of remarks) expect([line >= 0, message !== '']).toEqual([true, true])
          for (const { columns } of tables)
            for (const { reference } of columns)
              expect(reference === null || reference.table < tables.length).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})
