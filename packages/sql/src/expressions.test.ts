import { aClosure, aKey, aList, anEntity } from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { expect, it } from 'vitest'
import { databaseScript } from './script.ts'
import { attribute } from './testing/hard-names.ts'

/** The script of a table of so many attributes under names of fifty characters, and how often each note is in it. */
function scriptOf(count: number, given: Partial<TypeAttribute>) {
  const attributes = Array.from({ length: count }, (_, index) =>
    attribute(`${'x'.repeat(46)}${String(index).padStart(4, '0')}`, given),
  )
  const closure = aClosure([anEntity({ name: 'Wide', typeAttributes: aList(aKey(), ...attributes) })])
  const { sql, notes } = databaseScript(closure, 'mysql', { applyAutoIncrement: true })
  const counts = Object.fromEntries(
    Map.groupBy(notes, note => note.code)
      .entries()
      .map(([code, all]) => [code, all.length]),
  )
  return { counts, checks: sql.match(/ CHECK \(/g)?.length ?? 0 }
}

it('of a definition that is too long the lengths of texts are checked as far as there is room, and told where they are not', () => {
  const { counts, checks } = scriptOf(600, { maxLength: 255, nullable: true })
  const { lengthAsCheck = 0, lengthUnchecked = 0 } = counts
  expect(checks).toBe(lengthAsCheck)
  expect(lengthAsCheck).toBeGreaterThan(100)
  expect(lengthUnchecked).toBeGreaterThan(200)
})

it('names alone that are longer than a definition may be leave out the last columns', () => {
  expect(scriptOf(1016, { dataType: 'integer', nullable: true }).counts).toMatchObject({ columnsLeftOut: 1 })
  expect(scriptOf(900, { dataType: 'integer', nullable: true }).counts).not.toHaveProperty('columnsLeftOut')
})
