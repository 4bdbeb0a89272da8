import type { DatabaseType } from '@cadmus/model/database-types'
import { aClosure, aKey, aList, anEntity } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { databaseScript } from './script.ts'
import { attribute } from './testing/hard-names.ts'

function leftOut(type: DatabaseType, keys: number, others: number) {
  const keyed = Array.from({ length: keys }, (_, index) => aKey({ name: `key${index}` }))
  const plain = Array.from({ length: others }, (_, index) => attribute(`x${index}`, { dataType: 'integer' }))
  const closure = aClosure([anEntity({ name: 'Wide', typeAttributes: aList(...keyed, ...plain) })])
  const { notes } = databaseScript(closure, type, { applyAutoIncrement: false })
  return notes.filter(({ code }) => code.startsWith('columns')).map(({ message }) => message)
}

it('of more columns than the database takes the last that nobody needs are left out, which one note says', () => {
  expect(leftOut('mysql', 1, 1018)).toEqual([
    "The table 'Wide' has 1019 columns, more than this database allows: 2 are left out, 'x1016' to 'x1017'.",
  ])
  expect(leftOut('mysql', 1, 1017)).toEqual([
    "The table 'Wide' has 1018 columns, more than this database allows: 'x1016' is left out.",
  ])
  expect(leftOut('mysql', 1, 1016)).toEqual([])
})

it('where every column is needed nothing is left out, and the note says that there are too many', () => {
  expect(leftOut('mysql', 1018, 0)).toEqual(["The table 'Wide' needs 1018 columns, more than this database allows."])
})

it('where leaving out what nobody needs is not enough, both are told', () => {
  expect(leftOut('mysql', 1018, 1)).toEqual([
    "The table 'Wide' has 1019 columns, more than this database allows: 'x0' is left out.",
    "The table 'Wide' needs 1018 columns, more than this database allows.",
  ])
})
