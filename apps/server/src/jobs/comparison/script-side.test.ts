import { aKey, aList, anEntity, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { unpairedOf } from './script-side.ts'

const tables = (prefix: string, count: number, columns: readonly string[]) =>
  Array.from({ length: count }, (_, at) => {
    const attributes = columns.map(name => aTypeAttribute({ uid: `${prefix}${at}.${name}`, name }))
    return anEntity({
      id: at + 1,
      uid: `${prefix}${at}`,
      name: `${prefix}${at}`,
      typeAttributes: aList(aKey({ uid: `${prefix}${at}.id` }), ...attributes),
    })
  })

const sizeOf = (value: unknown) => JSON.stringify(value).length

it('answers few candidates of many tables, the most alike first', () => {
  const alike = anEntity({
    id: 5000,
    uid: 'alike',
    name: 'Alike',
    typeAttributes: aList(aKey({ uid: 'k' }), aTypeAttribute({ uid: 'city', name: 'CITY' })),
  })
  const model = aResolvedModel([...tables('now', 3000, ['name']), alike])
  const unpaired = unpairedOf(aResolvedModel(tables('old', 2000, ['city'])), model)
  expect(unpaired).toHaveLength(500)
  expect(unpaired[0]).toMatchObject({ table: 'old0', suggested: 'alike' })
  expect(unpaired[0]?.candidates[0]).toEqual({ uid: 'alike', name: 'Alike' })
  expect(sizeOf(unpaired)).toBeLessThan(2_000_000)
})

it('answers few candidates of many columns, the suggested one first', () => {
  const names = Array.from({ length: 900 }, (_, at) => `column${at}`)
  const [before] = tables('same', 1, names)
  const [after] = tables(
    'same',
    1,
    names.map(name => `new_${name}`),
  )
  if (!before || !after) throw new Error('There is a table.')
  const unpaired = unpairedOf(aResolvedModel([before]), aResolvedModel([after]))
  expect(unpaired).toHaveLength(500)
  expect(unpaired[7]).toMatchObject({ column: 'column7', suggested: 'same0.new_column7' })
  expect(unpaired[7]?.candidates[0]?.name).toBe('new_column7')
  expect(sizeOf(unpaired)).toBeLessThan(2_000_000)
})
