import type { ResolvedModel } from '../resolved-model.ts'
import type { Configuration } from '../configuration.ts'
import type { EntityNode } from '../entity.ts'
import type { ExportTarget } from '../export-formats.ts'
import type { EntityAttribute } from '../entity-attribute.ts'
import { resolvedGroups } from '../groups.ts'
import { isOneRecord, type ResolvedPair, resolvedPairs } from '../key-pairs.ts'
import { ancestorsOf, declaredAttributes, resolvedAttributes, type ResolvedAttribute } from '../inherit.ts'
import type { ManifestNode } from '../manifest.ts'
import { nameConflictsOf, type NameConflicts } from '../name-conflicts.ts'
import { foldName } from '../paths.ts'
import { entityStep, manifestPlaces, type Problem, type ProblemStep } from '../problem.ts'

/** Names that a database reserves or cannot store. */
export type NamingRules = {
  label: string
  reserved: ReadonlySet<string>
  limit: number
  /** Size of a name in the unit of the limit; at most three per UTF-16 code unit. */
  size(name: string): number
}

export type ValidationOptions = {
  /** Limits the checks to those relevant to this export. Absent: all checks. */
  target?: ExportTarget | undefined
  /** Naming rules of the licensed databases. */
  databases?: readonly NamingRules[]
  /** Configuration of the root manifest, if there is one. */
  configuration?: Configuration | undefined
  /** With an API an entity without key is an error, not a warning. */
  forApi?: boolean
}

/** A check of the whole manifest. */
export type Check = (subject: Subject) => Problem[]

/** A check of one entity: itself, its ancestors, its location, the targets of its relationships and their ancestors. */
export type EntityCheck = (entity: EntityNode, subject: Subject) => Problem[]

/** Input of the checks; computes shared values once. */
export class Subject {
  readonly resolvedModel: ResolvedModel
  readonly options: ValidationOptions
  /** Entities with columns: the members and all their ancestors, each once. */
  readonly declaring: readonly EntityNode[]
  readonly lookup = (id: number): EntityNode | undefined => this.resolvedModel.byId.get(id)
  readonly #declared = new Map<number, readonly ResolvedAttribute[]>()
  readonly #resolved = new Map<number, readonly ResolvedAttribute[]>()
  readonly #names = new Map<number, ReadonlyMap<string, ResolvedAttribute>>()
  readonly #inherited = new Map<number, readonly ResolvedAttribute[]>()
  #nameConflicts: NameConflicts | undefined
  #definedScopes: ReadonlySet<string> | undefined
  readonly #manifestPaths: ReadonlyMap<number, readonly ProblemStep[]>

  constructor(resolvedModel: ResolvedModel, options: ValidationOptions) {
    this.resolvedModel = resolvedModel
    this.options = options
    this.#manifestPaths = manifestPlaces(resolvedModel)
    const declaring = new Map<number, EntityNode>()
    for (const entity of resolvedModel.entities) {
      // The ancestors of an entity in the set are in the set too.
      for (let one: EntityNode | undefined = entity; one && !declaring.has(one.id); one = this.#parentOf(one))
        declaring.set(one.id, one)
    }
    this.declaring = [...declaring.values()]
  }

  get nameConflicts(): NameConflicts {
    this.#nameConflicts ??= nameConflictsOf(this.resolvedModel)
    return this.#nameConflicts
  }

  /** Scopes defined in the configuration; none without one. */
  get definedScopes(): ReadonlySet<string> {
    const { configuration } = this.options
    this.#definedScopes ??= new Set(configuration?.configurationBuild.apiScopeConfiguration.scopeDefinitions)
    return this.#definedScopes
  }

  /** Own attributes and foreign keys, by position. */
  declaredBy(entity: EntityNode): readonly ResolvedAttribute[] {
    const cached = this.#declared.get(entity.id)
    if (cached) return cached
    const declared = declaredAttributes(entity)
    this.#declared.set(entity.id, declared)
    return declared
  }

  /** All attributes, including inherited ones. */
  attributesOf(entity: EntityNode): readonly ResolvedAttribute[] {
    const cached = this.#resolved.get(entity.id)
    if (cached) return cached
    const resolved = resolvedAttributes(entity, this.lookup, this.#declaredFor)
    this.#resolved.set(entity.id, resolved)
    return resolved
  }

  attributeOf(entity: EntityNode, name: string): ResolvedAttribute | undefined {
    return this.#namesOf(entity).get(foldName(name))
  }

  #namesOf(entity: EntityNode): ReadonlyMap<string, ResolvedAttribute> {
    const cached = this.#names.get(entity.id)
    const names = cached ?? new Map(this.attributesOf(entity).map(attribute => [foldName(attribute.name), attribute]))
    if (!cached) this.#names.set(entity.id, names)
    return names
  }

  /** The further columns of a foreign key that the entity declares. */
  pairsOf(relationship: EntityAttribute, entity: EntityNode): readonly ResolvedPair[] {
    if (relationship.alsoBy.length === 0) return []
    return resolvedPairs(relationship, entity, this.lookup, name => this.attributeOf(entity, name))
  }

  /** Whether the attributes are the entity's key, or unique together. */
  isOneRecord(attributes: readonly ResolvedAttribute[], entity: EntityNode): boolean {
    const key = this.attributesOf(entity).filter(({ isPrimaryKey }) => isPrimaryKey)
    const groups = resolvedGroups(entity, this.lookup, this.#namesOf(entity))
    const unique = groups.filter(({ group, isWhole }) => group.kind === 'unique' && isWhole)
    return isOneRecord(
      attributes,
      key,
      unique.map(({ members }) => members.map(({ column }) => column)),
    )
  }

  /** Whether all ancestors are present; otherwise a missing attribute may be inherited. */
  isWhole(entity: EntityNode): boolean {
    return [entity, ...ancestorsOf(entity, this.lookup)].every(
      one => !one.extendsEntity || this.lookup(one.extendsEntity.id) !== undefined,
    )
  }

  manifestPath(manifest: Pick<ManifestNode, 'id'>): readonly ProblemStep[] {
    return this.#manifestPaths.get(manifest.id) ?? []
  }

  /** Path from the root manifest to the entity; an ancestor outside the manifest is a path by itself. */
  pathOf(entity: EntityNode): readonly ProblemStep[] {
    const owner = this.resolvedModel.owner.get(entity.id)
    const manifests = owner === undefined ? [] : this.manifestPath({ id: owner })
    return [...manifests, entityStep(entity)]
  }

  /** Path from the root manifest to an own attribute or foreign key. */
  pathTo(entity: EntityNode, attribute: ResolvedAttribute): readonly ProblemStep[] {
    const { name } = attribute
    return [
      ...this.pathOf(entity),
      attribute.kind === 'type'
        ? { kind: 'typeAttribute', uid: attribute.attribute.uid, name }
        : { kind: 'entityAttribute', uid: attribute.relationship.uid, name },
    ]
  }

  #parentOf({ extendsEntity }: EntityNode): EntityNode | undefined {
    return extendsEntity ? this.lookup(extendsEntity.id) : undefined
  }

  /** Declared attributes of an entity, cached for all its subtypes. */
  readonly #declaredFor = (entity: EntityNode, origin: 'own' | 'inherited'): readonly ResolvedAttribute[] => {
    if (origin === 'own') return this.declaredBy(entity)
    const cached = this.#inherited.get(entity.id) ?? declaredAttributes(entity, origin)
    this.#inherited.set(entity.id, cached)
    return cached
  }
}

/** `value`: what it is about in a configuration. */
export function error(code: string, message: string, path: readonly ProblemStep[], value?: string): Problem {
  return { severity: 'error', code, message, path, ...(value === undefined ? {} : { value }) }
}

export function warning(code: string, message: string, path: readonly ProblemStep[]): Problem {
  return { severity: 'warning', code, message, path }
}
