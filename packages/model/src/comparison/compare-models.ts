import { configurationDifferences } from '../audit-differences.ts'
import { columnName } from '../columns.ts'
import { compareEntities } from '../compare.ts'
import type { Configuration } from '../configuration.ts'
import { withNewNames } from '../configuration-names.ts'
import type { Comparison, EntityChangeKind, EntityComparison } from '../contract/comparison.ts'
import { manifestFields } from '../edits/manifest-edits.ts'
import type { EntityNode } from '../entity.ts'
import { enumerationLine } from '../enumeration.ts'
import { isEqual } from '../equal.ts'
import type { ManifestNode } from '../manifest.ts'
import { dataStepTexts } from '../messages/data-steps.ts'
import { foldName } from '../paths.ts'
import type { ResolvedModel } from '../resolved-model.ts'
import { ComparedSide } from './compared-side.ts'
import type { ComparedModel, ModelDifferences } from './comparison.ts'

type FieldDifference = Comparison['manifest'][number]

/**
 * The differences of two states by uid, entities by manifest and name. Entities that are the same object on both sides are not read.
 * Never throws, also for states that break rules.
 */
export function compareModels(before: ComparedModel, after: ComparedModel): ModelDifferences {
  const sides = [before, after].map(({ resolvedModel }) => new ComparedSide(resolvedModel))
  const [old, now] = sides
  if (!old || !now) throw new RangeError('Two sides are compared.')
  const uids = [...new Set([...now.entities.keys(), ...old.entities.keys()])]
  const entities = uids.flatMap(uid => comparedEntity(old, now, uid) ?? [])
  return {
    entities: ordered(entities, now.model, old.model),
    subManifests: subManifests(old.model, now.model),
    manifest: manifestDifferences(old.model, now.model),
    configuration: configurations(before.configuration, after.configuration, old, now),
    same: uids.length - entities.length,
  }
}

function comparedEntity(old: ComparedSide, now: ComparedSide, key: string): EntityComparison | undefined {
  const [was, is] = [old.entities.get(key), now.entities.get(key)]
  const uid = (is ?? was)?.uid ?? ''
  const [before, after] = [was ? placeOf(old, was) : null, is ? placeOf(now, is) : null]
  if (!was || !is) return { uid, kinds: [is ? 'added' : 'removed'], before, after, changes: [] }
  const changes = was === is ? [] : compareEntities(old.contentOf(was), now.contentOf(is))
  const isRename = ({ kind, step }: (typeof changes)[number]) => kind === 'renamed' && step === null
  const kinds: EntityChangeKind[] = [
    ...(changes.some(isRename) ? ['renamed' as const] : []),
    ...(old.manifestOf(was)?.uid === now.manifestOf(is)?.uid ? [] : ['moved' as const]),
    ...(changes.every(isRename) ? [] : ['changed' as const]),
  ]
  return kinds.length === 0 ? undefined : { uid, kinds, before, after, changes }
}

function placeOf(side: ComparedSide, entity: EntityNode): NonNullable<EntityComparison['before']> {
  const { id, name, path } = entity
  return { id: Math.max(id, -1), name, path, manifest: side.manifestOf(entity)?.name ?? '' }
}

/** Manifests in the order of the later state, then those that it lacks, then entities outside. */
function ordered(entities: EntityComparison[], now: ResolvedModel, old: ResolvedModel): EntityComparison[] {
  const names = [...now.manifests, ...old.manifests].map(({ name }) => name)
  const places = new Map([...new Set(names)].map((name, index) => [name, index]))
  const keyed = entities.map(entity => {
    const { manifest, name } = entity.after ?? entity.before ?? { manifest: '', name: '' }
    return { entity, place: places.get(manifest) ?? places.size, name: foldName(name) }
  })
  keyed.sort((a, b) => a.place - b.place || (a.name === b.name ? 0 : a.name < b.name ? -1 : 1))
  return keyed.map(({ entity }) => entity)
}

function subManifestsOf({ root, manifests }: ResolvedModel): Map<string, ManifestNode> {
  return new Map(manifests.filter(({ id }) => id !== root.id).map(manifest => [manifest.uid, manifest]))
}

function subManifests(old: ResolvedModel, now: ResolvedModel): Comparison['subManifests'] {
  const [before, after] = [subManifestsOf(old), subManifestsOf(now)]
  return [...new Set([...after.keys(), ...before.keys()])].flatMap(uid => {
    const [was, is] = [before.get(uid), after.get(uid)]
    if (was?.name === is?.name) return []
    const kind = is ? (was ? 'renamed' : 'added') : 'removed'
    return [{ uid, kind, before: was?.name ?? '', after: is?.name ?? '' } as const]
  })
}

/** Fields of the manifest, then those of sub-manifests, whose names are compared with the lists. */
function manifestDifferences(old: ResolvedModel, now: ResolvedModel): FieldDifference[] {
  const before = subManifestsOf(old)
  const inSubManifests = [...subManifestsOf(now)].flatMap(([uid, is]) => {
    const was = before.get(uid)
    return was ? fieldDifferences(is.name, was, is).filter(({ field }) => field !== 'name') : []
  })
  return [...fieldDifferences('', old.root, now.root), ...inSubManifests]
}

function fieldDifferences(path: string, was: ManifestNode, is: ManifestNode): FieldDifference[] {
  return manifestFields.flatMap(field =>
    isEqual(was[field], is[field])
      ? []
      : [{ path, field, before: shownField(was, field), after: shownField(is, field) }],
  )
}

/** Lists as a line for each item. */
function shownField(manifest: ManifestNode, field: (typeof manifestFields)[number]): unknown {
  if (field === 'enumerations') return manifest.enumerations.map(enumerationLine)
  return field === 'dataSteps' ? manifest.dataSteps.map(dataStepTexts.line) : manifest[field]
}

/** The name of the manifest is one of its own fields. */
function configurations(
  was: Configuration | undefined,
  is: Configuration | undefined,
  old: ComparedSide,
  now: ComparedSide,
): FieldDifference[] {
  const before = was ? withNamesOf(was, old, now) : null
  return configurationDifferences(before, is ?? null)
    .filter(({ path, field }) => path !== '' || field !== 'manifestName')
    .map(({ path, field, before: from, after }) => ({ path, field, before: from ?? null, after: after ?? null }))
}

/** The configuration with the later names of its entities and columns, so that a rename does not change it. */
function withNamesOf(configuration: Configuration, old: ComparedSide, now: ComparedSide): Configuration {
  const before = new Map(old.model.entities.map(entity => [foldName(entity.name), entity]))
  const laterOf = (name: string) => now.entities.get(before.get(foldName(name))?.uid ?? '')
  return withNewNames(configuration, {
    entity: name => laterOf(name)?.name,
    column(entity, name) {
      const [was, is] = [before.get(foldName(entity)), laterOf(entity)]
      const uid = was && old.columns.byName(was.id, name)?.column.uid
      const later = uid === undefined || !is ? undefined : now.columns.byUid(is.id, uid)
      return later && columnName(later.column)
    },
  })
}
