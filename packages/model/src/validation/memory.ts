import type { EntityNode } from '../entity.ts'
import { hasSameItems } from '../equal.ts'
import { Lineages } from '../lineages.ts'
import type { Problem } from '../problem.ts'
import type { EntityCheck, Subject } from './subject.ts'

type Found = { basis: readonly unknown[]; problems: readonly (readonly Problem[])[] }

const nothing: readonly Problem[] = []

/**
 * What was found about each entity, with all that it was found from: the entity and what it extends, its place, the targets of its
 * relationships and what those extend. A node that is the same object counts as unchanged, so whoever changes one makes another.
 */
export class ValidationMemory {
  readonly #checks: readonly EntityCheck[]
  readonly #lineages = new Lineages()
  #found = new Map<number, Found>()
  #options = ''

  constructor(checks: readonly EntityCheck[]) {
    this.#checks = checks
  }

  /** For each entity that becomes columns and about which there is something to say, what each check finds. */
  look(subject: Subject): ReadonlyMap<number, readonly (readonly Problem[])[]> {
    const options = optionsOf(subject)
    const before = options === this.#options ? this.#found : new Map<number, Found>()
    const basisOf = this.#basis(subject)
    const found = new Map<number, Found>()
    const told = new Map<number, Found['problems']>()
    for (const entity of subject.declaring) {
      const basis = basisOf(entity)
      const known = before.get(entity.id)
      const isKnown = known !== undefined && hasSameItems(known.basis, basis)
      const now = isKnown ? known : { basis, problems: this.#look(entity, subject) }
      found.set(entity.id, now)
      if (now.problems.length > 0) told.set(entity.id, now.problems)
    }
    this.#options = options
    this.#found = found
    return told
  }

  #look(entity: EntityNode, subject: Subject): readonly (readonly Problem[])[] {
    const problems = this.#checks.map(check => {
      const found = check(entity, subject)
      return found.length === 0 ? nothing : found
    })
    return problems.every(list => list.length === 0) ? [] : problems
  }

  #basis(subject: Subject): (entity: EntityNode) => readonly unknown[] {
    const { standsFor } = subject.namesakes
    const lineageOf = this.#lineages.at(subject.lookup)
    const places = new Map<number | undefined, string>()
    const placeOf = (owner: number | undefined) => {
      const known =
        places.get(owner) ?? (owner === undefined ? '' : JSON.stringify(subject.manifestPath({ id: owner })))
      places.set(owner, known)
      return known
    }
    return entity => {
      const basis: unknown[] = [lineageOf(entity), placeOf(subject.closure.owner.get(entity.id))]
      basis.push(standsFor.get(entity.id) === entity)
      for (const { associatedEntity } of entity.entityAttributes) {
        const member = standsFor.get(associatedEntity.id)
        const target = member ?? subject.lookup(associatedEntity.id)
        basis.push(target && lineageOf(target), member !== undefined)
      }
      return basis
    }
  }
}

/** What of the options any check of one entity looks at. */
function optionsOf({ options: { databaseTypes, forApi, configuration } }: Subject): string {
  const scopes = configuration?.configurationBuild.apiScopeConfiguration.scopeDefinitions
  return JSON.stringify([databaseTypes ?? null, forApi ?? false, scopes ?? null])
}
