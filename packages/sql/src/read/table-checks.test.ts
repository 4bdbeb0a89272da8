import { describe, expect, it } from 'vitest'
import type { ScriptDatabase } from '../databases.ts'
import { summaryOf } from '../testing/read-summary.ts'

const columns =
  'a int NOT NULL, b int, price decimal(10,2), code varchar(20) NOT NULL, note varchar(40), born date, at timestamp'

/** The checks of the last table, and the remarks. */
function checksOf(checks: string, database: ScriptDatabase = 'postgresql', own = columns) {
  const { tables, remarks } = summaryOf(`CREATE TABLE t (${own}, ${checks});`, database)
  return { checks: (tables.at(-1) ?? '').split(', check').slice(1), remarks }
}

describe('Checks of rows', () => {
  it.each<[string, string, ScriptDatabase?]>([
    ['CHECK (a > b)', ' (a > b)'],
    ['CONSTRAINT positive CHECK (price >= 0)', ' positive (price >= 0)'],
    ['CONSTRAINT ck_t_a_b CHECK (a <> b)', ' (a <> b)'],
    ['CHECK (((price >= (0)::numeric) AND ((b IS NULL) OR (b < a))))', ' (price >= 0 and (b is null or b < a))'],
    ['CHECK (price BETWEEN 1 AND 5)', ' (price >= 1 and price <= 5)'],
    ['CHECK (NOT a IN (1, 2) OR b NOT IN (3))', ' (a not in (1, 2) or b not in (3))'],
    ['CHECK (char_length(btrim(code)) > 2)', ' (length(trim(code)) > 2)'],
    ["CHECK (TRIM(BOTH FROM code) <> '')", " (trim(code) <> '')"],
    ['CHECK (a - b + 1 > 2 * a)', ' (a - b + 1 > 2 * a)'],
    ["CHECK (code || '-' <> 'x-')", " (concat(code, '-') <> 'x-')"],
    ["CHECK (code + N'-' <> N'x-')", " (concat(code, '-') <> 'x-')", 'mssql'],
    ["CHECK (born >= DATE '1900-01-01' AND born < at)", '', 'postgresql'],
    ["CHECK (born >= DATE '1900-01-01' OR b IS NULL)", " (born >= '1900-01-01' or b is null)"],
    ['CHECK (EXTRACT(YEAR FROM born) > 1900)', ' (year(born) > 1900)'],
    ["CHECK (date_part('month'::text, born) = 1::double precision AND a > 0)", ' (month(born) = 1 and a > 0)'],
    ['CHECK (YEAR(born) > 1900 AND ISNULL(b, 0) < 1)', '', 'mssql'],
    ['CHECK (IFNULL(b, 0) < 1)', ' (coalesce(b, 0) < 1)', 'mysql'],
    ['CHECK (a / 2 > b)', ''],
    ['CHECK (code < note)', ''],
    ['CHECK (a % 2 = 0)', ''],
    ['CHECK (random() > a)', ''],
  ])('%s is read as%s', (check, expected, database) => {
    const { checks, remarks } = checksOf(check, database)
    expect(checks).toEqual(expected === '' ? [] : [expected])
    expect(remarks.filter(remark => remark.includes('check'))).toHaveLength(expected === '' ? 1 : 0)
  })

  it('are read where a column or ALTER declares them, and go with DROP CONSTRAINT', () => {
    const { tables } = summaryOf(
      `CREATE TABLE t (a int CHECK (a > 0), b int);
       ALTER TABLE t ADD CONSTRAINT later CHECK (a < b);
       ALTER TABLE t ADD CONSTRAINT gone CHECK (a < 5);
       ALTER TABLE t DROP CONSTRAINT gone;
       ALTER TABLE t RENAME COLUMN b TO c;`,
      'postgresql',
    )
    expect(tables).toEqual(['t: a int32, b int32'.replace('b', 'c') + ', check (a > 0), check later (a < c)'])
  })

  it('a list of values of one column remains its choices', () => {
    const { tables } = summaryOf("CREATE TABLE t (code varchar(20) CHECK (code IN ('a', 'b')));", 'postgresql')
    expect(tables).toEqual(['t: code string(20) in a|b'])
  })
})
