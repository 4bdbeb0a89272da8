import { ImportError, quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'
import { folderOfPath, type LoadedDocument } from './corpus.ts'
import { checkSignal, type CdmFolder, type ReadOptions } from './folder.ts'
import { splitPath } from './lookup.ts'
import type { ListedRelationship, Manifest } from './manifest.ts'
import { isImported } from './parent.ts'
import { isKey, type ResolvedAttribute, type ResolvedEntity, type ResolvedReference } from './resolved.ts'
import { definitionIn, type FoundEntity } from './scope.ts'
import { keyTypeOf } from './to-relationship.ts'

/** Why a relationship that a manifest lists is none of the model, as its line says it. */
type Reason =
  | 'an end that is not in the folder'
  | 'an end that its document does not define'
  | 'an end that was not imported'
  | 'an attribute that is not there'
  | 'an attribute that refers to something else'
  | 'a target that is not a key'
  | 'a key of another data type than its attribute'
  | 'a key that leads back to itself'

/** An attribute that is to become a reference, and the key that it leads to. */
type Taken = { from: ResolvedEntity; attribute: ResolvedAttribute; to: ResolvedEntity; key: ResolvedAttribute }

/**
 * Takes the relationships that stand in a manifest's list only. Mostly such a list repeats what the entities say themselves; where
 * the attribute is a plain one, of the type of the key that it leads to, it becomes a reference, in the entities that inherit it
 * too. All others get a line, one for each manifest and reason.
 */
export function takeListedRelationships(folder: CdmFolder, options: ReadOptions): void {
  const list = new List(folder)
  for (const manifest of folder.manifests) {
    checkSignal(options)
    const left = new Map<Reason, ListedRelationship[]>()
    for (const listed of manifest.relationships) {
      const reason = list.take(listed, folderOfPath(manifest.path))
      if (reason === undefined) continue
      const alike = left.get(reason)
      if (alike) alike.push(listed)
      else left.set(reason, [listed])
    }
    for (const [reason, relationships] of left) reportLeft(manifest, reason, relationships, folder)
  }
  refer(list.taken, folder)
}

function reportLeft({ path }: Manifest, reason: Reason, left: readonly ListedRelationship[], folder: CdmFolder): void {
  const what =
    left.length === 1
      ? `One relationship that it lists has ${reason} and was left out`
      : `${left.length} relationships that it lists have ${reason} and were left out`
  const examples = left
    .slice(0, 3)
    .map(
      ({ from, fromAttribute, to, toAttribute }) =>
        `${quoted(from)} ${quoted(fromAttribute)} to ${quoted(to)} ${quoted(toAttribute)}`,
    )
  const more = left.length > examples.length ? ' and others' : ''
  folder.report.warning(path, `${what}: ${examples.join(', ')}${more}.`)
}

/** Where a relationship ends: undefined what nothing asked for, what the document does not define, what was left out. */
type End = {
  document: LoadedDocument | undefined
  found: FoundEntity | undefined
  imported: FoundEntity | undefined
}

function whyNotImported({ document, found }: End): Reason {
  return document && !found ? 'an end that its document does not define' : 'an end that was not imported'
}

/** Judges what manifests list, and gathers what is to be taken; nothing is changed before all are judged. */
class List {
  readonly taken: Taken[] = []
  readonly #folder: CdmFolder
  readonly #related = new Map<ResolvedReference, { targets: Set<object>; ancestors: Set<object> }>()
  readonly #keys = new Map<ResolvedAttribute, ResolvedAttribute[]>()

  constructor(folder: CdmFolder) {
    this.#folder = folder
  }

  /** Undefined where it was taken, or where the entities say the same, or say what is wrong with it themselves. */
  take(listed: ListedRelationship, at: string): Reason | undefined {
    const { resolver } = this.#folder
    const from = this.#endAt(listed.from, at)
    const to = this.#endAt(listed.to, at)
    if (!from || !to) return 'an end that is not in the folder'
    if (!from.imported) return whyNotImported(from)
    const start = resolver.resolve(from.imported)
    const attribute = start.named(listed.fromAttribute)
    if (attribute?.reference && this.#isSaid(attribute.reference, to)) return undefined
    if (!to.imported) return whyNotImported(to)
    const end = resolver.resolve(to.imported)
    const key = end.named(listed.toAttribute)
    if (!attribute || !key) return 'an attribute that is not there'
    if (attribute.reference) return 'an attribute that refers to something else'
    if (!isKey(key.attribute)) return 'a target that is not a key'
    if (!isOfType(attribute, start, key, end, this.#folder)) return 'a key of another data type than its attribute'
    if (this.#leadsBack(attribute, key)) return 'a key that leads back to itself'
    if (isKey(attribute.attribute)) this.#keys.set(attribute, [...(this.#keys.get(attribute) ?? []), key])
    this.taken.push({ from: start, attribute, to: end, key })
    return undefined
  }

  /** Undefined where the folder has no such document. */
  #endAt(end: string, at: string): End | undefined {
    const { path, object = '' } = splitPath(end)
    const { corpus } = this.#folder
    const located = corpus.locate(path, at)
    if (located === undefined) return undefined
    const document = corpus.loaded(located)
    const found = document && definitionIn(document, 'entities', object)
    return { document, found, imported: found && isImported(found, this.#folder) ? found : undefined }
  }

  /**
   * Whether the reference leads there already. What extends the target counts too, and what the target extends: a tool that derives
   * such lists adds those. Where it leads to nothing that the folder has, the entity's own lines say so.
   */
  #isSaid(reference: ResolvedReference, { found, imported }: { found?: FoundEntity; imported?: FoundEntity }): boolean {
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
    if (found && (targets.has(found.is) || ancestors.has(found.is))) return true
    return imported !== undefined && resolver.resolve(imported).chain.some(one => targets.has(one.is))
  }

  /** Keys that are foreign keys of one another, all the way round, would leave tables that no row can enter. */
  #leadsBack(attribute: ResolvedAttribute, key: ResolvedAttribute): boolean {
    const reached = new Set([key])
    for (const one of reached) {
      if (one === attribute || reached.size > bounds.extendsDepth) return true
      for (const next of this.#keys.get(one) ?? []) reached.add(next)
    }
    return false
  }
}

function isOfType(
  attribute: ResolvedAttribute,
  of: ResolvedEntity,
  key: ResolvedAttribute,
  end: ResolvedEntity,
  folder: CdmFolder,
): boolean {
  const type = keyTypeOf(key, end.entity, folder)
  return type !== undefined && keyTypeOf(attribute, of.entity, folder) === type
}

/** Makes references of the attributes, in the entities that inherit them too. */
function refer(taken: readonly Taken[], folder: CdmFolder): void {
  const heirs = heirsOf(new Set(taken.map(({ from }) => from.entity.is)), folder)
  const wanted = new Map<ResolvedAttribute, Map<object, Taken>>()
  let targets = 0
  for (const one of taken) {
    for (const heir of heirs.get(one.from.entity.is) ?? []) {
      const attribute = heir.named(one.attribute.attribute.name)
      if (!attribute || attribute.reference || !isOfType(attribute, heir, one.key, one.to, folder)) continue
      const known = wanted.get(attribute) ?? new Map<object, Taken>()
      wanted.set(attribute, known.set(one.to.entity.is, one))
      if (++targets > bounds.targetsInAll)
        throw new ImportError(
          'too-large',
          `The references of this folder have more than ${bounds.targetsInAll} targets.`,
        )
    }
  }
  for (const [attribute, byTarget] of wanted) attribute.reference = referenceOf(attribute, byTarget)
}

/** What extends another of the targets is no further one. */
function referenceOf({ attribute }: ResolvedAttribute, byTarget: ReadonlyMap<object, Taken>): ResolvedReference {
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

/** The imported entities that extend one of those, themselves included. */
function heirsOf(ancestors: ReadonlySet<object>, { entities, resolver }: CdmFolder): Map<object, ResolvedEntity[]> {
  const heirs = new Map<object, ResolvedEntity[]>([...ancestors].map(one => [one, []]))
  if (ancestors.size === 0) return heirs
  for (const entity of entities.values()) {
    const resolved = resolver.resolve(entity)
    for (const ancestor of resolved.chain) heirs.get(ancestor.is)?.push(resolved)
  }
  return heirs
}
