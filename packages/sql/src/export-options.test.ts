import { type DatabaseType, databaseTypes } from '@cadmus/model/database-types'
import { defaultOf, executedOn, type SqlExport, sqlExportNames } from '@cadmus/model/sql-export'
import { aKey, aList, anEntity, aResolvedModel } from '@cadmus/model/testing/builders'
import { checkScript } from '@cadmus/testing/parsers'
import { isProving } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { databaseScript, databaseStatements } from './script.ts'
import { hardModels } from './testing/hard-models.ts'
import { attribute } from './testing/hard-names.ts'
import { singleOptions } from './testing/single-options.ts'
import { unguarded } from './testing/unguarded.ts'

const models = Object.entries(hardModels)
type Make = () => ReturnType<typeof aResolvedModel>

function scriptOf(make: Make, type: DatabaseType, sqlExport: Partial<SqlExport> = {}): string {
  return databaseScript(make(), type, { applyAutoIncrement: true, sqlExport }).sql
}

function statementsOf(make: Make, type: DatabaseType, sqlExport: Partial<SqlExport> = {}): readonly string[] {
  return databaseStatements(make(), type, { applyAutoIncrement: true, sqlExport }).statements
}

describe.each(models)('Options of the script of %s', (_, make) => {
  it.each(databaseTypes)('with their defaults change nothing: %s', type => {
    const defaults = Object.fromEntries(sqlExportNames.map(name => [name, defaultOf(name)]))
    expect(scriptOf(make, type, defaults)).toBe(scriptOf(make, type))
  })

  it.each(databaseTypes)('leave out exactly what they say: %s', type => {
    const whole = statementsOf(make, type)
    const without = (pattern: RegExp) => whole.filter(statement => !pattern.test(statement))
    const isMysql = type === 'mysql'
    expect(statementsOf(make, type, { indexes: 'off' })).toEqual(
      without(isMysql ? /^ALTER TABLE .*\s+ADD INDEX / : /^CREATE INDEX /),
    )
    expect(statementsOf(make, type, { foreignKeys: 'off' })).toEqual(without(/^ALTER TABLE .*\s+ADD CONSTRAINT /))
    const comments = isMysql
      ? whole.map(statement => statement.replaceAll(/ COMMENT[ =]'(?:[^']|'')*'/g, utcAlone))
      : without(/^COMMENT ON |^EXEC sys\.sp_addextendedproperty /)
    expect(statementsOf(make, type, { comments: 'off' })).toEqual(comments)
    const guarded = statementsOf(make, type, { guards: 'off' })
    expect(guarded.map(statement => statement.replaceAll(inlineCheck, ''))).toEqual(
      whole.map(statement => statement.replaceAll(inlineCheck, '')),
    )
    expect(guarded.join('\n')).not.toMatch(/ CHECK \((?!.*(?:LENGTH|REPLACE))[^\n]* - [^\n]* = 0\)/)
  })
})

describe.each(['oracle', 'mssql'] as const)('Each option of scripts for %s', type => {
  // In full proofs with all models, otherwise with one for each.
  it.each(singleOptions(type))('passes the parser: %s', (name, sqlExport) => {
    const at = singleOptions(type).findIndex(([other]) => other === name)
    for (const [, make] of isProving() ? models : models.slice(at % models.length).slice(0, 1)) {
      // The parser's catalogue has no schemas.
      const { sql, conditions } = unguarded(scriptOf(make, type, sqlExport).replaceAll('"shop".', ''), type)
      expect(checkScript(sql, type)).toEqual([])
      expect(conditions.flatMap(one => checkScript(one, type))).toEqual([])
    }
  })
})

/** A check of a column's type, at the end of its line. */
const inlineCheck = / CHECK \(.*\)(?=,?$)/gm

function utcAlone(comment: string): string {
  return comment.endsWith("[UTC]'") ? " COMMENT '[UTC]'" : ''
}

describe('The script with options', () => {
  const customer = anEntity({
    name: 'OnlineCustomer',
    description: 'Who buys.',
    typeAttributes: aList(
      aKey({ name: 'customerId' }),
      attribute('HTTPAddress', { maxLength: 20, unique: true }),
      attribute('address_2Line', { nullable: true }),
      attribute('address2line', { dataType: 'double', nullable: true }),
    ),
  })
  const make = () => aResolvedModel([customer])

  it('names them below its title, in snake case with a prefix and a schema, and lists the names of the model', () => {
    const sql = scriptOf(make, 'postgresql', { naming: 'snake', schema: 'shop', tablePrefix: 'web_', guards: 'off' })
    expect(sql).toMatch(
      /^-- Database schema of .* for PostgreSQL\n-- Options: naming snake, schema shop, tablePrefix web_, guards off\n\n/,
    )
    expect(sql).toContain('CREATE TABLE "shop"."web_online_customer" (\n  "customer_id" ')
    expect(sql).toContain('CONSTRAINT "uq_web_online_customer_http_address" UNIQUE ("http_address")')
    expect(sql).toContain('COMMENT ON TABLE "shop"."web_online_customer" IS ')
    expect(sql).toContain(
      '-- Names in the model:\n-- web_online_customer = OnlineCustomer\n-- web_online_customer.customer_id = customerId\n',
    )
    expect(sql).not.toContain(' CHECK ')
  })

  it('gives names that become equal a stable hash', () => {
    const sql = scriptOf(make, 'mysql', { naming: 'upper' })
    expect(sql).toMatch(/`ADDRESS_2_LINE`/)
    expect(sql).toMatch(/`ADDRESS2LINE`/)
    const twins = () => aResolvedModel([anEntity({ name: 'orderLine' }), anEntity({ name: 'Order_Line' })])
    const names = [...scriptOf(twins, 'mysql', { naming: 'snake' }).matchAll(/CREATE TABLE (\S+)/g)].map(
      ([, name]) => name,
    )
    expect(names).toEqual(['`order_line`', expect.stringMatching(/^`order_line_[0-9a-f]{8}`$/)])
  })

  it('compares texts as the database does only without its exact collation', () => {
    expect(scriptOf(make, 'mysql', { collation: 'database' })).not.toContain('COLLATE')
    expect(scriptOf(make, 'mssql', { collation: 'database' })).not.toContain('COLLATE')
    expect(scriptOf(make, 'hsql', { collation: 'database' })).not.toContain('SET DATABASE')
    expect(scriptOf(make, 'postgresql', { collation: 'database' })).toBe(scriptOf(make, 'postgresql'))
  })

  it('has the types and defaults of its keys, texts and instants', () => {
    const log = anEntity({
      name: 'Log',
      typeAttributes: aList(
        aKey({ name: 'id' }),
        attribute('at', { dataType: 'dateTime', format: 'instant', defaultKind: 'now' }),
        attribute('since', { dataType: 'dateTime', format: 'instant', defaultValue: '2026-01-31T10:00:00Z' }),
        attribute('text'),
      ),
    })
    const token = anEntity({
      name: 'Token',
      typeAttributes: aList(aKey({ name: 'id', dataType: 'string', format: 'guid' })),
    })
    const all = () => aResolvedModel([log, token])
    const of = (options: Partial<SqlExport>) => scriptOf(all, 'postgresql', options)
    expect(of({ generatedKeys: 'serial' })).toContain('"id" BIGSERIAL NOT NULL')
    expect(of({ generatedKeys: 'none' })).toContain('"id" BIGINT NOT NULL')
    expect(of({ uuidKeys: 'default' })).toContain('"id" UUID DEFAULT gen_random_uuid() NOT NULL')
    expect(of({ text: '1000' })).toContain('"text" VARCHAR(1000) NOT NULL')
    expect(of({ text: '7' })).toContain('"text" VARCHAR(7) NOT NULL')
    const utc = of({ instants: 'utc', guards: 'off' })
    expect(utc).toContain(`"at" TIMESTAMP DEFAULT (CURRENT_TIMESTAMP AT TIME ZONE 'UTC') NOT NULL`)
    expect(utc).toContain(`"since" TIMESTAMP DEFAULT TIMESTAMP '2026-01-31 10:00:00' NOT NULL`)
    expect(scriptOf(all, 'mysql', { generatedKeys: 'serial' })).toBe(scriptOf(all, 'mysql'))
  })

  it('gives texts no length that is shorter than their default value, and checks one beyond the longest VARCHAR', () => {
    const note = anEntity({
      name: 'Note',
      typeAttributes: aList(aKey({ name: 'id' }), attribute('text', { defaultValue: 'none yet' }), attribute('other')),
    })
    const of = (type: DatabaseType, text: string) => scriptOf(() => aResolvedModel([note]), type, { text })
    expect(of('postgresql', '4')).toContain(`"text" VARCHAR(8) DEFAULT 'none yet' NOT NULL`)
    expect(of('postgresql', '4')).toContain('"other" VARCHAR(4) NOT NULL')
    expect(of('oracle', '5000')).toContain('"other" CLOB NOT NULL CHECK (LENGTH("other") <= 5000)')
  })

  it('for one kind of server has no conditional comments', () => {
    expect(scriptOf(make, 'mysql', { mysql: 'mysql' })).toContain(
      ' CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin COMMENT=',
    )
    expect(scriptOf(make, 'mysql', { mysql: 'mariadb' })).toContain(
      ' CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin COMMENT=',
    )
  })

  it('is executed by tests, except for the kind of server that tests have not', () => {
    expect([executedOn('mysql', {}), executedOn('mysql', { mysql: 'mysql' }), executedOn('oracle', {})]).toEqual([
      'MariaDB 10.11',
      null,
      null,
    ])
  })

  it('sets comments in its schema on SQL Server', () => {
    expect(scriptOf(make, 'mssql', { schema: 'shop' })).toContain("@level0name = N'shop', @level1type = N'TABLE'")
  })
})
