import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import type { ImportedEntity } from '@cadmus/formats/imported-model'
import { expect, it } from 'vitest'
import { PackedEntities } from './packed-entities.ts'

function entityOf(index: number, attributes: number): ImportedEntity {
  return {
    name: `Entität "${index}" \ud83d`,
    corpusPath: `/a/${index}.cdm.json/E`,
    description: 'Zwei\nZeilen \u0000 🙂',
    extendsEntity: index === 0 ? null : '/a/0.cdm.json/E',
    referenceImportPaths: ['/x.cdm.json'],
    groups: [],
    checks: [],
    traits: [
      { traitReference: 't', arguments: [{ name: 'n', value: 1.5 }, null, true] },
      JSON.parse('{"__proto__":{"a":1}}'),
    ],
    typeAttributes: Array.from({ length: attributes }, (_, position) =>
      newTypeAttribute({ name: `a${position}`, position }),
    ),
    entityAttributes: [
      newEntityAttribute({
        associatedEntity: { id: -1, name: 'E', path: '/a/0.cdm.json/E' },
        associatedEntityTypeAttribute: 'a0',
        foreignKeyTypeAttribute: 'key',
        position: attributes,
      }),
    ],
    uid: null,
    copiedFrom: null,
    version: null,
  }
}

const budgets = [
  ['all of it plain', [24_000_000]],
  ['the first of it plain', [10_000]],
  ['nothing plain', [0]],
] as const

it.each(budgets)('packed entities are restored unchanged and in order, of any size: %s', (_, input) => {
  const entities = [3, 0, 5000, 249, 250, 1, 1].map((attributes, index) => entityOf(index, attributes))
  const packed = new PackedEntities(...input)
  for (const entity of entities) packed.add(entity)
  expect(packed.size).toBe(entities.length)
  expect(packed.places[0]).toEqual({
    name: entities[0]?.name,
    corpusPath: '/a/0.cdm.json/E',
    extendsEntity: null,
    uid: null,
    columns: [
      ...(entities[0]?.typeAttributes ?? []).flatMap(({ name, uid }) => [name, uid]),
      'key',
      entities[0]?.entityAttributes[0]?.uid,
    ],
  })
  expect([...packed.unpacked()]).toEqual(entities)
})
