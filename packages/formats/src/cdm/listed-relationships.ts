import { ImportError, quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'
import { folderOfPath, type LoadedDocument } from './corpus.ts'
import { checkSignal, type CdmFolder, type ReadOptions } from './folder.ts'
import { splitPath } from './lookup.ts'
import type { ListedRelationship, Manifest } from './manifest.ts'
import { isImported } from './parent.ts'
import { isKey, type ResolvedAttribute, type ResolvedEntity, type ResolvedReference } from './resolved.ts'
import { definitionIn, type LocatedEntity } from './scope.ts'
import { isOfKeyType } from './to-relationship.ts'

/** Reason why a listed relationship was not imported, as stated in the report. */
type Reason =
  | 'an end that is not in the folder'
  | 'an end that its document does not define'
  | 'an end that was not imported'
  | 'an attribute that does not exist'
  | 'an attribute with another target'
  | 'a target that is not a key'
  | 'a key of another data type than its attribute'
  | 'a key that leads back to itself'

/** An attribute to convert to a reference, and the key that it refers to. */
type NewReference = { from: ResolvedEntity; attribute: ResolvedAttribute; to: ResolvedEntity; key: ResolvedAttribute }

/**
 * Imports relationships that only a manifest lists. Usually the list repeats relationships that the entities define.
 * A plain attribute of the key's type becomes a reference, also in entities that inherit it. All others are reported,
 * one line per manifest and reason.
 */
export function importListedRelationships(folder: CdmFolder, options: ReadOptions): void {
  const list = new List(folder)
  for (const manifest of folder.manifests) {
    checkSignal(options)
    const skipped = new Map<Reason, ListedRelationship[]>()
    for (const listed of manifest.relationships) {
      const reason = list.collect(listed, folderOfPath(manifest.path))
      if (reason === undefined) continue
      const sameReason = skipped.get(reason)
      if (sameReason) sameReason.push(listed)
      else skipped.set(reason, [listed])
    }
    for (const [reason, relationships] of skipped) reportSkipped(manifest, reason, relationships, folder)
  }
  refer(list.references, folder)
}

function reportSkipped(
  { path }: Manifest,
  reason: Reason,
  skipped: readonly ListedRelationship[],
  folder: CdmFolder,
): void {
  const what =
    skipped.length === 1
      ? `One relationship that it lists has ${reason} and was left out`
      : `${skipped.length} relationships that it lists have ${reason} and were left out`
  const examples = skipped
    .slice(0, 3)
    .map(
      ({ from, fromAttribute, to, toAttribute }) =>
        `${quoted(from)} ${quoted(fromAttribute)} to ${quoted(to)} ${quoted(toAttribute)}`,
    )
  const more = skipped.length > examples.length ? ' and others' : ''
  folder.report.lost(path, `${what}: ${examples.join(', ')}${more}.`)
}

/** An end of a relationship. Undefined parts: document not loaded, entity not defined, or entity not imported. */
type End = {
  document: LoadedDocument | undefined
  defined: LocatedEntity | undefined
  imported: LocatedEntity | undefined
}

function reasonNotImported({ document, defined }: End): Reason {
  return document && !defined ? 'an end that its document does not define' : 'an end that was not imported'
}

/**
 * Checks all listed relationships first and collects the valid ones; nothing is changed before the checks are
 * complete.
 */
class List {
  readonly references: NewReference[] = []
  readonly #folder: CdmFolder
  readonly #related = new Map<ResolvedReference, { targets: Set<object>; ancestors: Set<object> }>()
  readonly #keys = new Map<ResolvedAttribute, ResolvedAttribute[]>()

  constructor(folder: CdmFolder) {
    this.#folder = folder
  }

  /** Undefined if the relationship was collected, already exists, or is reported at its entity. */
  collect(listed: ListedRelationship, at: string): Reason | undefined {
    const { resolver } = this.#folder
    const from = this.#endAt(listed.from, at)
    const to = this.#endAt(listed.to, at)
    if (!from || !to) return 'an end that is not in the folder'
    if (!from.imported) return reasonNotImported(from)
    const start = resolver.resolve(from.imported)
    const attribute = start.named(listed.fromAttribute)
    if (attribute?.reference && this.#exists(attribute.reference, to)) return undefined
    if (!to.imported) return reasonNotImported(to)
    const end = resolver.resolve(to.imported)
    const key = end.named(listed.toAttribute)
    if (!attribute || !key) return 'an attribute that does not exist'
    if (attribute.reference) return 'an attribute with another target'
    if (!isKey(key.attribute)) return 'a target that is not a key'
    if (!isOfKeyType(attribute, start.entity, key, end.entity, this.#folder))
      return 'a key of another data type than its attribute'
    if (this.#leadsBack(attribute, key)) return 'a key that leads back to itself'
    if (isKey(attribute.attribute)) this.#keys.set(attribute, [...(this.#keys.get(attribute) ?? []), key])
    this.references.push({ from: start, attribute, to: end, key })
    return undefined
  }

  /** Undefined if the folder has no such document. */
  #endAt(end: string, at: string): End | undefined {
    const { path, object = '' } = splitPath(end)
    const { corpus } = this.#folder
    const located = corpus.locate(path, at)
    if (located === undefined) return undefined
    const document = corpus.loaded(located)
    const defined = document && definitionIn(document, 'entities', object)
    return { document, defined, imported: defined && isImported(defined, this.#folder) ? defined : undefined }
  }

  /**
   * Whether the reference already exists. Subtypes and supertypes of the target count, because some tools list those
   * as well. Targets missing from the folder are reported at the entity.
   */
  #exists(
    reference: ResolvedReference,
    { defined, imported }: { defined?: LocatedEntity; imported?: LocatedEntity },
  ): boolean {
    const { resolver } = this.#folder
    if (reference.unknown.length > 0) return true
    let related = this.#related.get(reference)
    if (!related) {
      const targets = reference.targets.map(target => target.entity)
      const above = targets.filter(one => isImported(one, this.#folder)).flatMap(one => resolver.resolve(one).chain)
      related = { targets: new Set(targets.map(one => one.is)), ancestors: new Set(above.map(one => one.is)) }
      this.#related.set(reference, related)
    }
    const { targets, ancestors } = related
    if (defined && (targets.has(defined.is) || ancestors.has(defined.is))) return true
    return imported !== undefined && resolver.resolve(imported).chain.some(one => targets.has(one.is))
  }

  /** Rejects cycles of foreign keys, which would create tables that accept no rows. */
  #leadsBack(attribute: ResolvedAttribute, key: ResolvedAttribute): boolean {
    const reached = new Set([key])
    for (const one of reached) {
      if (one === attribute || reached.size > bounds.extendsDepth) return true
      for (const next of this.#keys.get(one) ?? []) reached.add(next)
    }
    return false
  }
}

/** Converts the attributes to references, also in entities that inherit them. */
function refer(references: readonly NewReference[], folder: CdmFolder): void {
  const subtypes = subtypesOf(new Set(references.map(({ from }) => from.entity.is)), folder)
  const byAttribute = new Map<ResolvedAttribute, Map<object, NewReference>>()
  let targets = 0
  for (const one of references) {
    for (const subtype of subtypes.get(one.from.entity.is) ?? []) {
      const attribute = subtype.named(one.attribute.attribute.name)
      if (!attribute || attribute.reference || !isOfKeyType(attribute, subtype.entity, one.key, one.to.entity, folder))
        continue
      const byTarget = byAttribute.get(attribute) ?? new Map<object, NewReference>()
      byAttribute.set(attribute, byTarget.set(one.to.entity.is, one))
      if (++targets > bounds.targetsInAll)
        throw new ImportError(
          'too-large',
          `The references of this folder have more than ${bounds.targetsInAll} targets.`,
        )
    }
  }
  for (const [attribute, byTarget] of byAttribute) attribute.reference = referenceOf(attribute, byTarget)
}

/** Omits targets that extend another target. */
function referenceOf({ attribute }: ResolvedAttribute, byTarget: ReadonlyMap<object, NewReference>): ResolvedReference {
  const targets = [...byTarget.values()].filter(
    ({ to }) => !to.chain.slice(0, -1).some(ancestor => byTarget.has(ancestor.is)),
  )
  return {
    name: attribute.name,
    description: attribute.description,
    targets: targets.map(({ to, key }) => ({ entity: to.entity, attribute: key.attribute.name })),
    unknown: [],
  }
}

/** The imported subtypes of the given entities, including these. */
function subtypesOf(ancestors: ReadonlySet<object>, { entities, resolver }: CdmFolder): Map<object, ResolvedEntity[]> {
  const subtypes = new Map<object, ResolvedEntity[]>([...ancestors].map(one => [one, []]))
  if (ancestors.size === 0) return subtypes
  for (const entity of entities.values()) {
    const resolved = resolver.resolve(entity)
    for (const ancestor of resolved.chain) subtypes.get(ancestor.is)?.push(resolved)
  }
  return subtypes
}
