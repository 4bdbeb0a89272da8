import { describe, expect, it } from 'vitest'
import type { ScriptDatabase } from '../databases.ts'
import { readScript } from './script.ts'
import type { SqlColumn } from './sql-model.ts'

const anyDialect: ScriptDatabase = 'postgresql'

/** The last column of the script, with the remarks on it. */
function read(script: string, dialect: ScriptDatabase) {
  const { tables, remarks } = readScript(script, dialect)
  const column = tables.at(-1)?.columns.at(-1)
  if (!column) throw new Error('There is no column.')
  return { column, remarks: remarks.map(({ line, message }) => `${line}: ${message}`) }
}

const computed = 'is computed by the database'
const misfit = 'does not match its type or choices'
const unsupported = 'is not supported'

function lostDefault(written: string, why: string): string {
  return `1: The default value ${written} of 'a' ${why}: it is ignored.`
}

describe('A default value', () => {
  it.each<[type: string, written: string, expected: string | null, dialect?: ScriptDatabase, remark?: string]>([
    ['text', `'it''s'`, `it's`],
    ['text[]', `ARRAY[]::text[]`, '[]'],
    ['text[]', `ARRAY['a'::text, 'b c']`, '["a","b c"]'],
    ['int[]', `ARRAY[1, 20]`, '[1,20]'],
    ['int[]', `ARRAY[1, f()]`, null, 'postgresql', 'is computed by the database'],
    ['text', `('a' || 'b')`, 'ab'],
    ['text', `'a' + N'b'`, 'ab', 'mssql'],
    ['text', `CONCAT('a', 'b', 'c')`, 'abc'],
    ['text', `'a' || CHR(10) || 'b'`, 'a\nb', 'oracle'],
    ['text', `CHAR(228)`, 'ä', 'mssql'],
    ['text', `NCHAR(8364)`, '€', 'mssql'],
    ['text', 'CHR(1114112)', null, anyDialect, computed],
    ['text', `CHR('a')`, null, anyDialect, computed],
    ['text', `REPLACE('a--b--', '--', '+')`, 'a+b+'],
    ['text', `REPLACE('ab', 'b', '$&')`, null, anyDialect, computed],
    ['text', `REPLACE('ab', '', 'x')`, null, anyDialect, computed],
    ['text', `'a' || lower('B')`, null, anyDialect, computed],
    ['text', "E'a\\tb\\'\\\\'", `a\tb'\\`],
    ['text', String.raw`E'\x41\u0042\U00000043\101'`, 'ABC101'],
    ['text', "$$it's$$", `it's`],
    ['text', '$x$a$$b$x$', 'a$$b'],
    ['text', `q'[it's]'`, `it's`, 'oracle'],
    ['text', `nq'{a}'`, 'a', 'oracle'],
    ['text', `q'!a!'`, 'a', 'oracle'],
    ['text', `N'a'`, 'a', 'mssql'],
    ['text', `_utf8mb4'a\\'b'`, `a'b`, 'mysql'],
    ['text', String.raw`'a\n\Z\''`, "a\n\u001a'", 'mysql'],
    ['text', String.raw`'50\% \_ \x41\f'`, String.raw`50\% \_ x41f`, 'mysql'],
    ['text', String.raw`E'50\% \f'`, '50% \f'],
    ['text', '"a""b"', 'a"b', 'mysql'],
    ['text', 'NULL', null],
    ['text', `'a'::character varying(3)[]`, 'a'],
    ['text', `'a' COLLATE pg_catalog."C"`, 'a'],
    ['text', `CAST('a' AS character varying(9))`, 'a'],
    ['text', `CAST(X'4142' AS text)`, 'AB', 'mysql'],
    ['text', `CONVERT(X'4142' USING utf8mb4)`, 'AB', 'mysql'],
    ['text', `CONVERT(varchar(9), 'a', 0)`, 'a', 'mssql'],
    ['text', `CONVERT('a', b c)`, null, 'mssql', unsupported],
    ['text', 'current_user', null, anyDialect, computed],
    ['text', `((('a')))`, 'a'],
    ['text', `'a' 'b'`, null, anyDialect, unsupported],
    ['text', `${'('.repeat(101)}'a'${')'.repeat(101)}`, null, anyDialect, unsupported],
    ['text', `${'('.repeat(90)}'a'${')'.repeat(90)}`, 'a'],
    ['text', 'true', 'true'],
    ['text', `X'4142'`, null, anyDialect, misfit],
    ['integer', '-5', '-5'],
    ['integer', '- -5', '5'],
    ['integer', '+5', '5'],
    ['integer', '-(-5)', '5'],
    ['integer', `-'a'`, null, anyDialect, computed],
    ['integer', '2 * 3', null, anyDialect, computed],
    ['integer', '5 - 3', null, anyDialect, computed],
    ['integer', 'true', '1'],
    ['integer', 'false', '0'],
    ['integer', `B'101'`, '5'],
    ['integer', '0xff', '255', 'mssql'],
    ['integer', `B'${'1'.repeat(65)}'`, null, anyDialect, misfit],
    ['integer', '1.5', null, anyDialect, misfit],
    ['numeric(18)', '0.00', '0'],
    ['numeric(18)', '-1e3', '-1000'],
    ['numeric(18)', '1e18', null, anyDialect, misfit],
    ['decimal(38, 0)', `((${'9'.repeat(38)}.))`, '9'.repeat(38), 'mssql'],
    ['numeric(9,2)', '1.', '1'],
    ['numeric(9,2)', '.5', '0.5'],
    ['double precision', '1.E1', '10'],
    ['double precision', 'true', '1'],
    ['double', `TO_BINARY_DOUBLE('1.5')`, '1.5', 'oracle'],
    ['double', 'TO_BINARY_DOUBLE(1.5)', '1.5', 'oracle'],
    ['double', 'TO_BINARY_DOUBLE(TRUE)', null, 'oracle', computed],
    ['boolean', 'TRUE', 'true'],
    ['boolean', 'false', 'false'],
    ['boolean', `'t'`, 'true'],
    ['boolean', `'F'`, 'false'],
    ['boolean', '1', 'true'],
    ['boolean', `'maybe'`, null, anyDialect, misfit],
    ['boolean', `B'10'`, null, anyDialect, misfit],
    ['date', `'2026-01-31'`, '2026-01-31'],
    ['date', `DATE '2026-01-31'`, '2026-01-31'],
    ['date', `TIMESTAMP '2026-01-31 08:30:00'`, '2026-01-31'],
    ['date', `'2026-02-31'`, null, anyDialect, misfit],
    ['date', 'CURRENT_DATE + 1', null, anyDialect, computed],
    ['date', `X'41'`, null, anyDialect, misfit],
    ['time', `TIME '08:30:00.500'`, '08:30:00.5'],
    ['time', `'08:30:00.000'`, '08:30:00'],
    ['interval day(1) to second(6)', `INTERVAL '0 08:30:00' DAY TO SECOND`, '08:30:00', 'oracle'],
    ['interval day(1) to second(6)', `INTERVAL '+0 08:30:00.250' DAY(1) TO SECOND`, null, 'oracle', unsupported],
    ['interval day(1) to second(6)', `INTERVAL '+0 08:30:00.250' DAY TO SECOND(6)`, '08:30:00.25', 'oracle'],
    ['interval day(1) to second(6)', `INTERVAL '1 08:30:00' DAY TO SECOND`, null, 'oracle', unsupported],
    ['timestamp', `'2026-01-31 08:30:00.2500'`, '2026-01-31T08:30:00.25'],
    ['timestamp', `'2026-01-31T08:30:00.000'`, '2026-01-31T08:30:00'],
    ['timestamp', `'2026-01-31'`, '2026-01-31T00:00:00'],
    ['timestamp', `'2026-01-31 x'`, null, anyDialect, misfit],
    ['timestamp', 'CURRENT_DATE', null, anyDialect, computed],
    ['timestamp', `now() AT TIME ZONE 'Europe/Paris'`, null, anyDialect, computed],
    ['text', 'now()', null, anyDialect, computed],
    ['text', 'gen_random_uuid()', null, anyDialect, computed],
    [
      'timestamp',
      `TO_TIMESTAMP('2026-01-31 08:30:00.5', 'YYYY-MM-DD HH24:MI:SS.FF6')`,
      '2026-01-31T08:30:00.5',
      'oracle',
    ],
    ['date', `TO_DATE('2026-01-31', 'YYYY-MM-DD')`, '2026-01-31T00:00:00', 'oracle'],
    ['date', `TO_DATE('31-01-2026', 'DD-MM-YYYY')`, null, 'oracle', computed],
    [
      'timestamp with time zone',
      `TO_TIMESTAMP_TZ('2026-01-31 08:30:00 +02:00', 'YYYY-MM-DD HH24:MI:SS TZH:TZM')`,
      '2026-01-31T06:30:00Z',
      'oracle',
    ],
    [
      'timestamp with time zone',
      `FROM_TZ(TIMESTAMP '2026-01-31 08:30:00', '+02:00')`,
      '2026-01-31T06:30:00Z',
      'oracle',
    ],
    ['timestamp with time zone', `FROM_TZ(TIMESTAMP '2026-01-31 08:30:00', 'CET')`, null, 'oracle', computed],
    ['datetimeoffset', `TODATETIMEOFFSET('2026-01-31 08:30:00', '+02:00')`, '2026-01-31T06:30:00Z', 'mssql'],
    ['timestamp', `'2026-01-31 08:30:00+02:00'`, '2026-01-31T06:30:00Z', 'mysql'],
    ['datetime', `'2026-01-31 08:30:00'`, '2026-01-31T08:30:00', 'mysql'],
    ['timestamp', `'2026-01-31 08:30:00+02'`, '2026-01-31T08:30:00'],
    ['timestamptz', `'2026-01-31 08:30:00.50+02'`, '2026-01-31T06:30:00.5Z'],
    ['timestamptz', `'2026-01-31 08:30:00'`, '2026-01-31T08:30:00Z'],
    ['timestamp with time zone', `TIMESTAMP '2026-01-31 08:30:00-5:00'`, '2026-01-31T13:30:00Z', 'hsql'],
    ['timestamptz', `TIMESTAMP WITH TIME ZONE '2026-01-31 08:30:00+02'`, '2026-01-31T06:30:00Z'],
    ['timestamptz', `timestamptz '2026-01-31 08:30:00 UTC'`, '2026-01-31T08:30:00Z'],
    ['timestamp', `TIMESTAMP WITHOUT TIME ZONE '2026-01-31 08:30:00'`, '2026-01-31T08:30:00'],
    ['timestamp with time zone', `TIMESTAMP '2026-01-31 08:30:00 UTC'`, '2026-01-31T08:30:00Z', 'oracle'],
    ['datetimeoffset(6)', `'2026-01-31 08:30:00 +05:30'`, '2026-01-31T03:00:00Z', 'mssql'],
    ['bytea', `'\\x0f10'`, 'DxA='],
    ['bytea', `decode('0f10', 'HEX')`, 'DxA='],
    ['bytea', `decode('0f10', 'escape')`, null, anyDialect, computed],
    ['bytea', `decode(0, 'hex')`, null, anyDialect, computed],
    ['blob', `HEXTORAW('0f10')`, 'DxA=', 'oracle'],
    ['blob', 'EMPTY_BLOB()', '', 'oracle'],
    ['blob', `UNHEX('0f10')`, 'DxA=', 'mysql'],
    ['varbinary(9)', `B'111100010000'`, 'DxA=', 'mysql'],
    ['varbinary(9)', `B'1'`, 'AQ==', 'mysql'],
    ['varbinary(9)', '0xf10', 'DxA=', 'mssql'],
    ['json', `'{"a":1}'`, '{"a":1}'],
    ['json', `'{'`, null, anyDialect, misfit],
    ['json', `B'1'`, null, anyDialect, misfit],
    ['bit(8)', `X'0f'`, '00001111'],
    ['varchar(9)', `B'01000001'`, 'A', 'mysql'],
    ['uuid', `'6f9619ff-8b86-d011-b42d-00c04fc964ff'`, '6f9619ff-8b86-d011-b42d-00c04fc964ff'],
  ])('of %s as %s is %j', (type, written, expected, dialect = anyDialect, remark = undefined) => {
    const { column, remarks } = read(`CREATE TABLE t (a ${type} DEFAULT ${written} NOT NULL)`, dialect)
    expect([column.defaultValue, column.nullable]).toEqual([expected, false])
    const others = remarks.filter(text => text.includes('default value'))
    expect(others).toEqual(remark === undefined ? [] : [lostDefault(written, remark)])
  })

  it('of MySQL is imported in UTC if its offset would be converted by the session', () => {
    const { column, remarks } = read(`CREATE TABLE t (a datetime DEFAULT '2026-01-31 08:30:00+02:00')`, 'mysql')
    expect(column.defaultValue).toBe('2026-01-31T06:30:00')
    expect(remarks).toEqual([`1: The default value of 'a' has an offset: it is imported in UTC.`])
  })

  it('of a sequence is left out without a remark if it generates the key', () => {
    const sequence = `DEFAULT nextval('s'::regclass)`
    expect(read(`CREATE TABLE t (a bigint ${sequence} PRIMARY KEY)`, anyDialect).remarks).toEqual([])
    expect(read(`CREATE TABLE t (a bigint ${sequence})`, anyDialect).remarks).toEqual([
      lostDefault(`nextval('s'::regclass)`, computed),
    ])
  })

  it.each<[type: string, written: string, dialect: ScriptDatabase]>([
    ['numeric(10)', `nextval('s'::regclass)`, 'postgresql'],
    ['NUMBER(10)', 's.NEXTVAL', 'oracle'],
    ['NUMBER(10,0)', '"APP"."S"."NEXTVAL"', 'oracle'],
    ['decimal(18, 0)', '(NEXT VALUE FOR [dbo].[s])', 'mssql'],
    ['bigint', 'NEXT VALUE FOR s', 'mssql'],
  ])('of a sequence makes a key of the type %s one that is generated: %s', (type, written, dialect) => {
    const { column, remarks } = read(`CREATE TABLE t (a ${type} DEFAULT ${written} PRIMARY KEY)`, dialect)
    expect([column.dataType, column.format, column.precision, remarks]).toEqual(['integer', null, null, []])
  })

  it('of a sequence limits the digits of a key, with a remark', () => {
    const { column, remarks } = read('CREATE TABLE t (a NUMBER(38) DEFAULT s.NEXTVAL PRIMARY KEY)', 'oracle')
    expect(column.precision).toBe(null)
    expect(remarks).toEqual([`1: A generated key of more than 18 digits is imported as a 64-bit integer.`])
  })
})

const guid = `'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`

describe('A check', () => {
  it.each<[type: string, check: string, expected: Partial<SqlColumn> | null, dialect?: ScriptDatabase]>([
    ['text', `a IN ('x', 'y', 'x')`, { choices: ['x', 'y'] }],
    ['text', `a = ANY (ARRAY['x'::text, 'y'::text])`, { choices: ['x', 'y'] }],
    ['text', `a = SOME (ARRAY['x'])`, { choices: ['x'] }],
    ['text', `a = 'x' OR 'y' = a OR a IN ('z')`, { choices: ['x', 'y', 'z'] }],
    ['varchar(9)', `[a]='y' OR [a]='x'`, { choices: ['x', 'y'] }, 'mssql'],
    ['varchar(9)', `a IN ('y', 'x') OR a = 'z'`, { choices: ['y', 'x', 'z'] }, 'mssql'],
    ['varchar(9)', `a IN ('x') AND a NOT LIKE '% '`, { choices: ['x'] }, 'mssql'],
    ['varchar(9)', `a IN ('x') AND DATALENGTH(a) = 2`, { choices: ['x'] }, 'mssql'],
    ['varchar(9)', `a IN ('x') AND a NOT LIKE '%x'`, null, 'mssql'],
    ['text', `a IN ('x') OR a IS NULL`, null],
    ['text', `a IN ('x', lower('y'))`, null],
    ['text', `a <> 'x'`, null],
    ['text', `a IN ('x') OR b IN ('y')`, null],
    ['text', `lower(a) IN ('x')`, null],
    ['text', `lower(a) = 'x'`, null],
    ['text', `1 = 1`, null],
    ['text', `'x' = lower(a)`, null],
    ['varchar(9)', `a IN ('x') AND a <> 'y'`, null, 'mssql'],
    ['varchar(9)', 'DATALENGTH(a) / 2 / 2 <= 7', null, 'mssql'],
    ['text', 'lower(a) <= 7', null],
    ['text', `length(regexp_replace(lower(a), '[^x]', 'x', 'g')) <= 7`, null],
    ['integer', 'a IN (1, 2)', { choices: ['1', '2'] }],
    ['integer', 'a IN (0, 1)', { choices: ['0', '1'], dataType: 'integer' }],
    ['boolean', 'a IN (0, 1)', { choices: [], dataType: 'boolean' }],
    ['boolean', `a IN (B'0', B'1')`, { choices: [], dataType: 'boolean' }],
    ['number(1)', 'a IN (0, 1)', { choices: [], dataType: 'boolean', format: null }, 'oracle'],
    ['number(1)', 'a IN (1, 0)', { choices: ['1', '0'], dataType: 'integer' }, 'oracle'],
    ['number(1)', `a IN ('0', '1')`, { choices: ['0', '1'], dataType: 'integer' }, 'oracle'],
    ['number(2)', 'a IN (0, 1)', { choices: ['0', '1'], dataType: 'integer' }, 'oracle'],
    ['number(1)', 'a IN (0, 1, 2)', { choices: ['0', '1', '2'], dataType: 'integer' }, 'oracle'],
    ['number(1)', 'a IN (0, 2)', { choices: ['0', '2'], dataType: 'integer' }, 'oracle'],
    ['text', 'char_length(a) <= 7', { maxLength: 7 }],
    ['text', 'character_length(a) < 7', { maxLength: 6 }],
    ['varchar(5)', 'length(a) <= 7', { maxLength: 5 }],
    ['varchar(9)', 'LEN(a) <= 7', { maxLength: 7 }, 'mssql'],
    ['varchar(9)', 'DATALENGTH(a) / 2 <= 7', { maxLength: 7 }, 'mssql'],
    ['varchar(9)', 'DATALENGTH(a) / 3 <= 7', null, 'mssql'],
    ['text', `length(regexp_replace(a, '[^x]', 'x', 'g')) <= 7`, { maxLength: 7 }],
    ['text', `length(regexp_replace(a, '[^x]', 'y', 'g')) <= 7`, null],
    ['text', `length(lower(a)) <= 7`, null],
    ['text', 'length(a) <= 0', null],
    ['text', 'length(a) <= 1.5', null],
    ['text', 'length(a) > 7', null],
    ['integer', 'length(a) <= 7', { maxLength: null }],
    ['text', 'a IS NOT NULL', { nullable: false }],
    ['text', 'lower(a) IS NOT NULL', null],
    ['text', 'a IS NULL', null],
    ['text', `a ~ ${guid}`, { format: 'guid', maxLength: null }],
    ['text', `a ~* ${guid}`, { format: 'guid' }],
    ['char(36)', `a REGEXP ${guid}`, { format: 'guid', maxLength: null }, 'mysql'],
    ['char(36)', `a RLIKE ${guid}`, { format: 'guid' }, 'mysql'],
    ['char(36)', `REGEXP_LIKE(a, ${guid})`, { format: 'guid' }, 'oracle'],
    ['char(36)', `REGEXP_MATCHES(a, ${guid})`, { format: 'guid' }, 'hsql'],
    ['varchar(36)', `REGEXP_LIKE(a, '^a')`, null, 'oracle'],
    ['varchar(36)', `REGEXP_OTHER(a, ${guid})`, null, 'oracle'],
    ['char(3)', `a IN ('abc', 'abd')`, { format: 'fixed', choices: ['abc', 'abd'] }],
    ['char(3)', 'char_length(rtrim(a)) = 3', { format: 'fixed', maxLength: 3 }],
    ['char(3)', `a IN ('abc', 'ab')`, { format: null, maxLength: 3, choices: ['abc', 'ab'] }],
    ['text', `a LIKE ${guid}`, null],
    ['text', `a NOT LIKE 'x'`, null],
    ['text', `a ~ '^a'`, null],
    ['integer', `a ~ ${guid}`, { dataType: 'integer' }],
    ['clob', 'a IS JSON', { dataType: 'object', maxLength: null }, 'oracle'],
    ['clob', 'a IS NOT JSON', null, 'oracle'],
    ['longtext', 'json_valid(a)', { dataType: 'object' }, 'mysql'],
    ['nvarchar(max)', 'ISJSON(a) = 1', { dataType: 'object' }, 'mssql'],
    ['integer', 'json_valid(a)', { dataType: 'integer' }, 'mysql'],
    ['date', `a BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'`, { dataType: 'dateTime' }],
    ['date', `a BETWEEN DATE '2001-01-01' AND DATE '9999-12-31'`, null],
    ['date', `a BETWEEN DATE '0001-01-01' AND DATE '2001-12-31'`, null],
    ['date', `a >= '0001-01-01' AND a <= '9999-12-31'`, { dataType: 'dateTime' }],
    ['date', `a >= '2001-01-01'`, null],
    ['date', `a <> '0001-01-01'`, null],
    ['date', `year(a) * month(a) * dayofmonth(a) > 0`, { dataType: 'dateTime' }, 'mysql'],
    ['date', `year(a) * month(a) > 1`, null, 'mysql'],
    ['date', `year(a) * length(a) > 0`, null, 'mysql'],
    ['date', `year(a) * month(a) < 0`, null, 'mysql'],
    ['time', `a < '24:00:00'`, { dataType: 'dateTime' }],
    ['double precision', 'a - a = 0', { dataType: 'double' }],
    ['double precision', 'a - a = 1', null],
    ['double precision', 'a - 1 = 0', null],
    ['text', `a IN ('x') AND length(a) <= 7`, { choices: ['x'], maxLength: 7 }],
    ['text', `length(a) <= 7 AND lower(a) = 'x'`, null],
    ['text', `NOT NOT a IN ('x')`, { choices: ['x'] }],
    ['text', `NOT a IN ('x')`, null],
    ['text', `a NOT IN ('x')`, null],
    ['text', `a IN ('x') = TRUE`, null],
    ['integer', 'a BETWEEN 1', null],
  ])('of %s, %s, means %j', (type, check, expected, dialect = anyDialect) => {
    const { column, remarks } = read(`CREATE TABLE t (b text, a ${type}, CHECK (${check}))`, dialect)
    expect(column).toMatchObject(expected ?? {})
    // What is no property of the column is a check of the table, if the model can say it.
    const isSaid = readScript(`CREATE TABLE t (b text, a ${type}, CHECK (${check}))`, dialect).tables[0]?.checks.length
    expect(remarks).toEqual(expected === null && !isSaid ? [`1: The check (${check}) of table 't' is ignored.`] : [])
  })

  it('whose values do not fit the column is reported', () => {
    const script = `CREATE TABLE t (a integer CHECK (a IN (1, 'x')))`
    expect(read(script, anyDialect)).toMatchObject({
      column: { choices: [] },
      remarks: ["1: The choices of 'a' do not match its type: they are ignored."],
    })
  })
})

type Shape = [SqlColumn['dataType'], SqlColumn['format'], length: number | null, scale?: number | null]
const own = (message: string) => `1: ${message.charAt(0).toUpperCase()}${message.slice(1)}.`
const rowVersion = own('a row version is imported as binary')
/** Databases fill shorter values with spaces. */
const padded =
  '1: A CHAR column is imported as a text with a max length: the database fills shorter values with spaces.'
const large = own('an integer of up to 38 digits is imported as a 64-bit integer')

describe('A column type', () => {
  it.each<[type: string, dialect: ScriptDatabase, expected: Shape, remark?: string]>([
    ['char', 'postgresql', ['string', null, 1], padded],
    ['bpchar', 'postgresql', ['string', null, null]],
    ['bpchar(3)', 'postgresql', ['string', null, 3], padded],
    ['nchar(255)', 'mssql', ['string', null, 255], padded],
    ['char(256)', 'mysql', ['string', null, 256]],
    ['varchar', 'postgresql', ['string', null, null]],
    ['national character(5)', 'hsql', ['string', null, 5], padded],
    ['varchar(0)', 'mysql', ['string', null, null]],
    ['varchar(16777216)', 'hsql', ['string', null, null]],
    ['varchar(16777216)', 'mysql', ['string', null, 16_777_216]],
    ['char(36) CHARACTER SET ascii', 'mysql', ['string', 'guid', null]],
    ['char(36) CHARSET latin1', 'mysql', ['string', null, 36], padded],
    ['char(35) CHARACTER SET ascii', 'mysql', ['string', null, 35], padded],
    ['varchar(36) CHARACTER SET ascii', 'mysql', ['string', null, 36]],
    ['tinytext', 'mysql', ['string', null, 255]],
    ['uniqueidentifier', 'mssql', ['string', 'guid', null]],
    ['smallint', 'postgresql', ['integer', 'int16', null]],
    ['smallint unsigned', 'mysql', ['integer', 'int32', null]],
    ['tinyint(1)', 'mysql', ['boolean', null, null]],
    ['tinyint(2)', 'mysql', ['integer', 'int16', null]],
    ['tinyint(1)', 'hsql', ['integer', 'int16', null]],
    ['int', 'mysql', ['integer', 'int32', null]],
    ['int unsigned', 'mysql', ['integer', null, null]],
    ['int zerofill', 'mysql', ['integer', null, null]],
    ['int signed', 'mysql', ['integer', 'int32', null]],
    ['integer', 'oracle', ['integer', null, null], large],
    ['bigint', 'postgresql', ['integer', null, null]],
    ['bigint unsigned', 'mysql', ['integer', null, 20]],
    ['decimal', 'mysql', ['integer', null, 10]],
    ['decimal(0)', 'mysql', ['integer', null, 10]],
    ['char(max)', 'mssql', ['string', null, null]],
    ['interval day(1) to second', 'postgresql', ['string', null, null], own('an interval is imported as a string')],
    ['interval year(1) to month', 'oracle', ['string', null, null], own('an interval is imported as a string')],
    ['decimal', 'mssql', ['integer', null, 18]],
    ['decimal', 'hsql', ['double', null, 128, 0]],
    ['decimal', 'postgresql', ['double', 'decimal', null, null]],
    ['numeric(9)', 'postgresql', ['integer', null, 9]],
    ['numeric(38,0)', 'postgresql', ['integer', null, 38]],
    ['numeric(39,0)', 'postgresql', ['double', null, 39, 0]],
    ['numeric(9,-2)', 'postgresql', ['integer', null, 11], own('a negative scale is ignored')],
    ['numeric(2,5)', 'postgresql', ['double', null, 5, 5], own('the precision is raised to the scale')],
    ['numeric(5,5)', 'postgresql', ['double', null, 5, 5]],
    ['number', 'oracle', ['double', 'decimal', null, null]],
    ['number(4)', 'oracle', ['integer', null, 4]],
    ['number(18,0)', 'oracle', ['integer', null, 18]],
    ['number(19)', 'oracle', ['integer', null, 19]],
    ['number(38)', 'oracle', ['integer', null, 38]],
    ['number(*,0)', 'oracle', ['integer', null, 38]],
    ['number(*)', 'oracle', ['double', 'decimal', null, null]],
    ['number(*,2)', 'oracle', ['double', null, 38, 2]],
    ['number(9,2)', 'oracle', ['double', null, 9, 2]],
    ['money', 'mssql', ['double', null, 19, 4]],
    ['smallmoney', 'mssql', ['double', null, 10, 4]],
    ['float(24)', 'mssql', ['float', 'single', null]],
    ['float(24)', 'hsql', ['double', null, null]],
    ['float(25)', 'mssql', ['double', null, null]],
    ['float', 'mssql', ['double', null, null]],
    ['float', 'mysql', ['float', 'single', null]],
    ['real', 'mysql', ['double', null, null]],
    ['real', 'hsql', ['double', null, null]],
    ['real', 'postgresql', ['float', 'single', null]],
    ['binary_float', 'oracle', ['float', 'single', null]],
    ['bit', 'mssql', ['boolean', null, null]],
    ['bit(1)', 'mysql', ['boolean', null, null]],
    ['bit(2)', 'mysql', ['string', null, null], own('a bit string is imported as a string')],
    ['bit varying(1)', 'hsql', ['string', null, null], own('a bit string is imported as a string')],
    ['bit(1)', 'postgresql', ['string', null, null], own('a bit string is imported as a string')],
    ['date', 'postgresql', ['dateTime', 'date', null]],
    ['timestamp', 'mssql', ['object', 'binary', null], rowVersion],
    ['rowversion', 'mssql', ['object', 'binary', null], rowVersion],
    ['timestamp without time zone', 'postgresql', ['dateTime', 'local', null]],
    ['timestamp(3) with time zone', 'postgresql', ['dateTime', 'instant', null]],
    ['timestamp with local time zone', 'oracle', ['dateTime', 'instant', null]],
    ['timestamp', 'mysql', ['dateTime', 'instant', null]],
    ['datetime', 'mysql', ['dateTime', 'local', null]],
    ['datetimeoffset', 'mssql', ['dateTime', 'instant', null]],
    ['datetime2(7)', 'mssql', ['dateTime', 'local', null]],
    ['jsonb', 'postgresql', ['object', null, null]],
    ['bytea', 'postgresql', ['object', 'binary', null]],
    ['long raw', 'oracle', ['object', 'binary', null]],
    ['binary large object', 'hsql', ['object', 'binary', null]],
    ["set('a','b')", 'mysql', ['string', null, null], own('a SET is imported as a string')],
    ['text[3]', 'postgresql', ['object', null, null], own('an array is imported as an object')],
    ['integer array', 'hsql', ['object', null, null], own('an array is imported as an object')],
    ['"geo"', 'postgresql', ['string', null, null], own('type GEO is imported as a string')],
    ['year to month', 'postgresql', ['integer', 'int16', null]],
  ])('%s of %s is read as %j', (type, dialect, expected, remark = undefined) => {
    const { column, remarks } = read(`CREATE TABLE t (a ${type})`, dialect)
    const { dataType, format, maxLength, precision, scale } = column
    const [kind, form, length, places = null] = expected
    expect([dataType, format, maxLength ?? precision, scale]).toEqual([kind, form, length, places])
    expect(remarks).toEqual(remark === undefined ? [] : [remark])
  })

  it('may be missing', () => {
    const untyped = own('a column without a type is imported as a string')
    expect(read('CREATE TABLE t (a)', anyDialect).remarks).toEqual([untyped])
    const computedColumn = "1: 'a' is a computed column: it is imported as a plain one."
    expect(read('CREATE TABLE t (b int, a AS (b * 2) PERSISTED)', 'mssql').remarks).toEqual([computedColumn, untyped])
  })
})

describe('The words of a script', () => {
  it.each<[script: string, columns: readonly object[], dialect?: ScriptDatabase]>([
    ['\\connect shop\nCREATE TABLE t (a int);', [{ name: 'a' }]],
    ['CREATE TABLE t (a int /*!80023 INVISIBLE */, b int /* x /* y */);', [{ name: 'a' }, { name: 'b' }], 'mysql'],
    ['/*!40101 SET x = 1 */;\nCREATE TABLE t (a int) /*!50100 COMMENT 1 */;', [{ name: 'a' }], 'mysql'],
    ['# CREATE TABLE x (y int);\nCREATE TABLE t (a int); # z', [{ name: 'a' }], 'mysql'],
    ['CREATE TABLE t (a int DEFAULT 1 -- x\n, b int);', [{ defaultValue: '1' }, { name: 'b' }]],
    ['CREATE TABLE t (a int)\nGO 5\nCREATE TABLE t2 (gone int)\ngo', [{ name: 'gone' }], 'mssql'],
    ['CREATE TABLE t (a NUMBER(5))\n/\nCREATE TABLE t2 (b NUMBER(5))\n/\n', [{ name: 'b' }], 'oracle'],
    [
      'DELIMITER  $$\nCREATE TRIGGER x; CREATE TABLE y (z int)$$\nDELIMITER ;\nCREATE TABLE t (a int);',
      [{ name: 'a' }],
      'mysql',
    ],
    ['CREATE TABLE [a]]b].[t] ([x]]y] int)', [{ name: 'x]y' }], 'mssql'],
    ['CREATE TABLE "a""b"."t" ("x""y" int);', [{ name: 'x"y' }]],
    ['CREATE TABLE `t` (`x``y` int);', [{ name: 'x`y' }], 'mysql'],
    ['CREATE TABLE t (b$c# int, _ä1 int);', [{ name: 'b$c#' }, { name: '_ä1' }], 'oracle'],
    [String.raw`CREATE TABLE t (a text DEFAULT U&'\0041\00zz\\');`, [{ defaultValue: 'A\\00zz\\' }]],
    [String.raw`CREATE TABLE t (a text DEFAULT U&'x!!!0041!' UESCAPE '!');`, [{ defaultValue: 'x!A!' }]],
    ['CREATE TABLE t (a text DEFAULT U&x);', [{ defaultValue: null }]],
    ["CREATE TABLE t (a text DEFAULT X'4g');", [{ defaultValue: '4g' }]],
    ["CREATE TABLE t (a text DEFAULT B'12');", [{ defaultValue: '12' }]],
    [String.raw`CREATE TABLE t (a text DEFAULT E'\U00110000');`, [{ defaultValue: 'U00110000' }]],
    ['CREATE TABLE t (a int DEFAULT 0x1ff);', [{ defaultValue: '511' }], 'mssql'],
    ["CREATE TABLE t (a text DEFAULT 'x\\'y');", [{ defaultValue: "x'y" }], 'mysql'],
    ['CREATE TABLE T (A int); CREATE TABLE t (b int); ALTER TABLE t ADD c int;', [{ name: 'b' }, { name: 'c' }]],
    ['CREATE TABLE T (A int, a text); ALTER TABLE T ADD UNIQUE (a);', [{ unique: false }, { unique: true }]],
    [
      'CREATE TABLE s.t (a int); CREATE TABLE r.t (b int); ALTER TABLE S.T ADD c int; DROP TABLE r.t;',
      [{}, { name: 'c' }],
    ],
    [
      'CREATE TABLE t (a int, UNIQUE INDEX i (a) USING BTREE, FULLTEXT KEY f (a)) ENGINE=InnoDB;',
      [{ unique: true, indexed: false }],
      'mysql',
    ],
    ['CREATE TABLE t (a int, INDEX i CLUSTERED (a) WITH (x = 1) ON [p]) ON [PRIMARY]', [{ indexed: true }], 'mssql'],
    ['CREATE TABLE t (key int, index int);', [{ name: 'key' }, { name: 'index' }]],
    [
      'CREATE TABLE t (a int, CONSTRAINT UNIQUE (a), CONSTRAINT CHECK (a IN (1)));',
      [{ unique: true, choices: ['1'] }],
      'mysql',
    ],
    ['CREATE TABLE t (a int, CONSTRAINT x CHECK (a IN (1)) NOT VALID);', [{ choices: ['1'] }]],
    ['CREATE TABLE t (a int, KEY k ((lower(a)), a), KEY j (a DESC));', [{ indexed: true }], 'mysql'],
    ['CREATE TABLE t (a varchar(9) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL);', [{ nullable: false }], 'mysql'],
    ['CREATE TABLE t (a int DEFAULT (1 + (2)) NOT NULL, b int);', [{ nullable: false }, { name: 'b' }]],
    ["CREATE TABLE t (a text DEFAULT 'x' CHECK (a IN ('y')));", [{ defaultValue: null, choices: ['y'] }]],
    ['CREATE TABLE t (a int DEFAULT nextval(1));', [{ defaultValue: null }]],
    ["CREATE TABLE t (a text); ALTER TABLE t ADD CHECK (a = ANY ('x'));", [{ choices: ['x'] }]],
    ["CREATE TABLE t (a text CHECK (a ILIKE 'x'));", [{ choices: [] }]],
    ['CREATE TABLE t (a int, LIKE int);', [{ name: 'a' }]],
    ['CREATE TABLE t (supplemental int, system int);', [{ name: 'supplemental' }, { name: 'system' }]],
  ])('of %s are read', (script, columns, dialect = anyDialect) => {
    expect(readScript(script, dialect).tables.at(-1)?.columns).toMatchObject(columns)
  })
})
