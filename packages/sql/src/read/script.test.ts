import { describe, expect, it } from 'vitest'
import { readScript } from './script.ts'
import { SqlError } from './token.ts'

function column(script: string, name: string) {
  const match = readScript(script)
    .tables.flatMap(({ columns }) => columns)
    .find(one => one.name === name)
  if (!match) throw new Error(`There is no column ${name}.`)
  return match
}

function errorOf(script: string): string {
  try {
    readScript(script)
  } catch (error) {
    if (error instanceof SqlError) return error.message
    throw error
  }
  return 'no error'
}

describe('Reading a script', () => {
  it('detects the dialect by the title of a generated script, else by dialect-specific syntax', () => {
    expect(readScript('-- Database schema of Shop for Oracle\nCREATE TABLE a (b INT);').dialect).toBe('oracle')
    expect(readScript('-- PostgreSQL database dump\nCREATE TABLE a (b int);').dialect).toBe('postgresql')
    expect(readScript('CREATE TABLE `a` (`b` int) ENGINE=InnoDB;').dialect).toBe('mysql')
    expect(readScript('CREATE TABLE [a] ([b] [int] NULL)\nGO\n').dialect).toBe('mssql')
    expect(readScript('CREATE MEMORY TABLE a (b INT);').dialect).toBe('hsql')
    expect(readScript('CREATE TABLE a (b VARCHAR2(10));').dialect).toBe('oracle')
    expect(readScript('CREATE TABLE a (b int);').dialect).toBe('postgresql')
  })

  it('accepts quoted names, nested comments and keywords in any case', () => {
    const { tables } = readScript(`/* a /* nested */ comment; */ create Table if not exists "sales"."Or""der" -- more
      ("a;b" INT not null, c integer Primary Key)`)
    expect(tables).toMatchObject([
      {
        schema: 'sales',
        name: 'Or"der',
        line: 1,
        columns: [
          { name: 'a;b', nullable: false },
          { name: 'c', isKey: true, nullable: false },
        ],
      },
    ])
  })

  it('reads enumeration types of PostgreSQL and ENUM columns of MySQL', () => {
    const script =
      "CREATE TYPE public.state AS ENUM ('open', 'it''s'); CREATE TABLE t (s public.state DEFAULT 'open'::public.state NOT NULL)"
    expect(column(script, 's')).toMatchObject({ dataType: 'string', choices: ['open', "it's"], defaultValue: 'open' })
    expect(column("CREATE TABLE `t` (`s` enum('a','b\\\\') DEFAULT 'a')", 's')).toMatchObject({ choices: ['a', 'b\\'] })
  })

  it('reads keys in columns, in tables and in ALTER TABLE', () => {
    const { tables } = readScript(`
      CREATE TABLE a (id serial PRIMARY KEY, code varchar(10) UNIQUE, parent int REFERENCES a ON DELETE CASCADE);
      CREATE TABLE b (id bigint, a_id int, code varchar(10), CONSTRAINT f FOREIGN KEY (a_id) REFERENCES A (ID) ON DELETE SET NULL);
      ALTER TABLE ONLY b ADD CONSTRAINT pk PRIMARY KEY (id);
      ALTER TABLE b ADD FOREIGN KEY (code) REFERENCES a (code) ON DELETE NO ACTION;
      CREATE UNIQUE INDEX u ON b USING btree (code);
      CREATE INDEX i ON b (a_id DESC);`)
    expect(tables).toMatchObject([
      {
        columns: [
          { isKey: true, dataType: 'integer', format: 'int32' },
          { unique: true },
          { reference: { table: 0, column: 'id', onDelete: 'cascade' } },
        ],
      },
      {
        columns: [
          { isKey: true, nullable: false },
          { indexed: true, reference: { table: 0, column: 'id', onDelete: 'setNull' } },
          { unique: true, reference: { table: 0, column: 'code', onDelete: 'restrict' } },
        ],
      },
    ])
  })

  it('reports unsupported clauses and unknown statements by line', () => {
    const { remarks } = readScript(`SET x = 1;
CREATE VIEW v AS SELECT 1;
CREATE TABLE t (a int, b int, c int DEFAULT random(), d int GENERATED ALWAYS AS (a + b) STORED,
  CHECK (a < b),
  UNIQUE (a, b),
  FOREIGN KEY (a, b) REFERENCES u (a, b),
  e int REFERENCES nowhere (id),
  f text[] NOT NULL, g tsvector, h varchar(5) WRONG);
INSERT INTO t VALUES (1);
CREATE INDEX ON t (lower(g));
WONDER AT t;`)
    expect(remarks.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      '2: Views are not imported.',
      "3: 'd' is a computed column: it is imported as a plain one.",
      "3: The default value random() of 'c' is computed by the database: it is ignored.",
      "6: The foreign key (a, b) of table 't' is ignored: its columns are imported as plain attributes.",
      "7: 'e' refers to 'nowhere.id', which is not in the script: it is imported as a plain attribute.",
      "8: Option 'WRONG' of column 'h' is not supported: it is ignored.",
      '8: An array is imported as an object.',
      '8: Type TSVECTOR is imported as a string.',
      '9: Table rows are not imported.',
      "10: The INDEX (lower(g)) of table 't' is ignored.",
      "11: Statement 'WONDER AT …' is not supported: it is ignored.",
    ])
  })

  it('skips dump rows, command-line tool commands and routines', () => {
    const postgres = readScript(
      "-- PostgreSQL database dump\n\\restrict x\nCREATE TABLE t (a int);\nCOPY public.t (a) FROM stdin;\n1\n'\n\\.\n\nCREATE FUNCTION f() AS $body$ it's; $body$;\nCREATE TABLE u (b int);",
    )
    expect(postgres.tables.map(({ name }) => name)).toEqual(['t', 'u'])
    const mysql = readScript(
      "-- MySQL dump\n/*!40101 SET x = 1 */;\nCREATE TABLE `t` (`a` int /*!80023 INVISIBLE */, KEY `k` (`a`(10))) ENGINE=InnoDB;\nDELIMITER ;;\nCREATE TRIGGER x BEGIN it's; END ;;\nDELIMITER ;\nCREATE TABLE `u` (`b` int);",
    )
    expect(mysql.tables).toMatchObject([{ name: 't', columns: [{ indexed: true }] }, { name: 'u' }])
    expect(mysql.remarks).toEqual([{ line: 5, kind: 'lost', message: 'Triggers are not imported.', name: 'x' }])
    const mssql = readScript(
      'SET ANSI_NULLS ON\nGO\nCREATE PROCEDURE p AS BEGIN\nCREATE TABLE [x] ([y] int); END\nGO\nCREATE TABLE [t] ([a] int)\nCREATE TABLE [u] ([b] int)\ngo\n',
    )
    expect(mssql.tables.map(({ name }) => name)).toEqual(['t', 'u'])
  })

  it('reads checks in every notation', () => {
    const choices = (check: string) => column(`CREATE TABLE t (a varchar(9), CHECK (${check}))`, 'a').choices
    expect(choices("a IN ('x', 'y')")).toEqual(['x', 'y'])
    expect(choices("((a)::text = ANY ((ARRAY['x'::character varying, 'y'::character varying])::text[]))")).toEqual([
      'x',
      'y',
    ])
    expect(choices("(a = 'x') OR ('y' = a)")).toEqual(['x', 'y'])
    const length = (check: string) => column(`CREATE TABLE t (a text, CHECK (${check}))`, 'a').maxLength
    expect(length('char_length(a) <= 7')).toBe(7)
    expect(length('LENGTH(a) < 8')).toBe(7)
    expect(length('(length((a)::text) <= 7)')).toBe(7)
  })
})

describe('A dump of MySQL 8', () => {
  it('a dump of MySQL 8 is read including notation that differs from MariaDB', () => {
    const { tables, remarks } = readScript(`-- MySQL dump 10.13
CREATE TABLE \`t\` (
  \`id\` bigint NOT NULL AUTO_INCREMENT,
  \`state\` varchar(255) COLLATE utf8mb4_0900_bin NOT NULL DEFAULT 'open',
  \`guid\` char(36) CHARACTER SET ascii COLLATE ascii_general_ci DEFAULT NULL,
  \`day\` date DEFAULT NULL,
  \`note\` longtext COLLATE utf8mb4_0900_bin DEFAULT (_utf8mb4'once'),
  PRIMARY KEY (\`id\`),
  CONSTRAINT \`ck\` CHECK ((\`state\` in (_utf8mb4'open',_utf8mb4'won\\'t'))),
  CONSTRAINT \`c2\` CHECK (regexp_like(\`guid\`,_utf8mb4'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')),
  CONSTRAINT \`c3\` CHECK ((((year(\`day\`) * month(\`day\`)) * dayofmonth(\`day\`)) > 0))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin COMMENT='it''s one';`)
    expect(remarks).toEqual([])
    expect(tables).toMatchObject([
      {
        description: "it's one",
        columns: [
          { name: 'id', isKey: true, defaultValue: null },
          { choices: ['open', "won't"], defaultValue: 'open', maxLength: 255 },
          { format: 'guid', nullable: true, maxLength: null },
          { dataType: 'dateTime', format: 'date' },
          { dataType: 'string', maxLength: null, defaultValue: 'once' },
        ],
      },
    ])
  })
})

describe('Rejecting an invalid script with line and column', () => {
  it.each([
    ['CREATE TABLE t (a int;', "Line 1, column 22: ')' is expected, but there is ';'."],
    ['CREATE TABLE t (a int', "Line 1, column 22: ')' is expected, but the script ends."],
    ['SELECT 1;\n  CREATE TABLE (a int);', "Line 2, column 16: a name is expected, but there is '('."],
    ["\n INSERT INTO t VALUES ('it", 'Line 2, column 24: The text that begins here does not end.'],
    ['/* no end', 'Line 1, column 1: The comment that begins here does not end.'],
    ['CREATE TABLE "t (a int);', 'Line 1, column 14: The name that begins here does not end.'],
    ['CREATE TABLE t (a varchar(10, b int;', 'Line 1, column 26: the parenthesis that opens here is not closed.'],
    [
      'CREATE TABLE t (a int REFERENCES u ON DELETE EXPLODE);',
      "Line 1, column 46: CASCADE, RESTRICT, SET NULL, SET DEFAULT or NO ACTION is expected, but there is 'EXPLODE'.",
    ],
  ])('%s', (script, message) => {
    expect(errorOf(script)).toBe(message)
  })
})

it.each([
  'One note: differences of this schema from the model.',
  '2 notes: what this schema says less or otherwise than the model.',
])('notes of a generated script become remarks after the header "%s"', header => {
  const { remarks } = readScript(`CREATE TABLE t (a int);\n-- ${header}\n-- t: a note`)
  expect(remarks).toEqual([{ line: 0, kind: 'note', message: 'Note in the script: t: a note' }])
})

describe('Remarks beyond the limit', () => {
  it.each([
    ['on statements', 'X;\n', (number: number) => `Line ${number}: Statement 'X …' is not supported: it is ignored.`],
    ['in notes of the script', '-- x\n', () => 'Note in the script: x'],
  ])('%s are counted', (_, line, message) => {
    const header = '-- 2 notes: differences of this schema from the model.\n'
    const { remarks } = readScript(`CREATE TABLE t (a int);\n${header}${line.repeat(100_002)}`)
    const listed = remarks.map(({ line: number, message: text }) => (number === 0 ? text : `Line ${number}: ${text}`))
    expect(listed).toHaveLength(100_001)
    expect(listed.slice(99_999)).toEqual([message(100_002), '2 more remarks are not listed.'])
  })
})

it('remarks say whether something is lost, is imported in another form or is only noted', () => {
  const { remarks } = readScript(
    `CREATE TABLE t (a int CHECK (a / 2 > 2), b timetz);\nINSERT INTO t VALUES (1, now());`,
    'postgresql',
  )
  expect(remarks.map(({ line, kind }) => [line, kind])).toEqual([
    [1, 'changed'],
    [1, 'lost'],
    [2, 'note'],
  ])
})

describe('Scripts that multiply what they define are refused', () => {
  const many = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, at) => line(at))
  const list = (count: number, item: (index: number) => string) => many(count, item).join(', ')

  it.each([
    [
      'an enumeration in many columns',
      `CREATE TYPE e AS ENUM (${list(1001, at => `'v${at}'`)});`,
      'CREATE TABLE t# (a e);',
      1001,
    ],
    [
      'a domain with many checks',
      `CREATE DOMAIN d AS int${list(1001, at => `CHECK (VALUE > ${at})`).replaceAll(',', '')};`,
      'CREATE TABLE t# (a d);',
      1001,
    ],
    [
      'copies of many checks',
      `CREATE TABLE t (a int, ${list(250, at => `CHECK (a > ${at})`)});`,
      'CREATE TABLE t# (LIKE t INCLUDING ALL);',
      250,
    ],
    [
      'partitions of many columns',
      `CREATE TABLE t (${list(1001, at => `a${at} int`)});`,
      'CREATE TABLE t# PARTITION OF t DEFAULT;',
      1001,
    ],
    [
      'renames that many tables inherit',
      `CREATE TABLE t (a int);${many(500, at => `CREATE TABLE h${at} () INHERITS (t);`).join('')}`,
      'ALTER TABLE t RENAME a TO b; ALTER TABLE t RENAME b TO a; -- #',
      250,
    ],
    [
      'searches of many constraints',
      `CREATE TABLE t (a int);${'ALTER TABLE t ADD UNIQUE (a);'.repeat(1001)}`,
      'ALTER TABLE t DROP UNIQUE (b);',
      1001,
    ],
  ])('%s', (_, start, line, count) => {
    const script = `${start}\n${many(count, at => line.replace('#', String(at))).join('\n')}`
    expect(() => readScript(script, 'postgresql')).toThrow(
      'the script has too many tables, columns, constraints or choices',
    )
  })
})

it('foreign keys to a table that is dropped and created again refer to the new one', () => {
  const { tables } = readScript(
    'CREATE TABLE a (id int PRIMARY KEY, b_id int REFERENCES b); DROP TABLE b; CREATE TABLE b (id int PRIMARY KEY);',
    'postgresql',
  )
  expect(tables[0]?.columns[1]?.reference).toMatchObject({ table: 1, column: 'id' })
})
