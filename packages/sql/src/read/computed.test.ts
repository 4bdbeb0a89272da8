import { describe, expect, it } from 'vitest'
import type { ScriptDatabase } from '../databases.ts'
import { databaseTypes } from '@cadmus/model/database-types'
import { databaseScript } from '../script.ts'
import { hardModels } from '../testing/hard-models.ts'
import { readScript } from './script.ts'

function columnsOf(script: string, dialect: ScriptDatabase) {
  const { tables, remarks } = readScript(script, dialect)
  const columns = tables.flatMap(table => table.columns)
  return { columns, remarks: remarks.map(({ line, kind, message }) => `${line} ${kind}: ${message}`) }
}

describe('A computed default', () => {
  it.each<[dialect: ScriptDatabase, type: string, written: string, kind: string]>([
    ['postgresql', 'timestamptz', 'now()', 'now'],
    ['postgresql', 'timestamptz', 'CURRENT_TIMESTAMP(3)', 'now'],
    ['postgresql', 'timestamp', '(LOCALTIMESTAMP)', 'now'],
    ['postgresql', 'timestamptz', `timezone('utc'::text, now())`, 'now'],
    ['postgresql', 'date', `('now'::text)::date`, 'today'],
    ['postgresql', 'date', 'now()::date', 'today'],
    ['postgresql', 'date', 'CURRENT_DATE', 'today'],
    ['postgresql', 'uuid', 'public.uuid_generate_v4()', 'uuid'],
    ['postgresql', 'uuid', 'gen_random_uuid()', 'uuid'],
    ['mysql', 'timestamp(6)', 'CURRENT_TIMESTAMP(6)', 'now'],
    ['mysql', 'datetime', 'current_timestamp()', 'now'],
    ['mysql', 'datetime', 'NOW()', 'now'],
    ['mysql', 'date', '(curdate())', 'today'],
    ['mysql', 'char(36) character set ascii', '(uuid())', 'uuid'],
    ['mssql', 'datetime', '(getdate())', 'now'],
    ['mssql', 'datetimeoffset', '(sysdatetimeoffset())', 'now'],
    ['mssql', 'date', '(CONVERT([date],getdate()))', 'today'],
    ['mssql', 'date', '(getdate())', 'today'],
    ['mssql', 'date', '(CONVERT([varchar](10),getdate(),(112)))', 'today'],
    ['mssql', 'date', '(CONVERT([date],CONVERT([varchar](10),getdate(),(112)),(0)))', 'today'],
    ['postgresql', 'timestamp(0)', `('now'::text)::timestamp(0) without time zone`, 'now'],
    ['mssql', 'uniqueidentifier', '(newsequentialid())', 'uuid'],
    ['mssql', 'uniqueidentifier', 'NEWID()', 'uuid'],
    ['oracle', 'date', 'SYSDATE', 'now'],
    ['oracle', 'date', 'CURRENT_DATE', 'now'],
    ['oracle', 'timestamp with time zone', 'SYSTIMESTAMP', 'now'],
    ['hsql', 'timestamp', 'NOW()', 'now'],
    ['hsql', 'date', 'TODAY', 'today'],
  ])('of %s as %s is %s', (dialect, type, written, kind) => {
    const { columns, remarks } = columnsOf(`CREATE TABLE t (a ${type} DEFAULT ${written} NOT NULL)`, dialect)
    expect(columns).toMatchObject([{ defaultKind: kind, defaultValue: null, nullable: false }])
    expect(remarks.filter(text => text.includes('default'))).toEqual([])
  })

  it.each<[dialect: ScriptDatabase, type: string, written: string]>([
    ['postgresql', 'timestamp', 'now()::date'],
    ['postgresql', 'timestamp', `('now'::text)::date`],
    ['postgresql', 'timestamptz', 'CURRENT_TIMESTAMP::date'],
    ['mssql', 'datetime', '(CONVERT([varchar],getdate(),(112)))'],
    ['mssql', 'datetime', '(CONVERT([varchar](10),getdate(),(112)))'],
    ['mssql', 'datetime', '(CONVERT([date],CURRENT_TIMESTAMP))'],
    ['postgresql', 'timestamptz', `now() + '1 day'::interval`],
    ['postgresql', 'text', 'now()'],
    ['mssql', 'datetime', '(CONVERT([date],getdate()))'],
    ['mssql', 'datetime', '(dateadd(day,(1),getdate()))'],
    ['oracle', 'date', 'TRUNC(SYSDATE)'],
    ['mysql', 'varchar(32)', `(replace(uuid(),'-',''))`],
  ])('of %s for a %s is no %s: it is lost with a line', (dialect, type, written) => {
    const { columns, remarks } = columnsOf(`CREATE TABLE t (a ${type} DEFAULT ${written})`, dialect)
    expect(columns).toMatchObject([{ defaultKind: 'literal', defaultValue: null }])
    expect(remarks.filter(text => text.includes('1 lost: The default value'))).toHaveLength(1)
  })

  it('tells whether the times of a column are in UTC', () => {
    const formatOf = (written: string) =>
      columnsOf(`CREATE TABLE t (a datetime2 DEFAULT ${written})`, 'mssql').columns[0]?.format
    expect(['getutcdate()', 'sysdatetime()'].map(formatOf)).toEqual([null, 'local'])
  })

  it('makes a text of 36 characters a guid', () => {
    const { columns, remarks } = columnsOf('CREATE TABLE t (a varchar(36) DEFAULT (uuid()))', 'mysql')
    expect(columns).toMatchObject([{ format: 'guid', maxLength: null, defaultKind: 'uuid' }])
    expect(remarks).toEqual([`1 changed: 'a' is by default a UUID: it is imported as a guid.`])
  })

  it('is not what a column gets with each update', () => {
    const script = 'CREATE TABLE t (a timestamp DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP)'
    const { columns, remarks } = columnsOf(script, 'mysql')
    expect(columns[0]?.defaultKind).toBe('now')
    expect(remarks).toEqual([`1 lost: ON UPDATE of 'a' is ignored.`])
  })

  it.each(databaseTypes)('is read from scripts for %s as it was written', type => {
    const { sql } = databaseScript(hardModels['computed-defaults']!(), type, { applyAutoIncrement: true })
    const { columns, remarks } = columnsOf(sql, type)
    const kinds = Object.fromEntries(columns.map(({ name, defaultKind }) => [name, defaultKind]))
    const uuid = type === 'hsql' ? 'literal' : 'uuid'
    const utc = type === 'hsql' ? 'literal' : 'now'
    expect(kinds).toMatchObject({ heard: 'now', stored: utc, opens: 'now', day: 'today', token: uuid, hour: 'literal' })
    expect(remarks.filter(text => !text.includes(' note: '))).toEqual([])
  })
})
