import { alignedModel } from '@cadmus/model/comparison/align'
import { compareModels } from '@cadmus/model/comparison/compare-models'
import { editsToTake } from '@cadmus/model/comparison/take'
import { compareEntities } from '@cadmus/model/compare'
import { applyEntityEdits } from '@cadmus/model/edits/entity-edits'
import {
  aKey,
  aList,
  anEntity,
  anEntityContent,
  aRelationship,
  aResolvedModel,
  aTypeAttribute,
  referenceTo,
} from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { within } from './within.ts'

const count = 10_000

/** Entities of three columns, each the child and target of the one before: one chain of ancestors and one of targets. */
function aChain(depth: number) {
  const first = anEntity({ name: 'E0' })
  const entities = [first]
  for (let index = 1; index < count; index += 1) {
    const previous = entities[index - 1] ?? first
    entities.push(
      anEntity({
        name: `E${index}`,
        extendsEntity: index % depth === 0 ? null : referenceTo(previous),
        typeAttributes: aList(aKey(), aTypeAttribute({ name: `a${index}` })),
        entityAttributes: [
          aRelationship(previous, {
            position: 2,
            foreignKeyTypeAttribute: `r${index}`,
            associatedEntityTypeAttributeUid: previous.typeAttributes[0]?.uid ?? null,
          }),
        ],
      }),
    )
  }
  return entities
}

it('10,000 entities that all differ are compared in linear time, also with copies in another manifest', () => {
  const entities = aChain(10)
  const before = { resolvedModel: aResolvedModel(entities), configuration: undefined }
  const changed = entities.map(entity => ({ ...entity, name: `${entity.name}x`, description: 'changed' }))
  const after = { resolvedModel: aResolvedModel(changed), configuration: undefined }
  expect(within(3000, () => compareModels(before, after)).entities).toHaveLength(count)
  const copies = aResolvedModel(aChain(10))
  const resolvedModel = within(3000, () => alignedModel(copies, before.resolvedModel))
  expect(compareModels(before, { resolvedModel, configuration: undefined }).entities).toEqual([])
})

it('an entity that 10,000 others extend in one chain is compared in linear time', () => {
  const entities = aChain(count)
  const before = { resolvedModel: aResolvedModel(entities), configuration: undefined }
  const changed = entities.map(entity => ({ ...entity, description: 'changed' }))
  const after = { resolvedModel: aResolvedModel(changed), configuration: undefined }
  expect(within(5000, () => compareModels(before, after)).entities).toHaveLength(count)
})

it('5,000 reversed columns are taken over in linear time, together and one of them', () => {
  const typeAttributes = Array.from({ length: 5000 }, (_, position) =>
    aTypeAttribute({ name: `a${position}`, position }),
  )
  const current = anEntityContent({ typeAttributes })
  const other = { ...current, typeAttributes: aList(...typeAttributes.toReversed()) }
  const { edits = [] } = within(3000, () => editsToTake(current, other, 'all'))
  expect(compareEntities(applyEntityEdits(current, edits), other)).toEqual([])
  const [change] = compareEntities(current, other)
  expect(within(1000, () => editsToTake(current, other, change!)).edits).toHaveLength(1)
})
