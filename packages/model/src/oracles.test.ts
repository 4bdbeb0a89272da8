import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveModel } from './resolved-model.ts'
import { compareEntities } from './compare.ts'
import { newEntityAttribute } from './entity-attribute.ts'
import type { EntityNode } from './entity.ts'
import { ancestorsOf, declaredAttributes, resolvedAttributes, type ResolvedAttribute } from './inherit.ts'
import type { ManifestNode } from './manifest.ts'
import { mergeEntity } from './merge/entity.ts'
import { foldName } from './paths.ts'
import { aManifest, anEntity, aTypeAttribute } from './testing/builders.ts'

// Compares optimised functions with simple, slow implementations.

const names = fc.constantFrom('id', 'ID', 'code', 'title', 'Title', 'remark', 'ownerId')
const column = fc.record({
  name: names,
  isKey: fc.boolean(),
  isRelationship: fc.boolean(),
  uid: fc.constantFrom(...'abcdefgh'),
})
type Drawn = { name: string; isKey: boolean; isRelationship: boolean; uid: string }

function entityOf(id: number, columns: readonly Drawn[], extendsId = -1): EntityNode {
  const distinct = [...new Map(columns.map(item => [item.uid, item])).values()]
  const purpose = (isKey: boolean) => (isKey ? ('identifiedBy' as const) : ('hasA' as const))
  const placed = distinct.map((item, position) => ({ ...item, position }))
  return anEntity({
    id,
    uid: 'entity',
    name: `E${id}`,
    extendsEntity: extendsId > 0 ? { id: extendsId, name: '', path: '' } : null,
    typeAttributes: placed
      .filter(item => !item.isRelationship)
      .map(({ uid, name, isKey, position }) => aTypeAttribute({ uid, name, position, purpose: purpose(isKey) })),
    entityAttributes: placed
      .filter(item => item.isRelationship)
      .map(({ uid, name, isKey, position }) =>
        newEntityAttribute({
          uid,
          position,
          foreignKeyTypeAttribute: name,
          foreignKeyPurpose: purpose(isKey),
          associatedEntity: { id: 99, name: 'Target', path: 'user-defined/Target' },
          associatedEntityTypeAttribute: 'id',
        }),
      ),
  })
}

describe('resolved attributes', () => {
  it('equal those of an exhaustive search', () => {
    const chain = fc.array(fc.array(column, { maxLength: 6 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(chain, fc.nat(5), (levels, back) => {
        const last = levels.length
        // The farthest ancestor may extend a nearer one, so that cycles occur as well.
        const nodes = levels.map((columns, index) => entityOf(index + 1, columns, index + 1 < last ? index + 2 : back))
        const lookup = (id: number) => nodes.find(node => node.id === id)
        for (const node of nodes) expect(resolvedAttributes(node, lookup)).toEqual(plainlyResolved(node, lookup))
      }),
    )
  })
})

function plainlyResolved(entity: EntityNode, lookup: (id: number) => EntityNode | undefined): ResolvedAttribute[] {
  let answer: ResolvedAttribute[] = []
  for (const declaring of [entity, ...ancestorsOf(entity, lookup)].toReversed()) {
    for (const attribute of declaredAttributes(declaring, declaring === entity ? 'own' : 'inherited')) {
      if (attribute.isPrimaryKey) {
        answer = answer.map(item => (item.declaredBy.id === declaring.id ? item : { ...item, isPrimaryKey: false }))
      }
      const place = answer.findIndex(item => foldName(item.name) === foldName(attribute.name))
      answer = place < 0 ? [...answer, attribute] : answer.with(place, attribute)
    }
  }
  return answer
}

describe('resolving a model', () => {
  it('gives the result of a search over all manifests', () => {
    const graph = fc.array(fc.array(fc.nat(6), { maxLength: 4 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(graph, lists => {
        const manifests = lists.map((subs, index) =>
          aManifest({
            id: index + 1,
            subManifests: subs.map(sub => sub + 1),
            entities: [{ id: index + 101, type: 'EXCLUSIVE' }],
          }),
        )
        const byId = new Map(manifests.map(manifest => [manifest.id, manifest]))
        const entities = new Map(manifests.map(({ id }) => [id + 100, anEntity({ id: id + 100 })]))
        for (const root of manifests) {
          const resolvedModel = resolveModel(root, { manifests: byId, entities })
          const met = new Set(resolvedModel.manifests.map(({ id }) => id))
          expect(met.size).toBe(resolvedModel.manifests.length)
          expect([...met].toSorted()).toEqual([...reached(root, byId)].toSorted())
          expect(resolvedModel.entities.map(({ id }) => id - 100)).toEqual(resolvedModel.manifests.map(({ id }) => id))
          expect(resolvedModel.cycle.length > 0).toBe(manifests.some(one => met.has(one.id) && isInCycle(one, byId)))
        }
      }),
    )
  })
})

function reached(root: ManifestNode, byId: ReadonlyMap<number, ManifestNode>): Set<number> {
  let visited = new Set([root.id])
  for (let size = 0; size < visited.size;) {
    size = visited.size
    const next = [...visited].flatMap(id => (byId.get(id)?.subManifests ?? []).filter(sub => byId.has(sub)))
    visited = new Set([...visited, ...next])
  }
  return visited
}

function isInCycle(one: ManifestNode, byId: ReadonlyMap<number, ManifestNode>): boolean {
  return one.subManifests.some(id => {
    const child = byId.get(id)
    return child !== undefined && reached(child, byId).has(one.id)
  })
}

describe('merging and comparing', () => {
  const columns = fc.array(column, { maxLength: 6 })

  it('a merge repeats a name only if a side did, and reports each collision', () => {
    fc.assert(
      fc.property(columns, columns, columns, (b, m, t) => {
        const [base, mine, theirs] = [entityOf(1, b), entityOf(1, m), entityOf(1, t)]
        const { merged, conflicts } = mergeEntity(base, mine, theirs)
        const repeatedBefore = new Set([...twice(mine), ...twice(theirs)])
        const met = merged === undefined ? [] : twice({ ...base, ...merged }).filter(name => !repeatedBefore.has(name))
        expect(met).toEqual([])
        for (const conflict of conflicts ?? []) {
          // If both sides added one uid, the conflict has two names and no columns.
          if (conflict.field !== 'name' || conflict.base !== null || typeof conflict.mine === 'string') continue
          const folded = foldName(conflict.path.slice('typeAttributes.'.length))
          expect([columnNamed(mine, folded), columnNamed(theirs, folded)]).toEqual([conflict.mine, conflict.theirs])
        }
      }),
    )
  })

  it('a comparison reports exactly the uids that were added, removed or changed', () => {
    fc.assert(
      fc.property(columns, columns, (a, b) => {
        const [before, after] = [entityOf(1, a), entityOf(1, b)]
        const changes = compareEntities(before, after)
        const reportedUids = (kind: string) =>
          changes.flatMap(change =>
            change.kind === kind && change.step && 'uid' in change.step ? change.step.uid : [],
          )
        const [old, now] = [uids(before), uids(after)]
        expect(reportedUids('added').toSorted()).toEqual(now.filter(uid => !old.includes(uid)).toSorted())
        expect(reportedUids('removed').toSorted()).toEqual(old.filter(uid => !now.includes(uid)).toSorted())
        const renamed = now.filter(uid => old.includes(uid) && nameOf(before, uid) !== nameOf(after, uid))
        expect(reportedUids('renamed').toSorted()).toEqual(renamed.toSorted())
      }),
    )
  })
})

function columnsOf({ typeAttributes, entityAttributes }: EntityNode) {
  return [
    ...typeAttributes.map(item => ({ uid: item.uid, name: item.name, item })),
    ...entityAttributes.map(item => ({ uid: item.uid, name: item.foreignKeyTypeAttribute, item })),
  ]
}

function columnNamed(entity: EntityNode, folded: string): object | null {
  return columnsOf(entity).find(({ name }) => foldName(name) === folded)?.item ?? null
}

function twice(entity: EntityNode): string[] {
  const folded = columnsOf(entity).map(({ name }) => foldName(name))
  return folded.filter((name, index) => folded.indexOf(name) !== index)
}

function uids(entity: EntityNode): string[] {
  return columnsOf(entity).map(({ uid }) => uid)
}

function nameOf(entity: EntityNode, uid: string): string | undefined {
  return columnsOf(entity).find(item => item.uid === uid)?.name
}
