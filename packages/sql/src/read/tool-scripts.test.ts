import { describe, expect, it } from 'vitest'
import { summaryOf } from '../testing/read-summary.ts'

/** Scripts in the style of the databases' own tools. */
describe('The script of a tool', () => {
  it('is read: pg_dump', () => {
    expect(
      summaryOf(`--
-- PostgreSQL database dump
--
\\restrict aBcDeF123

SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE TYPE app.mood AS ENUM (
    'sad',
    'ok'
);
CREATE TABLE app.person (
    id bigint NOT NULL,
    nick character varying(20) COLLATE "de_DE" NOT NULL,
    mood app.mood DEFAULT 'ok'::app.mood,
    k smallint,
    uid uuid DEFAULT gen_random_uuid() NOT NULL,
    made timestamp with time zone DEFAULT now(),
    "a.b" integer,
    CONSTRAINT k_in CHECK ((k = ANY (ARRAY[1, 2]))),
    CONSTRAINT no_clash EXCLUDE USING gist (k WITH =)
);
ALTER TABLE app.person OWNER TO app;
COMMENT ON TABLE app.person IS 'It''s; "one"';
COMMENT ON COLUMN app.person.nick IS E'tab\\there';
CREATE SEQUENCE app.person_id_seq START WITH 1;
ALTER SEQUENCE app.person_id_seq OWNED BY app.person.id;
ALTER TABLE ONLY app.person ALTER COLUMN id SET DEFAULT nextval('app.person_id_seq'::regclass);
COPY app.person (id, nick) FROM stdin;
1	it's; CREATE TABLE x (y int); \`GO\`
\\.
ALTER TABLE ONLY app.person ADD CONSTRAINT person_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX person_nick ON app.person USING btree (lower((nick)::text));
CREATE UNIQUE INDEX person_uid ON app.person USING btree (uid);
CREATE POLICY p ON app.person USING (true);
\\unrestrict aBcDeF123
`),
    ).toEqual({
      dialect: 'postgresql',
      tables: [
        `app.person: id integer key, nick string(20) required "tab\there", mood string in sad|ok default 'ok', k int16 in 1|2, uid guid required unique default uuid, made instant default now, a.b int32`,
      ],
      remarks: [
        "14 changed: Text is imported without its collation de_DE: 'person.nick'.",
        "21 lost: The EXCLUDE USING gist (k WITH =) of table 'person' is ignored.",
        '29 note: Table rows are not imported.',
        "33 lost: The INDEX person_nick (lower((nick)::text)) of table 'person' is ignored.",
        "35 lost: Row security policies are not imported: 'p on app.person'.",
      ],
    })
  })

  it('is read: mysqldump', () => {
    expect(
      summaryOf(`/*M!999999\\- enable the sandbox mode */
-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
/*!40101 SET NAMES utf8 */;
DROP TABLE IF EXISTS \`deed\`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
CREATE TABLE \`deed\` (
  \`id\` int NOT NULL AUTO_INCREMENT,
  \`y\` int NOT NULL,
  \`owner\` int DEFAULT NULL,
  \`secret\` int NOT NULL /*!80023 INVISIBLE */,
  \`memo\` text COLLATE utf8mb4_general_ci DEFAULT (_utf8mb4'none') COMMENT 'it\\'s; one',
  PRIMARY KEY (\`id\`),
  UNIQUE KEY \`y\` (\`y\`,\`secret\`),
  KEY \`deed_ibfk_1\` (\`owner\`) COMMENT 'for lists',
  KEY \`k2\` ((lower(\`memo\`))),
  FULLTEXT KEY \`ft\` (\`memo\`),
  CONSTRAINT \`deed_ibfk_1\` FOREIGN KEY (\`owner\`) REFERENCES \`owner\` (\`id\`) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT \`deed_chk_1\` CHECK ((\`y\` > 1900))
) ENGINE=InnoDB AUTO_INCREMENT=17 DEFAULT CHARSET=utf8mb4 COMMENT='deeds; of ours'
/*!50100 PARTITION BY RANGE (\`y\`)
(PARTITION p0 VALUES LESS THAN (2000) ENGINE = InnoDB) */;
/*!40000 ALTER TABLE \`deed\` DISABLE KEYS */;
INSERT INTO \`deed\` VALUES (1,'it''s; \\'x\\' -- no',_binary '\\0');
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=\`root\`@\`%\`*/ /*!50003 TRIGGER \`deed_bi\` BEFORE INSERT ON \`deed\` FOR EACH ROW BEGIN SET NEW.y = 1; END */;;
DELIMITER ;
/*!50001 CREATE TABLE \`v_deed\` (
  \`id\` tinyint NOT NULL
) ENGINE=MyISAM */;
/*!50001 DROP TABLE IF EXISTS \`v_deed\`*/;
CREATE TABLE \`owner\` (\`id\` int unsigned NOT NULL PRIMARY KEY);
`),
    ).toEqual({
      dialect: 'mysql',
      tables: [
        `deed: id int32 key, y int32 required, owner int32 indexed -> owner.id on update cascade, secret int32 required, memo string default 'none' "it's; one", unique y (y, secret), check deed_chk_1 (y > 1900)`,
        'owner: id integer key',
      ],
      remarks: [
        "11 changed: Text is imported without its collation utf8mb4_general_ci: 'deed.memo'.",
        "14 lost: The comment on index 'deed_ibfk_1' of table 'deed' is ignored.",
        "15 lost: The KEY `k2` ((lower(`memo`))) of table 'deed' is ignored.",
        "16 lost: The FULLTEXT KEY `ft` (`memo`) of table 'deed' is ignored.",
        "20 lost: PARTITION of table 'deed' is ignored.",
        '23 note: Table rows are not imported.',
        "25 lost: Triggers are not imported: 'deed_bi'.",
      ],
    })
  })

  it('is read: phpMyAdmin, and MySQL without backticks', () => {
    expect(
      summaryOf(`CREATE TABLE guest (
  id int(11) unsigned NOT NULL,
  mail varchar(120) NOT NULL DEFAULT 'don\\'t know',
  kind enum('a','b''c') NOT NULL DEFAULT 'a' COMMENT 'it''s; a kind',
  number decimal(10,2) DEFAULT '0.00',
  pages int,
  KEY k_pages (pages)
) ENGINE=MyISAM DEFAULT CHARSET=latin1 COMMENT='guests; of ours';
ALTER TABLE guest
  ADD PRIMARY KEY (id),
  ADD UNIQUE KEY mail (mail),
  ADD KEY kind (kind,pages);
ALTER TABLE guest
  MODIFY id int(11) unsigned NOT NULL AUTO_INCREMENT, AUTO_INCREMENT=4;
`),
    ).toEqual({
      dialect: 'mysql',
      tables: [
        `guest: id integer key, mail string(120) required unique default 'don't know', kind string required in a|b'c default 'a' "it's; a kind", number double(10,2) default '0', pages int32 indexed, index kind (kind, pages)`,
      ],
      remarks: [],
    })
  })

  it('is read: Oracle', () => {
    expect(
      summaryOf(`REM it's ours
PROMPT "tables
CREATE TABLE "HR"."STAFF"
   (	"STAFF_ID" NUMBER NOT NULL ENABLE,
	"HIRED" DATE DEFAULT SYSDATE NOT NULL ENABLE,
	"PAY" NUMBER(8,2) DEFAULT 0,
	"BOSS_ID" NUMBER,
	"SX" CHAR(1 BYTE) DEFAULT 'N',
	 CONSTRAINT "STAFF_PAY_MIN" CHECK (pay > 0) ENABLE,
	 CONSTRAINT "SX_CK" CHECK ("SX" IN ('Y','N')) ENABLE,
	 CONSTRAINT "STAFF_PK" PRIMARY KEY ("STAFF_ID")
  USING INDEX PCTFREE 10 INITRANS 2 TABLESPACE "USERS"  ENABLE
   ) SEGMENT CREATION IMMEDIATE PCTFREE 10 TABLESPACE "USERS" ;
/
ALTER TABLE "HR"."STAFF" ADD CONSTRAINT "STAFF_BOSS_FK" FOREIGN KEY ("BOSS_ID")
	  REFERENCES "HR"."STAFF" ("STAFF_ID") ON DELETE SET NULL ENABLE;
   COMMENT ON COLUMN "HR"."STAFF"."PAY" IS 'Pay; of a month';
CREATE UNIQUE INDEX "HR"."STAFF_U" ON "HR"."STAFF" ("HIRED") ;
BEGIN
  EXECUTE IMMEDIATE 'CREATE TABLE x (y NUMBER)';
END;
/
@other.sql
`),
    ).toEqual({
      dialect: 'oracle',
      tables: [
        `HR.STAFF: STAFF_ID integer key, HIRED local required unique default now, PAY double(8,2) default '0' "Pay; of a month", BOSS_ID integer -> HR.STAFF.STAFF_ID, SX fixed(1) in Y|N default 'N', check STAFF_PAY_MIN (PAY > 0)`,
      ],
      remarks: [
        "4 changed: A key of type NUMBER is imported as an integer of 64 bits: 'STAFF.STAFF_ID'.",
        "5 changed: An Oracle DATE includes a time of day and is imported as a timestamp: 'STAFF.HIRED'.",
        "7 changed: A key of type NUMBER is imported as an integer of 64 bits: 'STAFF.BOSS_ID'.",
        "13 note: Storage options are not imported: 'STAFF'.",
        "19 lost: Statement 'BEGIN EXECUTE …' is not supported: it is ignored.",
        "23 lost: The script that '@other' reads is not imported.",
      ],
    })
  })

  it('is read: SQL Server Management Studio, with comments in all its notations', () => {
    expect(
      summaryOf(`SET ANSI_NULLS ON
GO
CREATE TYPE [dbo].[Label] FROM [nvarchar](50) NOT NULL
GO
CREATE TABLE [shop].[Order Line](
	[Id] [uniqueidentifier] ROWGUIDCOL NOT NULL CONSTRAINT [DF_a] DEFAULT (newid()),
	[Qty] [smallint] NOT NULL,
	[Name] [dbo].[Label] NOT NULL,
	[St] [char](2) NULL,
	[Total] AS ([Qty]*2) PERSISTED,
 CONSTRAINT [PK_OL] PRIMARY KEY CLUSTERED ([Id] ASC) WITH (STATISTICS_NORECOMPUTE = OFF) ON [PRIMARY]
) ON [PRIMARY]
GO
ALTER TABLE [shop].[Order Line]  WITH CHECK ADD  CONSTRAINT [CK_s] CHECK  (([St]='AA' OR [St]='BB'))
GO
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'It''s one' , @level0type=N'SCHEMA',@level0name=N'shop', @level1type=N'TABLE',@level1name=N'Order Line', @level2type=N'COLUMN',@level2name=N'Qty'
GO
EXEC [sys].[sp_addextendedproperty] N'MS_Description', N'a name', N'SCHEMA', [shop], N'TABLE', [Order Line], N'COLUMN', [Name]
GO
EXEC sp_addextendedproperty 'MS_Description', 'a state', 'schema', '[shop]', 'table', '[Order Line]', 'column', '[St]'
GO
DECLARE @v sql_variant
SET @v = N'lines'
EXECUTE sp_addextendedproperty N'MS_Description', @v, N'SCHEMA', N'shop', N'TABLE', N'Order Line', NULL, NULL
GO
sp_addextendedproperty 'MS_Description', 'key', 'SCHEMA', shop, 'TABLE', 'Order Line', 'COLUMN', Id
GO
CREATE NONCLUSTERED INDEX [IX] ON [shop].[Order Line] ([Qty] ASC, [St] DESC)
GO
`),
    ).toEqual({
      dialect: 'mssql',
      tables: [
        'shop.Order Line: Id guid key default uuid "key", Qty int16 required "It\'s one", Name string(50) required "a name", St fixed(2) in BB|AA "a state", Total string, index IX (Qty, St desc)',
      ],
      remarks: [
        "10 changed: 'Total' is a computed column: it is imported as a plain one.",
        "10 changed: A column without a type is imported as a string: 'Order Line.Total'.",
      ],
    })
  })

  it('is read: blocks and functions of PostgreSQL', () => {
    expect(
      summaryOf(`DO $$ BEGIN
  CREATE TYPE mood AS ENUM ('sad');
EXCEPTION
  WHEN duplicate_object THEN null;
END $$;
CREATE TABLE a (id int PRIMARY KEY, m mood);
DO $x$ DECLARE n int; BEGIN
  IF NOT EXISTS (SELECT 1) THEN
    CREATE TABLE b (a int);
    ALTER TABLE b ADD FOREIGN KEY (a) REFERENCES a;
  END IF;
  EXECUTE 'DROP TABLE a';
END $x$;
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $fn$ BEGIN CREATE TEMP TABLE zz (x int); RETURN NEW; END $fn$;
`),
    ).toEqual({
      dialect: 'postgresql',
      tables: ['a: id int32 key, m string in sad', 'b: a int32 -> a.id'],
      remarks: [
        '1 changed: The statements of this DO block are read as if all of them ran.',
        '7 changed: The statements of this DO block are read as if all of them ran.',
        "12 lost: Statement 'EXECUTE …' is not supported: it is ignored.",
        "14 lost: Functions are not imported: 'f'.",
      ],
    })
  })

  it('is read: several schemas and names that differ by case', () => {
    expect(
      summaryOf(`SET search_path = one, pg_catalog;
CREATE TABLE thing (id INT PRIMARY KEY);
SET search_path TO two;
CREATE TABLE thing (id INT PRIMARY KEY, one_id INT REFERENCES one.thing(id));
CREATE TABLE part (id INT, thing_id INT REFERENCES thing(id));
CREATE TABLE "Part" (id INT, part_id INT REFERENCES "Part"(id));`).tables,
    ).toEqual([
      'one.thing: id int32 key',
      'two.thing: id int32 key, one_id int32 -> one.thing.id',
      'two.part: id int32, thing_id int32 -> two.thing.id',
      'two.Part: id int32, part_id int32 -> two.Part.id',
    ])
    expect(summaryOf('USE a;\nCREATE TABLE `t` (x int);\nUSE b\nCREATE TABLE `t` (y int);').tables).toEqual([
      'a.t: x int32',
      'b.t: y int32',
    ])
  })

  it('is read: columns and keys that are called alike', () => {
    expect(
      summaryOf(
        `CREATE TABLE \`boat\` (\`id\` int PRIMARY KEY, key varchar(9), index text, KEY \`a\` USING HASH (\`id\`), INDEX USING BTREE (\`key\`), KEY (index));`,
      ).tables,
    ).toEqual(['boat: id int32 key indexed, key string(9) indexed, index string indexed'])
  })

  it('is read: domains with their constraints', () => {
    expect(
      summaryOf(`CREATE DOMAIN short AS text NOT NULL DEFAULT 'x' CHECK (VALUE IN ('x', 'y')) CHECK (VALUE > 'a');
CREATE TABLE t (a short);`),
    ).toMatchObject({
      tables: [`t: a string required in x|y default 'x'`],
      remarks: ["2 lost: The check (VALUE > 'a') of the type of 'a' is ignored."],
    })
  })
})

describe('Keys', () => {
  it.each([
    ['NUMERIC(4,0)', 'integer(4)', false],
    ['DECIMAL(9)', 'integer(9)', false],
    ['NUMERIC(30,0)', 'integer(30)', false],
    ['NUMERIC(50,0)', 'integer', true],
    ['NUMERIC', 'integer', true],
  ])('of %s are imported as %s', (type, expected, isRemarked) => {
    const { tables, remarks } = summaryOf(
      `CREATE TABLE t (a ${type} PRIMARY KEY, b ${type} REFERENCES t (a));`,
      'postgresql',
    )
    expect(tables).toEqual([`t: a ${expected} key, b ${expected} -> t.a`])
    const remarked = isRemarked ? ['a', 'b'] : []
    expect(remarks).toEqual(
      remarked.map(name => `1 changed: A key of type NUMERIC is imported as an integer of 64 bits: 't.${name}'.`),
    )
  })

  it('that are generated are imported as integers of 64 bits, with a remark if their type has more', () => {
    const mysql = summaryOf('CREATE TABLE t (a bigint unsigned AUTO_INCREMENT PRIMARY KEY);', 'mysql')
    expect(mysql).toMatchObject({
      tables: ['t: a integer key'],
      remarks: [`1 changed: A generated key of more than 18 digits is imported as a 64-bit integer: 't.a'.`],
    })
    const postgresql = summaryOf(
      `CREATE SEQUENCE s; CREATE TABLE t (a numeric(10) PRIMARY KEY DEFAULT nextval('s'), b numeric(20) UNIQUE);`,
      'postgresql',
    )
    expect(postgresql).toMatchObject({ tables: ['t: a integer key, b integer(20) unique'], remarks: [] })
    const oracle = summaryOf('CREATE TABLE t (a NUMBER(10) GENERATED ALWAYS AS IDENTITY PRIMARY KEY);', 'oracle')
    expect(oracle).toMatchObject({ tables: ['t: a integer key'], remarks: [] })
  })

  it('of other types are imported, for the checks of exports to judge', () => {
    expect(
      summaryOf('CREATE TABLE t (a date, b numeric(9,2), c real, PRIMARY KEY (a, b));', 'postgresql'),
    ).toMatchObject({ tables: ['t: a date key, b double(9,2) key, c single'], remarks: [] })
  })
})
