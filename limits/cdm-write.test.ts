import { writeCdm } from '@cadmus/formats/cdm/write'
import { resolveModel, type ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityNode } from '@cadmus/model/entity'
import type { ManifestNode } from '@cadmus/model/manifest'
import {
  aResolvedModel,
  aKey,
  aList,
  aManifest,
  anEntity,
  aRelationship,
  aTypeAttribute,
  referenceTo,
} from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { within } from './within.ts'

// Checks that writing is linear in the size of the model. The generous time limits detect hangs only.

const long = 'x'.repeat(100_000)
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
/** Distinct names that become equal once invalid characters are removed. */
const dots = (index: number) => '.'.repeat(1 + (index % 1000)) + '-/'.repeat(index / 1000)
const controls = (index: number) => `${'\u0001'.repeat(1_000)}${index}`

it.each<[string, () => ResolvedModel]>([
  [
    'names, descriptions and choices of 100,000 characters',
    () => {
      const target = anEntity({ name: long, typeAttributes: aList(aKey({ name: long })) })
      const text = aTypeAttribute({ name: `${long}y`, description: long, choices: [long, `${long}z`] })
      const relationship = aRelationship(target, {
        foreignKeyTypeAttribute: `${long}k`,
        description: long,
        position: 2,
      })
      const entity = anEntity({
        name: `${long}2`,
        typeAttributes: aList(aKey(), text),
        entityAttributes: [relationship],
      })
      const root = aManifest({ name: long, description: long, entities: listing(target, entity) })
      return modelOf([root], [target, entity])
    },
  ],
  [
    '15,000 entities whose names become equal',
    () => aResolvedModel(many(15_000, at => anEntity({ name: dots(at), typeAttributes: [] }))),
  ],
  [
    '5,000 attributes whose names become equal',
    () => aResolvedModel([anEntity({ typeAttributes: columns(5_000, controls) })]),
  ],
  [
    '20,000 references to 20,000 attributes with replaced names',
    () => {
      const target = anEntity({ name: 'Target', typeAttributes: columns(20_000, at => `a/${at}`) })
      const entityAttributes = many(20_000, at =>
        aRelationship(target, {
          associatedEntityTypeAttribute: `A/${at}`,
          foreignKeyTypeAttribute: `k${at}`,
          position: at,
        }),
      )
      return aResolvedModel([target, anEntity({ name: 'Source', typeAttributes: [], entityAttributes })])
    },
  ],
  [
    '2,000 entities of one name that extend each other, each in its own manifest',
    () => {
      const line: EntityNode[] = []
      for (let at = 0; at < 2_000; at++) {
        const parent = line.at(-1)
        line.push(anEntity({ name: 'Same', extendsEntity: parent ? referenceTo(parent) : null, typeAttributes: [] }))
      }
      return nested(line)
    },
  ],
  ['sub-manifests 5,000 deep', () => nested(many(5_000, at => anEntity({ name: `E${at}`, typeAttributes: [] })))],
])('writeCdm is linear for %s', (_, make) => {
  const model = make()
  const { files } = within(15_000, () => writeCdm(model))
  expect(files.size).toBeGreaterThan(model.entities.length)
})

function columns(count: number, name: (index: number) => string) {
  return aList(aKey(), ...many(count, at => aTypeAttribute({ name: name(at) })))
}

function listing(...entities: readonly EntityNode[]) {
  return entities.map(({ id }) => ({ id, type: 'EXCLUSIVE' as const }))
}

/** A chain of manifests with one entity each. */
function nested(entities: readonly EntityNode[]): ResolvedModel {
  const manifests: ManifestNode[] = []
  for (const [at, entity] of entities.toReversed().entries()) {
    const below = manifests.at(-1)
    manifests.push(aManifest({ name: `M${at}`, entities: listing(entity), subManifests: below ? [below.id] : [] }))
  }
  return modelOf(manifests.toReversed(), entities)
}

function modelOf(manifests: readonly ManifestNode[], entities: readonly EntityNode[]): ResolvedModel {
  const [root] = manifests
  if (!root) throw new Error('A model has a manifest.')
  return resolveModel(root, {
    manifests: new Map(manifests.map(one => [one.id, one])),
    entities: new Map(entities.map(one => [one.id, one])),
  })
}
