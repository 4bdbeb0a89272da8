import type { Closure } from '../closure.ts'
import type { Configuration } from '../configuration.ts'
import type { DatabaseType } from '../database-types.ts'
import type { EntityNode } from '../entity.ts'
import type { ExportTarget } from '../export-target.ts'
import { ancestorsOf, declaredAttributes, resolvedAttributes, type ResolvedAttribute } from '../inherit.ts'
import type { ManifestNode } from '../manifest.ts'
import { namesakesOf, type Namesakes } from '../namesakes.ts'
import { foldName } from '../paths.ts'
import { entityStep, manifestPlaces } from '../places.ts'
import type { Problem, ProblemStep } from '../problem.ts'

export type ValidationOptions = {
  /** What it is validated for: only the rules for that are asked. Absent: all rules. */
  target?: ExportTarget | undefined
  /** The databases that the licence allows: names are held against what these take. */
  databaseTypes?: readonly DatabaseType[]
  /** The root manifest's configuration, where it has one. */
  configuration?: Configuration | undefined
  /** For a package with an API an entity without key is an error, not a warning. */
  forApi?: boolean
}

/** What looks at a manifest as a whole. */
export type Check = (subject: Subject) => Problem[]

/** What looks at one entity: at itself, what it extends, its place, and the targets of its relationships with what those extend. */
export type EntityCheck = (entity: EntityNode, subject: Subject) => Problem[]

/** What the checks look at, with everything that more than one of them needs worked out once. */
export class Subject {
  readonly closure: Closure
  readonly options: ValidationOptions
  /** The members, and every ancestor outside: what becomes columns. Each once. */
  readonly declaring: readonly EntityNode[]
  readonly lookup = (id: number): EntityNode | undefined => this.closure.byId.get(id)
  readonly #declared = new Map<number, readonly ResolvedAttribute[]>()
  readonly #resolved = new Map<number, readonly ResolvedAttribute[]>()
  readonly #names = new Map<number, ReadonlyMap<string, ResolvedAttribute>>()
  readonly #inherited = new Map<number, readonly ResolvedAttribute[]>()
  #namesakes: Namesakes | undefined
  readonly #manifestPaths: ReadonlyMap<number, readonly ProblemStep[]>

  constructor(closure: Closure, options: ValidationOptions) {
    this.closure = closure
    this.options = options
    this.#manifestPaths = manifestPlaces(closure)
    const declaring = new Map<number, EntityNode>()
    for (const entity of closure.entities) {
      // Whoever is in it has all that it extends in it.
      for (let one: EntityNode | undefined = entity; one && !declaring.has(one.id); one = this.#parentOf(one))
        declaring.set(one.id, one)
    }
    this.declaring = [...declaring.values()]
  }

  get namesakes(): Namesakes {
    this.#namesakes ??= namesakesOf(this.closure)
    return this.#namesakes
  }

  /** Its own attributes and foreign keys, by position. */
  declaredBy(entity: EntityNode): readonly ResolvedAttribute[] {
    const known = this.#declared.get(entity.id)
    if (known) return known
    const declared = declaredAttributes(entity)
    this.#declared.set(entity.id, declared)
    return declared
  }

  /** All its attributes, inherited ones included. */
  attributesOf(entity: EntityNode): readonly ResolvedAttribute[] {
    const known = this.#resolved.get(entity.id)
    if (known) return known
    const resolved = resolvedAttributes(entity, this.lookup, this.#declaredFor)
    this.#resolved.set(entity.id, resolved)
    return resolved
  }

  attributeOf(entity: EntityNode, name: string): ResolvedAttribute | undefined {
    const known = this.#names.get(entity.id)
    const names = known ?? new Map(this.attributesOf(entity).map(attribute => [foldName(attribute.name), attribute]))
    if (!known) this.#names.set(entity.id, names)
    return names.get(foldName(name))
  }

  /** Whether all its ancestors are at hand: else an attribute that is not found may be inherited. */
  isWhole(entity: EntityNode): boolean {
    return [entity, ...ancestorsOf(entity, this.lookup)].every(
      one => !one.extendsEntity || this.lookup(one.extendsEntity.id) !== undefined,
    )
  }

  manifestPath(manifest: Pick<ManifestNode, 'id'>): readonly ProblemStep[] {
    return this.#manifestPaths.get(manifest.id) ?? []
  }

  /** From the root manifest to the entity; an ancestor outside stands alone. */
  pathOf(entity: EntityNode): readonly ProblemStep[] {
    const owner = this.closure.owner.get(entity.id)
    const manifests = owner === undefined ? [] : this.manifestPath({ id: owner })
    return [...manifests, entityStep(entity)]
  }

  /** From the root manifest to an own attribute or foreign key of the entity. */
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

  /** As declaredAttributes, once for all that extend the entity. */
  readonly #declaredFor = (entity: EntityNode, origin: 'own' | 'inherited'): readonly ResolvedAttribute[] => {
    if (origin === 'own') return this.declaredBy(entity)
    const known = this.#inherited.get(entity.id) ?? declaredAttributes(entity, origin)
    this.#inherited.set(entity.id, known)
    return known
  }
}

export function error(code: string, message: string, path: readonly ProblemStep[]): Problem {
  return { severity: 'error', code, message, path }
}

export function warning(code: string, message: string, path: readonly ProblemStep[]): Problem {
  return { severity: 'warning', code, message, path }
}
