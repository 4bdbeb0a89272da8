import { describe, expect, it } from 'vitest'
import { readScript } from './script.ts'

function column(script: string, name: string) {
  const found = readScript(script)
    .tables.flatMap(({ columns }) => columns)
    .find(one => one.name === name)
  if (!found) throw new Error(`There is no column ${name}.`)
  return found
}

describe('A script is read', () => {
  it("with Oracle's whole numbers, whose scale its own tools write", () => {
    const script = `CREATE TABLE "HR"."DEPT" ("A" NUMBER(5,0) NOT NULL ENABLE, "B" NUMBER(10,0), "C" NUMBER(19,0), "D" NUMBER(*,0),
      "E" NUMBER(10,2), "F" NUMBER(25,0), CONSTRAINT "PK" PRIMARY KEY ("A"));`
    const formats = [...'ABCDEF']
      .map(name => column(script, name))
      .map(one => [one.dataType, one.format, one.precision, one.scale])
    expect(formats).toEqual([
      ['integer', 'int16', null, null],
      ['integer', 'int32', null, null],
      ['integer', null, null, null],
      ['integer', null, null, null],
      ['double', null, 10, 2],
      ['double', null, 25, 0],
    ])
    expect(readScript(script).remarks.map(({ message }) => message)).toEqual([
      expect.stringContaining('a whole number of up to 38 digits is taken as one of 64 bits'),
    ])
    const own = `-- Database schema of Shop for Oracle\n${script}`
    expect(column(own, 'B')).toMatchObject({ dataType: 'double', precision: 10, scale: 0 })
  })

  it('with what is changed afterwards as the database has it then, and without what is dropped', () => {
    const mysql =
      "CREATE TABLE `a` (`id` int PRIMARY KEY, `k` varchar(20) NOT NULL DEFAULT 'b'); ALTER TABLE `a` MODIFY `k` varchar(9);"
    expect(column(mysql, 'k')).toMatchObject({ nullable: true, defaultValue: null, maxLength: 9 })
    const oracle = "CREATE TABLE a (k VARCHAR2(20) DEFAULT 'b' NOT NULL); ALTER TABLE a MODIFY (k VARCHAR2(9));"
    expect(column(oracle, 'k')).toMatchObject({ nullable: false, defaultValue: 'b', maxLength: 9 })
    const mssql = 'CREATE TABLE [a] ([k] [int] NOT NULL)\nGO\nALTER TABLE [a] ALTER COLUMN [k] [bigint]\nGO\n'
    expect(column(mssql, 'k')).toMatchObject({ nullable: true, format: null })
    const { tables } = readScript(
      'CREATE TABLE a (b int); CREATE TABLE c (d int); DROP TABLE IF EXISTS a, nothing; CREATE TABLE A (e int);',
    )
    expect(tables.map(({ name, columns }) => [name, columns.map(one => one.name)])).toEqual([
      ['c', ['d']],
      ['A', ['e']],
    ])
  })
})
