import { aResolvedModel, aKey, aList, anEntity } from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { expect, it } from 'vitest'
import { databaseScript } from './script.ts'
import { attribute } from './testing/hard-names.ts'

/**
 * The script of a table with the given number of attributes, whose names have fifty characters; counts its notes by
 * code.
 */
function scriptOf(count: number, given: Partial<TypeAttribute>) {
  const attributes = Array.from({ length: count }, (_, index) =>
    attribute(`${'x'.repeat(46)}${String(index).padStart(4, '0')}`, given),
  )
  const resolvedModel = aResolvedModel([anEntity({ name: 'Wide', typeAttributes: aList(aKey(), ...attributes) })])
  const { sql, notes } = databaseScript(resolvedModel, 'mysql', { applyAutoIncrement: true })
  const counts = Object.fromEntries(
    Map.groupBy(notes, note => note.code)
      .entries()
      .map(([code, all]) => [code, all.length]),
  )
  return { counts, checks: sql.match(/ CHECK \(/g)?.length ?? 0 }
}

it('a definition that is too long checks as many lengths as fit and notes the others', () => {
  const { counts, checks } = scriptOf(600, { maxLength: 255, nullable: true })
  const { lengthAsCheck = 0, lengthUnchecked = 0 } = counts
  expect(checks).toBe(lengthAsCheck)
  expect(lengthAsCheck).toBeGreaterThan(100)
  expect(lengthUnchecked).toBeGreaterThan(200)
})

it('a definition whose names alone are too long omits the last columns', () => {
  expect(scriptOf(1016, { dataType: 'integer', nullable: true }).counts).toMatchObject({ columnsLeftOut: 1 })
  expect(scriptOf(900, { dataType: 'integer', nullable: true }).counts).not.toHaveProperty('columnsLeftOut')
})
