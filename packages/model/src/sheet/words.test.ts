import { describe, expect, it } from 'vitest'
import { listText, readFlag, readList, readNullable, readTypeWord } from './words.ts'

/** `integer`, `string/guid`, `string 40`, `double 10,2`. */
function shown(text: string): string {
  const type = readTypeWord(text)
  if (type === undefined) return 'unknown'
  const { dataType, format, maxLength, precision, scale, choices } = type
  const size = [maxLength, precision, scale].filter(one => one !== undefined).join(',')
  return [format ? `${dataType}/${format}` : dataType, size, choices?.join('|')].filter(Boolean).join(' ')
}

describe('the word of a type', () => {
  it.each([
    ['PostgreSQL', 'character varying(40)', 'string 40'],
    ['PostgreSQL', 'timestamp(3) with time zone', 'dateTime/instant'],
    ['PostgreSQL', 'double precision', 'double'],
    ['PostgreSQL', 'character(3)', 'string/fixed 3'],
    ['PostgreSQL', 'char', 'string'],
    ['PostgreSQL', 'real', 'float/single'],
    ['SQL Server', 'nchar(256)', 'string 256'],
    ['SQL Server', 'float(24)', 'float/single'],
    ['SQL Server', 'float(53)', 'float'],
    ['PostgreSQL', 'text[]', 'object'],
    ['PostgreSQL', 'bytea', 'object/binary'],
    ['MySQL', 'int(11) unsigned', 'integer/int32'],
    ['MySQL', 'tinyint(1)', 'boolean'],
    ['MySQL', "enum('new','it''s, done')", "string new|it's, done"],
    ['MySQL', 'varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', 'string 255'],
    ['SQL Server', 'nvarchar(max)', 'string'],
    ['SQL Server', '[nvarchar](50) NOT NULL', 'string 50'],
    ['SQL Server', 'int IDENTITY(1,1)', 'integer/int32'],
    ['SQL Server', 'decimal(18, 2) IDENTITY', 'double 18,2'],
    ['SQL Server', 'uniqueidentifier', 'string/guid'],
    ['SQL Server', 'bit', 'boolean'],
    ['Oracle', 'VARCHAR2(40 CHAR)', 'string 40'],
    ['Oracle', 'NUMBER(10)', 'integer 10'],
    ['Oracle', 'NUMBER(10,2)', 'double 10,2'],
    ['Oracle', 'NUMBER', 'double/decimal'],
    ['HSQLDB', 'LONGVARCHAR', 'string'],
    ['HSQLDB', 'VARCHAR_IGNORECASE(9)', 'string 9'],
    ['spreadsheets', 'Yes/No', 'boolean'],
    ['spreadsheets', ' Date and Time ', 'dateTime'],
    ['spreadsheets', 'Whole number', 'integer'],
    ['German', 'Ja/Nein', 'boolean'],
    ['German', 'Datum', 'dateTime/date'],
    ['German', 'Zahl', 'double/decimal'],
    ['French', 'Chaîne (40)', 'string 40'],
    ['Spanish', 'Número entero', 'integer'],
    ['the model', 'dateTime', 'dateTime'],
    ['the model', 'local', 'dateTime/local'],
    ['the model', 'integer', 'integer'],
    ['nothing', 'geometry', 'unknown'],
    ['nothing', 'toString', 'unknown'],
    ['nothing', '', 'unknown'],
  ])('of %s is read: %s', (_from, text, type) => {
    expect(shown(text)).toBe(type)
  })

  it('is read in linear time if it is hostile', () => {
    for (const text of [`${'('.repeat(20_000)}`, `enum(${"'".repeat(19_991)})`, `a${')'.repeat(20_000)}`])
      expect(() => readTypeWord(text)).not.toThrow()
  })
})

it('flags are read in the words of four languages, with marks and as spreadsheets write them', () => {
  expect(['yes', 'TRUE', '1', 'x', '✓', 'Ja', 'oui', 'sí', 'WAHR', 'VRAI'].map(readFlag)).not.toContain(false)
  expect(['no', 'FALSE', '0', '', ' ', '-', 'Nein', 'non', 'FALSCH', 'FAUX', 'falso'].map(readFlag)).not.toContain(true)
  expect(['maybe', 'NULL', '2', 'constructor'].map(readFlag)).toEqual([undefined, undefined, undefined, undefined])
  expect(['NULL', 'NOT NULL', 'optional', 'Pflicht', 'yes'].map(readNullable)).toEqual([
    true,
    false,
    true,
    false,
    undefined,
  ])
})

it('lists are split at the strongest separator and keep the others', () => {
  expect(readList('new, done')).toEqual(['new', 'done'])
  expect(readList('new;done, paid;')).toEqual(['new', 'done, paid'])
  expect(readList('a | b;c')).toEqual(['a', 'b;c'])
  expect(readList('a, b\nc\n\n')).toEqual(['a, b', 'c'])
  expect(readList("'a', 'it''s, b'")).toEqual(['a', "it's, b"])
  expect(readList("'a', b")).toEqual(["'a'", 'b'])
})

it('the text of a list is read as the same list', () => {
  for (const list of [
    [],
    ['a'],
    ['a', 'b'],
    ['a,b'],
    ['a,b', 'c'],
    ['a;b', 'c'],
    ['a|b', 'c,d'],
    ['a|b'],
    ["'a'", 'b'],
  ])
    expect(readList(listText(list))).toEqual(list)
})
