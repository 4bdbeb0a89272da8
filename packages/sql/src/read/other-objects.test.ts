import { describe, expect, it } from 'vitest'
import type { ScriptDatabase } from '../databases.ts'
import { summaryOf } from '../testing/read-summary.ts'

function expectRemarks(script: string, remarks: readonly string[], database: ScriptDatabase = 'postgresql'): void {
  expect(summaryOf(script, database).remarks).toEqual(remarks)
}

describe('Objects without a place in models', () => {
  it('are reported by name: PostgreSQL', () => {
    expectRemarks(
      `CREATE EXTENSION IF NOT EXISTS postgis;
CREATE VIEW app.people AS SELECT 1;
CREATE MATERIALIZED VIEW IF NOT EXISTS totals AS SELECT 1;
CREATE FUNCTION app.f(int, text) RETURNS int AS $$ BEGIN RETURN 1; END $$ LANGUAGE plpgsql;
CREATE CONSTRAINT TRIGGER touch AFTER INSERT OR UPDATE OF a ON app.t FOR EACH ROW EXECUTE FUNCTION f();
CREATE TRIGGER touch BEFORE INSERT ON app.u FOR EACH ROW EXECUTE FUNCTION f();
CREATE RULE r AS ON INSERT TO people DO INSTEAD NOTHING;
CREATE POLICY own ON app.t USING (true);
CREATE OPERATOR === (leftarg = int, procedure = f);
CREATE CAST (int AS text) WITH FUNCTION f(int);
CREATE TEXT SEARCH CONFIGURATION english2 (copy = english);
CREATE SEQUENCE numbers;
CREATE TYPE pair AS (a int, b int);`,
      [
        "1 note: Extensions are not imported: 'postgis'.",
        "2 lost: Views are not imported: 'app.people'.",
        "3 lost: Materialized views are not imported: 'totals'.",
        "4 lost: Functions are not imported: 'app.f'.",
        "5 lost: Triggers are not imported: 'touch on app.t'.",
        "6 lost: Triggers are not imported: 'touch on app.u'.",
        "7 lost: Rules are not imported: 'r on people'.",
        "8 lost: Row security policies are not imported: 'own on app.t'.",
        "9 lost: Operators are not imported: '==='.",
        "10 lost: Casts are not imported: '(int AS text)'.",
        "11 note: Text search objects are not imported: 'english2'.",
        "12 lost: Sequences are not imported: 'numbers'.",
        "13 lost: Types are not imported: 'pair'.",
      ],
    )
  })

  it('are reported by name: MySQL', () => {
    expectRemarks(
      "CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`%` SQL SECURITY DEFINER VIEW `v` AS SELECT 1;\nCREATE DEFINER = 'a'@'b' EVENT e ON SCHEDULE EVERY 1 DAY DO SET @x = 1;\nDELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; END //\nDELIMITER ;",
      [
        "1 lost: Views are not imported: 'v'.",
        "2 lost: Events are not imported: 'e'.",
        "4 lost: Procedures are not imported: 'p'.",
      ],
      'mysql',
    )
  })

  it('are reported by name: Oracle', () => {
    expectRemarks(
      `CREATE OR REPLACE FORCE EDITIONABLE VIEW "HR"."V" AS SELECT 1 FROM dual;
CREATE OR REPLACE PACKAGE BODY pay AS
  PROCEDURE p IS BEGIN NULL; END;
END;
/
CREATE TYPE BODY point AS MEMBER FUNCTION f RETURN NUMBER IS BEGIN RETURN 1; END; END;
/
CREATE PUBLIC SYNONYM s FOR hr.t;`,
      [
        "1 lost: Views are not imported: 'HR.V'.",
        "2 lost: Package bodies are not imported: 'pay'.",
        "6 lost: Type bodies are not imported: 'point'.",
        "8 lost: Synonyms are not imported: 's'.",
      ],
      'oracle',
    )
  })

  it('are reported by name: SQL Server', () => {
    expectRemarks(
      `CREATE OR ALTER VIEW dbo.v AS SELECT 1
GO
ALTER PROCEDURE [dbo].[p] AS SELECT 1
GO
CREATE PARTITION FUNCTION pf (int) AS RANGE LEFT FOR VALUES (1)
CREATE XML SCHEMA COLLECTION dbo.x AS N'<a/>'
CREATE FULLTEXT CATALOG words`,
      [
        "1 lost: Views are not imported: 'dbo.v'.",
        "3 lost: Procedures are not imported: 'dbo.p'.",
        "5 note: Partition functions are not imported: 'pf'.",
        "6 lost: XML schema collections are not imported: 'dbo.x'.",
        "7 note: Full-text catalogues are not imported: 'words'.",
      ],
      'mssql',
    )
  })

  it('have the state after the last statement', () => {
    expectRemarks(
      `CREATE VIEW a AS SELECT 1;
CREATE OR REPLACE VIEW a AS SELECT 2;
CREATE VIEW b AS SELECT 1;
CREATE FUNCTION f(int) RETURNS int AS '' LANGUAGE sql;
CREATE TRIGGER t AFTER INSERT ON x EXECUTE FUNCTION f();
CREATE TRIGGER t AFTER INSERT ON y EXECUTE FUNCTION f();
CREATE TYPE pair AS (a int);
ALTER VIEW a RENAME TO c;
DROP VIEW IF EXISTS b, other CASCADE;
DROP FUNCTION f(int);
DROP TRIGGER t ON x;
DROP TYPE pair;`,
      ["2 lost: Views are not imported: 'c'.", "6 lost: Triggers are not imported: 't on y'."],
    )
  })

  it('do not include sequences by which keys or columns get their values', () => {
    expectRemarks(
      `CREATE SEQUENCE app.t_id_seq;
CREATE SEQUENCE other_seq;
CREATE SEQUENCE third_seq OWNED BY t.b;
CREATE SEQUENCE free_seq OWNED BY NONE;
CREATE TABLE t (id int PRIMARY KEY DEFAULT nextval('app.t_id_seq'::regclass), b int);
ALTER SEQUENCE other_seq OWNED BY t.b;`,
      ["4 lost: Sequences are not imported: 'free_seq'."],
    )
  })

  it('can be changed by ALTER TABLE without a further line', () => {
    expectRemarks(
      'ALTER TABLE v OWNER TO me;\nCREATE VIEW v AS SELECT 1;\nALTER TABLE ONLY v OWNER TO me;\nALTER TABLE w OWNER TO me;',
      [
        "2 lost: Views are not imported: 'v'.",
        "4 lost: 'w' is altered but not created in the script: the change is ignored.",
      ],
    )
  })
})

describe('Properties without a place in models', () => {
  it('have a line each: indexes', () => {
    expectRemarks(
      `CREATE TABLE t (id int PRIMARY KEY, a text, b text, c text, d text, e text, doc jsonb);
CREATE INDEX i1 ON t USING gin (doc);
CREATE INDEX i2 ON t USING gist (id, a);
CREATE INDEX i3 ON t (a) WHERE a IS NOT NULL;
CREATE INDEX i4 ON t (a) WHERE id > 5;
CREATE INDEX i5 ON t (lower(a));
CREATE UNIQUE INDEX i6 ON t (a) INCLUDE (id) WHERE a IS NOT NULL;
CREATE INDEX i7 ON t (b text_pattern_ops);
CREATE INDEX i8 ON t (c COLLATE "de" DESC);
CREATE INDEX ON t USING hash (d);
CREATE INDEX i9 ON t USING btree (e DESC NULLS LAST);
CREATE INDEX i10 ON t (e);`,
      [
        "2 lost: The INDEX i1 USING gin (doc) of table 't' is ignored.",
        "3 lost: The INDEX i2 USING gist (id, a) of table 't' is ignored.",
        "4 changed: An index is imported without its condition: 'i3'.",
        "5 lost: The INDEX i4 (a) WHERE id > 5 of table 't' is ignored.",
        "6 lost: The INDEX i5 (lower(a)) of table 't' is ignored.",
        "7 changed: An index is imported without the columns that it includes: 'i6'.",
        "8 changed: An index is imported without its operators or collation: 'i7'.",
        "9 changed: An index is imported without its operators or collation: 'i8'.",
        "10 changed: An index is imported without its method: 't (d)'.",
        "12 note: An index repeats another one: 't (e)'.",
      ],
    )
  })

  it('have a line each: tables', () => {
    expectRemarks(
      `CREATE TABLE t (a text COLLATE "de_DE", b text COLLATE "C", c int, EXCLUDE USING gist (c WITH =)) WITH (fillfactor = 70) TABLESPACE fast;
ALTER TABLE t ENABLE ROW LEVEL SECURITY;`,
      [
        "1 note: Storage options are not imported: 't'.",
        "1 lost: The EXCLUDE USING gist (c WITH =) of table 't' is ignored.",
        "1 changed: Text is imported without its collation de_DE: 't.a'.",
        "2 lost: Row level security is not imported: 't'.",
      ],
    )
    expectRemarks(
      'CREATE TABLE t (a varchar(9) COLLATE utf8mb4_bin, b varchar(9) COLLATE utf8mb4_unicode_ci, c int) ENGINE=InnoDB ROW_FORMAT=COMPRESSED COLLATE=utf8mb4_general_ci;',
      [
        "1 note: Storage options are not imported: 't'.",
        "1 changed: Text is imported without its collation utf8mb4_unicode_ci: 't.b'.",
        "1 changed: Text is imported without its collation utf8mb4_general_ci: 't'.",
      ],
      'mysql',
    )
  })
})
