import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ScriptDatabase, scriptDatabases } from '../databases.ts'
import { readScript } from './script.ts'
import type { SqlModel } from './sql-model.ts'
import { SqlError } from './token.ts'

/** How many of each a script has. */
type Counts = {
  tables: number
  columns: number
  keys: number
  foreignKeys: number
  uniques: number
  indexes: number
  checks: number
  defaults: number
  comments: number
}

const none: Counts = {
  tables: 0,
  columns: 0,
  keys: 0,
  foreignKeys: 0,
  uniques: 0,
  indexes: 0,
  checks: 0,
  defaults: 0,
  comments: 0,
}

/** Those in the model. */
function imported(script: string, database?: ScriptDatabase): Counts {
  const { tables } = readScript(script, database)
  const columns = tables.flatMap(table => table.columns)
  const count = (has: (column: (typeof columns)[number]) => boolean) => columns.filter(has).length
  return {
    tables: tables.length,
    columns: columns.length,
    keys: tables.filter(table => table.columns.some(({ isKey }) => isKey)).length,
    foreignKeys: count(({ reference }) => reference !== null),
    uniques: count(({ unique }) => unique),
    indexes: count(({ indexed }) => indexed),
    checks: count(({ choices }) => choices.length > 0),
    defaults: count(({ defaultValue }) => defaultValue !== null),
    comments:
      count(({ description }) => description !== '') + tables.filter(({ description }) => description !== '').length,
  }
}

const patterns: Readonly<Record<keyof Counts, RegExp>> = {
  tables: /is a partition of|created twice|has no column list|created by a query/,
  columns: /second column/,
  keys: /second primary key|: its primary key/,
  foreignKeys: /^The foreign key|refers to|: its foreign key/,
  uniques: /^The (?:unique constraint|UNIQUE)|: its unique/,
  indexes: /^The (?:index|INDEX|KEY|FULLTEXT)|has an index/,
  checks: /^The check/,
  defaults: /^The default value/,
  comments: /^The comment|has a comment/,
}

/** Those that are reported as lost. */
function reported(script: string, database?: ScriptDatabase): Counts {
  const lost = readScript(script, database).remarks.filter(({ kind }) => kind === 'lost')
  const counts = { ...none }
  for (const name of Object.keys(patterns) as (keyof Counts)[])
    counts[name] = lost.filter(({ message }) => patterns[name].test(message)).length
  return counts
}

function sum(a: Counts, b: Counts): Counts {
  return Object.fromEntries(Object.entries(a).map(([name, count]) => [name, count + b[name as keyof Counts]])) as Counts
}

type Case = [what: string, script: string, counts: Partial<Counts>, database?: ScriptDatabase]

const scripts: readonly Case[] = [
  [
    'uniques beside one another',
    'CREATE TABLE seat (id int primary key, r int not null, c int not null, unique (r, c), constraint u unique (r), unique (c, r, id));',
    { tables: 1, columns: 3, keys: 1, uniques: 3 },
  ],
  [
    'checks, each by its own text',
    `CREATE TABLE pet (id int primary key, kind varchar(9) CHECK (kind IN ('cat','dog')), age int CHECK (age >= 0 AND age < 40) CHECK (age <> 7), tag varchar(5) CHECK (length(tag) > 2), CHECK (age > 0 OR kind = 'cat'), born date CHECK (born > '2000-01-01'));`,
    { tables: 1, columns: 5, keys: 1, checks: 6 },
  ],
  [
    'defaults, each by its own text',
    `CREATE TABLE room (id UUID PRIMARY KEY DEFAULT gen_random_uuid(), f INT DEFAULT 1, m JSONB DEFAULT '{}'::jsonb, made TIMESTAMP DEFAULT now(), day date DEFAULT CURRENT_DATE, x int DEFAULT 'y', z int DEFAULT a b);`,
    { tables: 1, columns: 7, keys: 1, defaults: 7 },
    'postgresql',
  ],
  [
    'two tables in one line',
    'CREATE TABLE a (u uuid DEFAULT gen_random_uuid(), UNIQUE (u, v), v int); CREATE TABLE b (u uuid DEFAULT gen_random_uuid(), UNIQUE (u, v), v int);',
    { tables: 2, columns: 4, defaults: 2, uniques: 2 },
  ],
  [
    'foreign keys',
    `CREATE TABLE p (a int, b int, PRIMARY KEY (a, b)); CREATE TABLE c (a int, b int, d int REFERENCES missing, FOREIGN KEY (a, b) REFERENCES p, FOREIGN KEY (a) REFERENCES e (x));
CREATE TABLE e (x int UNIQUE);`,
    { tables: 3, columns: 6, keys: 1, foreignKeys: 3, uniques: 1 },
  ],
  [
    'indexes and comments',
    `COMMENT ON TABLE t IS 'x'; CREATE TABLE t (a int, b int); COMMENT ON COLUMN t.a IS 'y'; COMMENT ON COLUMN t.z IS 'y'; COMMENT ON INDEX i IS 'z';
CREATE INDEX i ON t (a); CREATE INDEX j ON t (a, b); CREATE INDEX k ON t ((a + b)); CREATE INDEX l ON t (a) WHERE b > 1; CREATE INDEX m ON other (a);`,
    { tables: 1, columns: 2, indexes: 5, comments: 4 },
  ],
  [
    'partitions and tables without columns',
    'CREATE TABLE m (a int) PARTITION BY RANGE (a); CREATE TABLE m1 PARTITION OF m DEFAULT; CREATE TABLE x AS SELECT 1; SELECT * INTO y FROM m;',
    { tables: 4, columns: 1 },
  ],
  [
    'keys of MySQL',
    "CREATE TABLE `t` (`a` int COMMENT 'x', `b` int, PRIMARY KEY (`a`), UNIQUE `u` (`b`), KEY `k` (`b`), KEY `l` (`a`, `b`), FULLTEXT KEY `f` (`b`)) COMMENT='y';",
    { tables: 1, columns: 2, keys: 1, uniques: 1, indexes: 3, comments: 2 },
    'mysql',
  ],
  [
    'repeated definitions',
    'CREATE TABLE t (a int, a int, PRIMARY KEY (a), b int PRIMARY KEY); CREATE TABLE t (c int);',
    { tables: 2, columns: 3, keys: 2 },
  ],
]

describe('Everything in a script is in the model or reported as lost', () => {
  it.each(scripts)('%s', (_what, script, counts, database) => {
    expect(sum(imported(script, database), reported(script, database))).toEqual({ ...none, ...counts })
  })
})

/** Nothing for a script that is refused; any other fault is thrown. */
function readOrRefuse(script: string, database?: ScriptDatabase): Pick<SqlModel, 'tables' | 'remarks'> {
  try {
    return readScript(script, database)
  } catch (error) {
    if (!(error instanceof SqlError) || error.line < 1) throw error
    return { tables: [], remarks: [] }
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
          const { tables, remarks } = readOrRefuse(script, database)
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
