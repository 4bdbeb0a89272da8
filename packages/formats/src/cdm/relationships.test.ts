import { beforeAll, describe, expect, it } from 'vitest'
import { hasSharedCdm, sharedFolder } from '../testing/shared-cdm.ts'
import { folderOfPath } from './corpus.ts'
import { loadFolder, type CdmFolder } from './folder.ts'
import { splitPath } from './lookup.ts'
import { corpusPathOf, type LocatedEntity } from './scope.ts'

type Relationship = { from: string; fromAttribute: string; to: string; toAttribute: string }

describe.skipIf(!hasSharedCdm)('relationships listed in real manifests', () => {
  let folder: CdmFolder
  let direct: Relationship[]
  let derived: Relationship[]

  beforeAll(() => {
    folder = loadFolder(sharedFolder('schemaDocuments'), { root: 'standards.manifest.cdm.json' })
    direct = [...folder.entities.values()].flatMap(entity => startingAt(entity, folder))
    derived = [...folder.entities.keys()].flatMap(path => received(path, folder, direct))
  })

  it('the listed relationships equal the relationships of the resolved entities: 3,725 in 14 manifests', () => {
    let listed = 0
    for (const manifest of folder.manifests) {
      const own = new Set(manifest.entities.map(declared => `/${declared.path}/${declared.name}`))
      const starting = direct.filter(({ from, to }) => own.has(from) || own.has(to))
      const ending = derived.filter(({ to }) => own.has(to))
      const here = new Set([...starting, ...ending].map(keyOf))
      const expected = manifest.relationships.map(relationship => ({
        ...relationship,
        from: absolute(relationship.from, manifest.path, folder),
        to: absolute(relationship.to, manifest.path, folder),
      }))
      expect([...here].toSorted()).toEqual(expected.map(keyOf).toSorted())
      listed += expected.length
    }
    expect(folder.manifests).toHaveLength(14)
    expect(listed).toBe(3725)
  })
})

/**
 * References of an entity. The tool that wrote these manifests lists the targets of ActivitySystem for the inherited
 * references of its eight children (here a user is the one of core, not of the service).
 */
function startingAt(entity: LocatedEntity, { resolver }: CdmFolder): Relationship[] {
  const { chain, attributes } = resolver.resolve(entity)
  const parent = chain.at(-2)
  const seen = parent?.is.name === 'ActivitySystem' ? resolver.resolve(parent).attributes : undefined
  return [...attributes.values()].flatMap(own => {
    const { attribute, reference } = (own.level < chain.length - 1 && seen?.get(own.attribute.name)) || own
    return (reference?.targets ?? []).map(target => ({
      from: corpusPathOf(entity),
      fromAttribute: attribute.name,
      to: corpusPathOf(target.entity),
      toAttribute: target.attribute,
    }))
  })
}

/**
 * The same tool also lists, for each entity that is referenced, everything that refers to its ancestors, under each
 * referencing attribute, at the end of the relationship only.
 */
function received(to: string, folder: CdmFolder, direct: readonly Relationship[]): Relationship[] {
  const attributes = new Set(direct.filter(one => one.to === to).map(one => one.toAttribute))
  const entity = folder.entities.get(to)
  if (!entity || attributes.size === 0) return []
  const ancestors = new Set(folder.resolver.resolve(entity).chain.slice(0, -1).map(corpusPathOf))
  const toAncestors = direct.filter(one => ancestors.has(one.to))
  return toAncestors.flatMap(one => [...attributes].map(toAttribute => ({ ...one, to, toAttribute })))
}

function absolute(end: string, manifest: string, folder: CdmFolder): string {
  const { path, object } = splitPath(end)
  return `/${folder.corpus.locate(path, folderOfPath(manifest))}/${object}`
}

function keyOf({ from, fromAttribute, to, toAttribute }: Relationship): string {
  return [from, fromAttribute, to, toAttribute].join(' ')
}
