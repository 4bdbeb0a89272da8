import { readDataModel } from '@cadmus/formats/data-model/read'
import { writeDataModel } from '@cadmus/formats/data-model/write'
import { applyEntityEdits, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import { entityProblems } from '@cadmus/model/rules/entity'
import {
  aResolvedModel,
  aKey,
  aList,
  anEntity,
  anEntityContent,
  aRelationship,
  aTypeAttribute,
  referenceTo,
} from '@cadmus/model/testing/builders'
import { validate } from '@cadmus/model/validate'
import { expect, it } from 'vitest'
import { within } from './within.ts'

const attributes = Array.from({ length: 5000 }, (_, position) => aTypeAttribute({ name: `a${position}`, position }))

it('5,000 attributes are validated in linear time', () => {
  expect(within(1000, () => entityProblems(anEntityContent({ typeAttributes: attributes })))).toEqual([])
})

it('edits of 5,000 changed attributes are computed and applied in linear time', () => {
  const before = anEntityContent({ typeAttributes: attributes })
  const after = { ...before, typeAttributes: attributes.map(item => ({ ...item, name: `${item.name}x` })) }
  expect(within(2000, () => applyEntityEdits(before, entityEditsBetween(before, after)))).toEqual(after)
})

it('1,000 entities of 40 attributes, in chains of ten, are validated in linear time', () => {
  const entities = Array.from({ length: 1000 }, (_, index) =>
    anEntity({
      name: `Thing${index}`,
      typeAttributes: aList(
        aKey({ name: `key${index}`, unique: true, purpose: index % 10 === 0 ? 'identifiedBy' : 'hasA' }),
        ...Array.from({ length: 39 }, (_each, n) => aTypeAttribute({ name: `a${index}x${n}` })),
      ),
    }),
  )
  const chained = entities.map((entity, index) => {
    const parent = index % 10 === 0 ? undefined : entities[index - 1]
    const relationship = aRelationship(entities[(index * 7) % 1000] ?? entity, {
      position: 40,
      associatedEntityTypeAttribute: `key${(index * 7) % 1000}`,
      foreignKeyTypeAttribute: `r${index}`,
    })
    return { ...entity, extendsEntity: parent ? referenceTo(parent) : null, entityAttributes: [relationship] }
  })
  const model = aResolvedModel(chained)
  expect(within(5000, () => validate(model))).toEqual([])
})

it('10,000 references to a data model of 20,000 properties are read in linear time', () => {
  const many = (count: number, made: (index: number) => object[]) =>
    JSON.stringify({
      name: 'M',
      type: 'model',
      gloopProperties: Array.from({ length: count }, (_, at) => made(at)).flat(),
    })
  const record = { type: 'model', reference: 'x.models.Wide' }
  const files = new Map([
    ['x/models/Wide.model', many(20_000, at => [{ name: `w${at}`, type: 'date' }])],
    ['x/models/Many.model', many(10_000, at => [{ name: `f${at}` }, { name: `r${at}`, ...record }])],
  ])
  expect(within(5000, () => readDataModel(files)).entities[0]?.entityAttributes).toHaveLength(10_000)
})

it('a data model with a chain of 3,000 keys is written in linear time', () => {
  const first = anEntity({ name: 'E0', typeAttributes: [aKey()] })
  const entities = [first]
  for (let index = 1; index < 3000; index += 1) {
    const key = aRelationship(entities[index - 1] ?? first, {
      foreignKeyTypeAttribute: 'id',
      foreignKeyPurpose: 'identifiedBy',
      associatedEntityTypeAttribute: 'id',
    })
    entities.push(anEntity({ name: `E${index}`, typeAttributes: [], entityAttributes: [key] }))
  }
  const model = aResolvedModel(entities.toReversed())
  const { files } = within(5000, () => writeDataModel(model, { applyJoin: true }))
  const written = [...files].find(([path]) => path.endsWith('/models/E2999.model'))
  expect(JSON.parse(written?.[1] ?? '')).toMatchObject({ gloopProperties: [{ name: 'id', type: 'integer' }, {}] })
})
