import { describe, expect, it } from 'vitest'
import type { ScriptDatabase } from '../databases.ts'
import { summaryOf } from '../testing/read-summary.ts'

type Case = [
  what: string,
  database: ScriptDatabase,
  script: string,
  tables: readonly string[],
  remarks?: readonly string[],
]

function expectRead(
  _what: string,
  database: ScriptDatabase,
  script: string,
  tables: readonly string[],
  remarks: readonly string[] = [],
) {
  const read = summaryOf(script, database)
  expect({ tables: read.tables, remarks: read.remarks }).toEqual({ tables, remarks })
}

describe('Placeholders of templates in names are read as names', () => {
  const tables = ['shop.crew: id int32 key', 'shop.ship: id int32 key, crew int32 -> shop.crew.id']
  it.each<Case>([
    [
      'of Flyway',
      'postgresql',
      'CREATE TABLE ${shop}.crew (id int PRIMARY KEY);\nCREATE TABLE ${shop}.ship (id int PRIMARY KEY, crew int REFERENCES ${shop}.crew);',
      tables,
      ["1 changed: The placeholder '${shop}' is read as a name."],
    ],
    [
      'of sqlcmd',
      'mssql',
      'USE $(shop);\nGO\nCREATE TABLE $(shop).crew (id int PRIMARY KEY);\nCREATE TABLE [$(shop)].x$(no) (id int PRIMARY KEY);',
      ['shop.crew: id int32 key', 'shop.xno: id int32 key'],
      [
        "1 changed: The placeholder '$(shop)' is read as a name.",
        "4 changed: The placeholder '$(no)' is read as a name.",
      ],
    ],
    [
      'of template languages, also in quotes',
      'postgresql',
      'CREATE TABLE {{ index .Names "shop" }}.crew (id int PRIMARY KEY);\nCREATE TABLE "{{ index .Names "shop" }}"."ship" (id int PRIMARY KEY, crew int REFERENCES {{ shop }}.crew);',
      tables,
      [
        `1 changed: The placeholder '{{ index .Names "shop" }}' is read as a name.`,
        "2 changed: The placeholder '{{ shop }}' is read as a name.",
      ],
    ],
    [
      'within a name, which is then no keyword',
      'mysql',
      'CREATE TABLE ${p}crew_${s} (${k}key int PRIMARY KEY);',
      ['pcrew_s: kkey int32 key'],
      ['p', 's', 'k'].map(name => `1 changed: The placeholder '\${${name}}' is read as a name.`),
    ],
    [
      'in names in texts',
      'mssql',
      "CREATE TABLE [${shop}].[crew] (id int);\nEXEC sp_rename '${shop}.crew', 'staff';",
      ['shop.staff: id int32'],
      ["1 changed: The placeholder '${shop}' is read as a name."],
    ],
    ['but not in texts', 'postgresql', "CREATE TABLE a (b text DEFAULT '${c}');", ["a: b string default '${c}'"]],
  ])('%s', expectRead)
})

describe('Objects that are created with their schema are in it', () => {
  it.each<Case>([
    [
      'tables with references to each other',
      'postgresql',
      'CREATE SCHEMA shop\n  CREATE TABLE crew (id int PRIMARY KEY)\n  CREATE TABLE ship (id int PRIMARY KEY, crew int REFERENCES crew)\n  CREATE INDEX by_crew ON ship (crew);\nCREATE TABLE port (id int PRIMARY KEY);',
      ['shop.crew: id int32 key', 'shop.ship: id int32 key, crew int32 indexed -> shop.crew.id', 'port: id int32 key'],
    ],
    ['none', 'hsql', 'CREATE SCHEMA shop AUTHORIZATION sa;\nCREATE TABLE a (b int);', ['a: b int32']],
  ])('%s', expectRead)
})

describe('Notations of databases and of their tools', () => {
  it.each<Case>([
    [
      'a character set in quotes',
      'mysql',
      "CREATE TABLE a (b varchar(9) CHARACTER SET 'latin1' COLLATE 'latin1_bin', c text CHARSET 'utf8') CHARACTER SET 'latin1';",
      ['a: b string(9), c string'],
    ],
    [
      'comments of HSQLDB with two slashes',
      'hsql',
      "CREATE TABLE a (b int); // it's\n// CREATE TABLE c (d int);\nCREATE TABLE e (f int);",
      ['a: b int32', 'e: f int32'],
    ],
    [
      'the type IDENTITY of HSQLDB, which makes a key',
      'hsql',
      'CREATE TABLE a (b IDENTITY, c int);',
      ['a: b int32 key, c int32'],
    ],
    [
      'constants in an index, which let it contain rows without values',
      'oracle',
      "CREATE TABLE a (b INTEGER, c INTEGER);\nCREATE INDEX i ON a (b, 0);\nCREATE INDEX j ON a (c, b, 'x');\nCREATE UNIQUE INDEX u ON a (c, 0);",
      ['a: b integer indexed, c integer, index j (c, b)'],
      [
        "1 changed: An integer of up to 38 digits is imported as a 64-bit integer: 'a.b'.",
        "1 changed: An integer of up to 38 digits is imported as a 64-bit integer: 'a.c'.",
        "2 changed: An index is imported without its constants: 'i'.",
        "3 changed: An index is imported without its constants: 'j'.",
        "4 lost: The INDEX u (c, 0) of table 'a' is ignored.",
      ],
    ],
    [
      'a columnstore index of all columns',
      'mssql',
      'CREATE TABLE a (b int);\nCREATE CLUSTERED COLUMNSTORE INDEX i ON a;\nCREATE TABLE c (d int);',
      ['a: b int32', 'c: d int32'],
      ["2 lost: The INDEX i of table 'a' is ignored."],
    ],
    [
      'indexes of XML',
      'mssql',
      'CREATE TABLE a (b xml);\nCREATE PRIMARY XML INDEX i ON a (b);\nCREATE XML INDEX j ON a (b) USING XML INDEX i FOR PATH;',
      ['a: b string'],
      [
        "1 changed: XML is imported as a string: 'a.b'.",
        "2 lost: The INDEX i (b) of table 'a' is ignored.",
        "3 lost: The INDEX j (b) USING XML INDEX i FOR PATH of table 'a' is ignored.",
      ],
    ],
    [
      'computed columns without parentheses, and columns of the time of a row',
      'mssql',
      'CREATE TABLE a (b int, c AS b.Level() + 1 PERSISTED NOT NULL, d datetime2 GENERATED ALWAYS AS ROW START HIDDEN NOT NULL);',
      ['a: b int32, c string required, d local required'],
      [
        "1 changed: 'c' is a computed column: it is imported as a plain one.",
        "1 changed: A column of the time of a row is imported as a plain one: 'd'.",
        "1 changed: A column without a type is imported as a string: 'a.c'.",
      ],
    ],
    [
      'descriptions under another name of tools',
      'mssql',
      "CREATE TABLE a (b int);\nEXEC sp_addextendedproperty N'Description', N'Of a', N'SCHEMA', N'dbo', N'TABLE', N'a', N'COLUMN', N'b';",
      ['a: b int32 "Of a"'],
    ],
    [
      'commands of sqlcmd and statements of batches',
      'mssql',
      ":setvar shop \"x\"\n:On Error exit\n:r more.sql\nCREATE TABLE a (b int);\nGO\nRETURN;\nBULK INSERT a FROM 'x';\nDISABLE TRIGGER t ON a;\nRAISERROR ('x', 1, 1);",
      ['a: b int32'],
      ["3 lost: The script that ':' reads is not imported.", '7 note: Table rows are not imported.'],
    ],
    [
      'statements that change rows or nothing',
      'postgresql',
      'CREATE TABLE a (b int);\nWITH x AS (SELECT 1) INSERT INTO a SELECT * FROM x;\nCLUSTER a USING i;',
      ['a: b int32'],
      ['2 note: Table rows are not imported.'],
    ],
    [
      'changes that only prepare a drop',
      'mssql',
      "IF OBJECT_ID('a') IS NOT NULL ALTER TABLE a DROP CONSTRAINT f;\nIF OBJECT_ID('a') IS NOT NULL DROP TABLE a;\nCREATE TABLE a (b int);",
      ['a: b int32'],
    ],
    [
      'assignments and exits in a block',
      'postgresql',
      'DO $$ DECLARE n int; BEGIN n := 1; LOOP n = n + 1; EXIT WHEN n > 3; CONTINUE; END LOOP;\nCREATE TABLE a (b int); END $$;',
      ['a: b int32'],
      ['1 changed: The statements of this DO block are read as if all of them ran.'],
    ],
  ])('%s', expectRead)
})

describe('A dropped column takes the primary key with it', () => {
  const script = (key: string) =>
    `CREATE TABLE a (b int, c int NOT NULL, d int NOT NULL, PRIMARY KEY (${key}));\nALTER TABLE a DROP COLUMN b;\n`
  it.each<Case>([
    [
      'so that there can be another one',
      'postgresql',
      `${script('b, c')}ALTER TABLE a ADD PRIMARY KEY (d);`,
      ['a: c int32 required, d int32 key'],
    ],
    [
      'in tables that inherit it, too',
      'postgresql',
      'CREATE TABLE p (b int);\nCREATE TABLE a (c int NOT NULL, PRIMARY KEY (b)) INHERITS (p);\nALTER TABLE p DROP COLUMN b;\nALTER TABLE a ADD PRIMARY KEY (c);',
      ['p: ', 'a: c int32 key'],
      ["2 changed: Table 'a' inherits from 'p': it has a copy of each column."],
    ],
    ['on MySQL with its last column', 'mysql', script('b, c'), ['a: c int32 key, d int32 required']],
    [
      'on MySQL so that there can be another one',
      'mysql',
      `${script('b')}ALTER TABLE a ADD PRIMARY KEY (d);`,
      ['a: c int32 required, d int32 key'],
    ],
  ])('%s', expectRead)
})

describe('Columns of a foreign key over several have the types of their targets', () => {
  const other = (name: string) =>
    `changed: A column of a foreign key is imported with the type of the column that it refers to: '${name}'.`
  it.each<Case>([
    [
      'a length',
      'mysql',
      'CREATE TABLE a (b int, c varchar(90), PRIMARY KEY (b, c));\nCREATE TABLE d (b int, c varchar(40), FOREIGN KEY (b, c) REFERENCES a (b, c));',
      ['a: b int32 key, c string(90) key', 'd: b int32 -> a.b and c -> c, c string(90)'],
      [`2 ${other('d.c')}`],
    ],
    [
      'at the end of a chain',
      'postgresql',
      'CREATE TABLE a (b int, c varchar(90), PRIMARY KEY (b, c));\nCREATE TABLE d (b int, c varchar(90), e int, PRIMARY KEY (b, c), FOREIGN KEY (b, c) REFERENCES a (b, c));\nCREATE TABLE f (b int, c varchar(20), FOREIGN KEY (b, c) REFERENCES d (b, c));',
      [
        'a: b int32 key, c string(90) key',
        'd: b int32 key -> a.b and c -> c, c string(90) key, e int32',
        'f: b int32 -> d.b and c -> c, c string(90)',
      ],
      [`3 ${other('f.c')}`],
    ],
    [
      'a number that is an integer as a key',
      'oracle',
      'CREATE TABLE a (b NUMBER, c NUMBER, PRIMARY KEY (b, c));\nCREATE TABLE d (b NUMBER, c NUMBER, FOREIGN KEY (b, c) REFERENCES a (b, c));',
      ['a: b integer key, c integer key', 'd: b integer -> a.b and c -> c, c integer'],
      [
        "1 changed: A key of type NUMBER is imported as an integer of 64 bits: 'a.b'.",
        "1 changed: A key of type NUMBER is imported as an integer of 64 bits: 'a.c'.",
        "2 changed: A key of type NUMBER is imported as an integer of 64 bits: 'd.b'.",
        `2 ${other('d.c')}`,
      ],
    ],
    [
      'unless it has choices',
      'postgresql',
      "CREATE TABLE a (b int, c varchar(90), PRIMARY KEY (b, c));\nCREATE TABLE d (b int, c varchar(3) CHECK (c IN ('x', 'y')), FOREIGN KEY (b, c) REFERENCES a (b, c));",
      ['a: b int32 key, c string(90) key', 'd: b int32 -> a.b and c -> c, c string(3) in x|y'],
    ],
  ])('%s', expectRead)
})

it('A time with decimal places of seconds is one of MySQL rather than SQL Server', () => {
  expect(summaryOf('CREATE TABLE a (b DATETIME(6) NOT NULL, c DATETIME(3), d DATETIME);').dialect).toBe('mysql')
})

it('Comments with two slashes are no line that ends a block of Oracle', () => {
  expect(summaryOf('// a\nCREATE TABLE b (c LONGVARCHAR);\n// d\nCREATE TABLE e (f int);').dialect).toBe('hsql')
})
