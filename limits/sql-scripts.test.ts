import { databaseTypes } from '@cadmus/model/database-types'
import type { EntityNode } from '@cadmus/model/entity'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { databaseScript, databaseStatements } from '@cadmus/sql/script'
import { expect, it } from 'vitest'
import { within } from './within.ts'

const length = 100_000
const texts = ['0', ' ', "'", '\\', '\n', '$(', '😀', '\0'].map(word => `${word.repeat(length / word.length)}x`)

it.each(databaseTypes)(
  '%s: names, defaults, choices and descriptions of 100,000 characters are written in linear time',
  type => {
    for (const text of texts) {
      const attributes = (['string', 'double', 'object'] as const).map(dataType =>
        aTypeAttribute({ name: `${text}${dataType}`, dataType, defaultValue: text }),
      )
      const decimal = aTypeAttribute({ name: 'decimal', dataType: 'double', format: 'decimal', defaultValue: text })
      const chosen = aTypeAttribute({ name: 'chosen', choices: [text, 'b'] })
      const entity = anEntity({
        name: text,
        description: text,
        typeAttributes: aList(aKey(), ...attributes, decimal, chosen),
      })
      const script = within(10_000, () => databaseScript(aResolvedModel([entity]), type, { applyAutoIncrement: true }))
      expect(script.sql).toContain('CREATE TABLE')
    }
  },
)

it('10,000 tables in a chain of keys get the type and length of the last key', () => {
  const chain = chainOf(10_000)
  const { schema, notes } = within(10_000, () =>
    databaseStatements(aResolvedModel(chain), 'postgresql', { applyAutoIncrement: true }),
  )
  const types = schema.tables.map(({ columns }) => columns.find(({ name }) => name === 'code')?.type)
  expect(types.every(type => type?.kind === 'varchar' && type.length === 335)).toBe(true)
  expect(notes).toHaveLength(chain.length)
})

/**
 * A chain of tables with the same key, first table first. The last table splits the length of its key between two
 * strings.
 */
function chainOf(length: number): EntityNode[] {
  const given = { dataType: 'string', maxLength: 600 } as const
  const keys = aList(aKey({ ...given, name: 'code', unique: true }), aKey({ ...given, name: 'other', maxLength: 300 }))
  const chain = [anEntity({ typeAttributes: keys })]
  for (let target = chain[0]; target && chain.length < length; target = chain.at(-1)) {
    const link = aRelationship(target, {
      associatedEntityTypeAttribute: 'code',
      foreignKeyTypeAttribute: 'code',
      foreignKeyPurpose: 'identifiedBy',
      foreignKeyDataType: 'string',
    })
    chain.push(anEntity({ typeAttributes: [], entityAttributes: [link] }))
  }
  return chain.toReversed()
}
