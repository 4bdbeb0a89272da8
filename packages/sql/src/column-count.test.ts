import type { DatabaseType } from '@cadmus/model/database-types'
import { aResolvedModel, aKey, aList, anEntity } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { databaseScript } from './script.ts'
import { attribute } from './testing/hard-names.ts'

function notesOf(type: DatabaseType, keys: number, others: number) {
  const keyed = Array.from({ length: keys }, (_, index) => aKey({ name: `key${index}` }))
  const plain = Array.from({ length: others }, (_, index) => attribute(`x${index}`, { dataType: 'integer' }))
  const resolvedModel = aResolvedModel([anEntity({ name: 'Wide', typeAttributes: aList(...keyed, ...plain) })])
  const { notes } = databaseScript(resolvedModel, type, { applyAutoIncrement: false })
  return notes.filter(({ code }) => code.startsWith('columns')).map(({ message }) => message)
}

it('the last columns beyond the limit of a database are left out, with one note', () => {
  expect(notesOf('mysql', 1, 1018)).toEqual([
    "The table 'Wide' has 1019 columns, more than this database allows: 2 are left out, 'x1016' to 'x1017'.",
  ])
  expect(notesOf('mysql', 1, 1017)).toEqual([
    "The table 'Wide' has 1018 columns, more than this database allows: 'x1016' is left out.",
  ])
  expect(notesOf('mysql', 1, 1016)).toEqual([])
})

it('a table whose columns are all needed is kept, with a note on the limit', () => {
  expect(notesOf('mysql', 1018, 0)).toEqual(["The table 'Wide' needs 1018 columns, more than this database allows."])
})

it('a table that has too many columns even without the omitted ones gets both notes', () => {
  expect(notesOf('mysql', 1018, 1)).toEqual([
    "The table 'Wide' has 1019 columns, more than this database allows: 'x0' is left out.",
    "The table 'Wide' needs 1018 columns, more than this database allows.",
  ])
})
