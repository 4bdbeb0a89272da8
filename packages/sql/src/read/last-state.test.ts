import { describe, expect, it } from 'vitest'
import type { ScriptDatabase } from '../databases.ts'
import { summaryOf } from '../testing/read-summary.ts'

type Case = [
  what: string,
  script: string,
  tables: readonly string[],
  remarks?: readonly string[],
  database?: ScriptDatabase,
]

function expectRead(
  _what: string,
  script: string,
  tables: readonly string[],
  remarks: readonly string[] = [],
  database?: ScriptDatabase,
) {
  const read = summaryOf(script, database)
  expect({ tables: read.tables, remarks: read.remarks }).toEqual({ tables, remarks })
}

const parent = 'CREATE TABLE p (id int PRIMARY KEY, code varchar(9) UNIQUE);\n'

describe('The tables after the last statement', () => {
  it.each<Case>([
    [
      'of a migration',
      `CREATE TABLE "Crew" ("id" TEXT NOT NULL PRIMARY KEY, "oldName" TEXT, "size" INTEGER NOT NULL DEFAULT 1);
ALTER TABLE "Crew" RENAME COLUMN "oldName" TO "newName";
ALTER TABLE "Crew" ALTER COLUMN "size" TYPE BIGINT, ALTER COLUMN "size" DROP DEFAULT, ALTER COLUMN "size" DROP NOT NULL;
ALTER TABLE "Crew" ADD COLUMN "x" DATE, DROP COLUMN IF EXISTS "newName";
ALTER TABLE "Crew" ALTER COLUMN "x" SET DATA TYPE TIMESTAMP USING x::timestamp;`,
      ['Crew: id string key, size integer, x local'],
    ],
    [
      'of a migration of Oracle',
      `CREATE TABLE crew (id NUMBER(10) NOT NULL, a VARCHAR2(10 CHAR));
ALTER TABLE crew MODIFY (a VARCHAR2(40) NOT NULL, id DEFAULT 1);
ALTER TABLE crew ADD (c NUMBER(5,2) DEFAULT 1.5 NOT NULL);
ALTER TABLE crew RENAME COLUMN a TO aa;
ALTER TABLE crew ADD CONSTRAINT crew_pk PRIMARY KEY (id) USING INDEX TABLESPACE users;
RENAME crew TO squad;
ALTER TABLE squad DROP (c);
ALTER TABLE squad SET UNUSED (aa);`,
      [`squad: id integer(10) key default '1'`],
      [],
      'oracle',
    ],
    [
      'with an enumeration that is replaced',
      `CREATE TYPE "Mood" AS ENUM ('SAD', 'OK');
CREATE TABLE "Diary" ("id" TEXT NOT NULL, "mood" "Mood" NOT NULL DEFAULT 'OK', CONSTRAINT "Diary_pkey" PRIMARY KEY ("id"));
ALTER TYPE "Mood" ADD VALUE 'GLAD';
CREATE TYPE "Mood_new" AS ENUM ('SAD', 'GLAD');
ALTER TABLE "Diary" ALTER COLUMN "mood" DROP DEFAULT;
ALTER TABLE "Diary" ALTER COLUMN "mood" TYPE "Mood_new" USING ("mood"::text::"Mood_new");
ALTER TYPE "Mood" RENAME TO "Mood_old";
ALTER TYPE "Mood_new" RENAME TO "Mood";
DROP TYPE "Mood_old";
CREATE UNIQUE INDEX "Diary_mood_key" ON "Diary"("mood");`,
      ['Diary: id string key, mood string required unique in SAD|GLAD'],
    ],
    [
      'with an enumeration that is called like a type of the database',
      `CREATE TYPE "Date" AS ENUM ('a'); CREATE TABLE t (d DATE, e "Date");`,
      ['t: d date, e string in a'],
    ],
    [
      'with a type that is dropped with its columns',
      `CREATE TYPE m AS ENUM ('a'); CREATE TABLE t (a int, b m); DROP TYPE m CASCADE;`,
      ['t: a int32'],
    ],
    [
      'with references that follow names',
      `${parent}CREATE TABLE c (a int REFERENCES p (id), b varchar(9) REFERENCES p (code), UNIQUE (a), CHECK (b IN ('x', 'y')));
ALTER TABLE p RENAME COLUMN id TO key; ALTER TABLE p RENAME TO parent; ALTER TABLE c RENAME a TO aa; ALTER TABLE c RENAME COLUMN b TO bb;
COMMENT ON COLUMN c.bb IS 'about it';
CREATE TABLE p (other int);`,
      [
        'parent: key int32 key, code string(9) unique',
        'c: aa int32 unique -> parent.key, bb string(9) -> parent.code "about it"',
        'p: other int32',
      ],
      ["2 lost: The choices of 'b' are ignored: it is a foreign key.".replace("'b'", "'bb'")],
    ],
    [
      'without dropped parts',
      `${parent}CREATE TABLE c (a int CONSTRAINT f REFERENCES p, b int CONSTRAINT k CHECK (b > 1), d int DEFAULT 1, e int UNIQUE, CONSTRAINT pk PRIMARY KEY (d));
CREATE INDEX i ON c (a); CREATE UNIQUE INDEX j ON c (lower(b));
ALTER TABLE c DROP CONSTRAINT f, DROP CONSTRAINT k, DROP CONSTRAINT c_e_key, DROP CONSTRAINT IF EXISTS none;
ALTER TABLE c DROP CONSTRAINT pk; DROP INDEX i, j;`,
      ['p: id int32 key, code string(9) unique', `c: a int32, b int32, d int32 required default '1', e int32`],
    ],
    [
      'without the parts of a dropped column',
      `${parent}CREATE TABLE c (a int, b int, CHECK (a < b), UNIQUE (a, b)); CREATE INDEX i ON c (a, b); ALTER TABLE c DROP COLUMN b CASCADE;`,
      ['p: id int32 key, code string(9) unique', 'c: a int32'],
    ],
    [
      'with the rest of a key of MySQL',
      'CREATE TABLE `c` (`a` int, `b` int, UNIQUE KEY `k` (`a`, `b`)); ALTER TABLE `c` DROP `b`;',
      ['c: a int32 unique'],
    ],
    [
      'without foreign keys to a table that is dropped with them',
      `${parent}CREATE TABLE c (a int REFERENCES p); DROP TABLE p CASCADE;`,
      ['c: a int32'],
    ],
    [
      'with foreign keys to a table that is made again',
      `CREATE TABLE c (a int REFERENCES p); DROP TABLE IF EXISTS p;\n${parent}`,
      ['c: a int32 -> p.id', 'p: id int32 key, code string(9) unique'],
    ],
    [
      'in MySQL',
      `CREATE TABLE \`t\` (\`a\` int NOT NULL DEFAULT 1 COMMENT 'x', \`b\` int, \`c\` int, KEY \`k\` (\`b\`), CONSTRAINT \`f\` FOREIGN KEY (\`b\`) REFERENCES \`t\` (\`a\`));
ALTER TABLE \`t\` CHANGE \`a\` \`aa\` bigint COMMENT 'y', ADD COLUMN \`d\` date AFTER \`aa\`, MODIFY COLUMN \`c\` varchar(5) NOT NULL FIRST;
ALTER TABLE \`t\` DROP FOREIGN KEY \`f\`, RENAME INDEX \`k\` TO \`l\`, DROP KEY \`l\`, ADD PRIMARY KEY (\`aa\`), DROP PRIMARY KEY, ALTER COLUMN \`b\` SET DEFAULT 5;
RENAME TABLE \`t\` TO \`u\`, \`u\` TO \`v\`;
ALTER TABLE \`v\` RENAME AS \`w\`, COMMENT='about it';`,
      [`w: c string(5) required, aa integer required "y", d date, b int32 default '5'`],
    ],
    [
      'in SQL Server',
      `CREATE TABLE [dbo].[t] ([a] int NOT NULL CONSTRAINT [DF_a] DEFAULT (1), [b] int, [c] int, [d] nvarchar(9), CONSTRAINT [U] UNIQUE ([b]))
GO
EXEC sp_rename 'dbo.t.a', 'aa', 'COLUMN'
EXEC sp_rename N'[dbo].[t].[d]', N'dd', N'COLUMN'
ALTER TABLE [dbo].[t] DROP CONSTRAINT [DF_a], COLUMN [c]
ALTER TABLE [dbo].[t] DROP CONSTRAINT [U]
ALTER TABLE [dbo].[t] ALTER COLUMN [b] bigint NOT NULL
EXEC sp_rename @objname = 'dbo.t', @newname = 'order line'
ALTER SCHEMA [shop] TRANSFER [dbo].[order line]
GO`,
      ['shop.order line: aa int32 required, b integer required, dd string(9)'],
    ],
    [
      'in HSQLDB',
      `CREATE MEMORY TABLE T(A INTEGER NOT NULL, B VARCHAR(9));
ALTER TABLE T ALTER COLUMN A RENAME TO C;
ALTER TABLE T ALTER COLUMN B SET NOT NULL;
ALTER TABLE T ALTER COLUMN B VARCHAR(20);
ALTER TABLE T ALTER COLUMN C SET NULL;
ALTER TABLE T RENAME TO U;`,
      ['U: C int32, B string(20)'],
    ],
    [
      'of renamed and dropped schemas',
      `CREATE TABLE a.t (x int); CREATE TABLE b.t (y int); ALTER SCHEMA a RENAME TO c; DROP SCHEMA b CASCADE; ALTER TABLE c.t ADD z int; ALTER TABLE c.t SET SCHEMA d;`,
      ['d.t: x int32, z int32'],
    ],
    [
      'with a key and a unique constraint by an index',
      `CREATE TABLE t (a int, b int); CREATE UNIQUE INDEX i ON t (a); ALTER TABLE t ADD CONSTRAINT k PRIMARY KEY USING INDEX i;`,
      ['t: a int32 key, b int32'],
    ],
    ['that is replaced', 'CREATE TABLE t (a int); CREATE OR REPLACE TABLE t (b int);', ['t: b int32'], [], 'mysql'],
  ])('are read: %s', expectRead)
})

describe('Statements on what comes later', () => {
  it.each<Case>([
    [
      'keys before the tables',
      `ALTER TABLE boat ADD CONSTRAINT pk PRIMARY KEY (id);
ALTER TABLE boat ADD CONSTRAINT fk FOREIGN KEY (harbour) REFERENCES harbour (id);
ALTER TABLE harbour ADD PRIMARY KEY (id);
CREATE TABLE harbour (id int); CREATE TABLE boat (id int, harbour int);`,
      ['harbour: id int32 key', 'boat: id int32 key, harbour int32 -> harbour.id'],
    ],
    [
      'indexes and comments',
      `CREATE INDEX i ON t (a); COMMENT ON TABLE s.t IS 'x'; COMMENT ON COLUMN t.a IS 'y'; CREATE TABLE s.t (a int);`,
      ['s.t: a int32 indexed "y"'],
    ],
    [
      'in their order, and before later ones',
      `ALTER TABLE t ADD b int; ALTER TABLE t RENAME b TO c; CREATE TABLE t (a int); ALTER TABLE t DROP c;`,
      ['t: a int32'],
    ],
    [
      'of a table that is renamed to the name',
      `ALTER TABLE u ADD b int; CREATE TABLE t (a int); ALTER TABLE t RENAME TO u;`,
      ['u: a int32, b int32'],
    ],
    [
      'void after a drop',
      `ALTER TABLE t ADD b int; DROP TABLE t; CREATE TABLE t (a int);`,
      ['t: a int32'],
      ["1 lost: 't' is altered but not created in the script: the change is ignored."],
    ],
    [
      'not void after a drop that only guards',
      `ALTER TABLE t ADD b int; DROP TABLE IF EXISTS t; CREATE TABLE t (a int);`,
      ['t: a int32, b int32'],
    ],
    [
      'of types',
      `CREATE TABLE t (a m); ALTER TYPE m ADD VALUE 'b'; CREATE TYPE m AS ENUM ('a');`,
      ['t: a string in a|b'],
    ],
    [
      'that never comes',
      `ALTER TABLE a ADD b int;\nCREATE INDEX i ON a (b);\nCOMMENT ON TABLE a IS 'x';\nALTER TYPE m ADD VALUE 'x';\nRENAME TABLE a TO b;`,
      [],
      [
        "1 lost: 'a' is altered but not created in the script: the change is ignored.",
        "2 lost: 'a' has an index but is not created in the script: the index is ignored.",
        "3 lost: 'a' has a comment but is not created in the script: the comment is ignored.",
        "4 lost: Type 'm' is altered but not created in the script: the change is ignored.",
        "5 lost: 'a' is renamed but not created in the script.",
      ],
    ],
    [
      'copies of tables',
      `CREATE TABLE c (LIKE b INCLUDING ALL); ALTER TABLE c ADD z int; CREATE TABLE b (a int PRIMARY KEY, d int DEFAULT 3);`,
      [`b: a int32 key, d int32 default '3'`, `c: a int32 key, d int32 default '3', z int32`],
    ],
    [
      'partitions',
      `CREATE TABLE m1 PARTITION OF m FOR VALUES IN (1);\nALTER TABLE m ATTACH PARTITION m2 DEFAULT;\nCREATE TABLE m (a int);\nCREATE TABLE m2 (a int);`,
      ['m: a int32'],
      [
        "1 lost: A partition of 'm' is not imported as a table of its own: 'm1'.",
        "4 lost: A partition of 'm' is not imported as a table of its own: 'm2'.",
      ],
    ],
  ])('wait for it: %s', expectRead)
})

describe('Tables made from others', () => {
  it.each<Case>([
    [
      'LIKE without options copies columns only',
      `CREATE TABLE a (x int PRIMARY KEY DEFAULT 1, y int UNIQUE); CREATE TABLE b (LIKE a, z int);`,
      [`a: x int32 key default '1', y int32 unique`, 'b: x int32 required, y int32, z int32'],
    ],
    [
      'LIKE of MySQL copies keys',
      `CREATE TABLE a (x int PRIMARY KEY, y int, KEY k (y)); CREATE TABLE b LIKE a;`,
      ['a: x int32 key, y int32 indexed', 'b: x int32 key, y int32 indexed'],
      [],
      'mysql',
    ],
    [
      'INHERITS copies columns, also those that are added, renamed and dropped later',
      `CREATE TABLE p (a int NOT NULL, b int); CREATE TABLE c (d int) INHERITS (p);
ALTER TABLE p ADD e date; ALTER TABLE p RENAME a TO aa; ALTER TABLE p DROP b;`,
      ['p: aa int32 required, e date', 'c: aa int32 required, d int32, e date'],
      ["1 changed: Table 'c' inherits from 'p': it has a copy of each column."],
    ],
    [
      'partitions are part of their table',
      `CREATE TABLE m (id int NOT NULL, at date NOT NULL) PARTITION BY RANGE (at);
CREATE TABLE m1 PARTITION OF m FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE m2 (id int NOT NULL, at date NOT NULL, CHECK (id > 5));
ALTER TABLE ONLY m ATTACH PARTITION m2 FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
ALTER TABLE ONLY m ADD CONSTRAINT m_pkey PRIMARY KEY (id);
ALTER TABLE ONLY m1 ADD CONSTRAINT m1_pkey PRIMARY KEY (id);
CREATE TABLE r (m int REFERENCES m1 (id));`,
      ['m: id int32 key, at date required', 'r: m int32 -> m.id'],
      [
        "1 lost: PARTITION of table 'm' is ignored.",
        "2 lost: A partition of 'm' is not imported as a table of its own: 'm1'.",
        "3 lost: A partition of 'm' is not imported as a table of its own: 'm2'.",
        "3 lost: 'm2' is a partition of 'm': its check (id > 5) is ignored.",
      ],
    ],
    [
      'a detached partition is a table',
      `CREATE TABLE m (a int); CREATE TABLE n (a int); ALTER TABLE m ATTACH PARTITION n DEFAULT; ALTER TABLE m DETACH PARTITION n;`,
      ['m: a int32', 'n: a int32'],
    ],
    [
      'a table is no partition of itself',
      `CREATE TABLE m (a int); ALTER TABLE m ATTACH PARTITION m DEFAULT;`,
      ['m: a int32'],
      ["1 lost: Table 'm' cannot be a partition of 'm'."],
    ],
  ])('%s', expectRead)
})
