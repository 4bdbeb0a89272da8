import { addLine, changedIn, hasAny } from '../inherit.ts'
import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import type { EntityCheck, Subject } from './subject.ts'

/** Problems of an entity with the inputs of its checks; `needs`: ids of the entities it extends and refers to. */
type Checked = {
  place: string
  isTable: boolean
  needs: readonly number[]
  problems: readonly (readonly Problem[])[]
}

/** A validated state of a model, for comparison with the next one. */
type State = {
  options: string
  byId: ReadonlyMap<number, EntityNode>
  standsFor: ReadonlyMap<number, EntityNode>
  results: ReadonlyMap<number, Checked>
}

const nothing: readonly Problem[] = []

/**
 * Caches the problems of each entity with their inputs: the entity and its ancestors, its location, the targets of its relationships and
 * their ancestors. An unchanged object counts as an unchanged entity, so nodes must be treated as immutable.
 */
export class ValidationMemory {
  readonly #checks: readonly EntityCheck[]
  #last: State = { options: '', byId: new Map(), standsFor: new Map(), results: new Map() }

  constructor(checks: readonly EntityCheck[]) {
    this.#checks = checks
  }

  /** Problems by entity and check; entities without problems are omitted. */
  look(subject: Subject): ReadonlyMap<number, readonly (readonly Problem[])[]> {
    const { resolvedModel, nameConflicts } = subject
    const last = this.#last
    const options = optionsOf(subject)
    const changed = changedIn(last.byId, resolvedModel.byId)
    for (const id of changedIn(last.standsFor, nameConflicts.standsFor)) changed.add(id)
    const placeOf = placesOf(subject)
    const results = new Map<number, Checked>()
    const reported = new Map<number, Checked['problems']>()
    for (const entity of subject.declaring) {
      const cached = options === last.options ? last.results.get(entity.id) : undefined
      const place = placeOf(resolvedModel.owner.get(entity.id))
      const isTable = nameConflicts.standsFor.get(entity.id) === entity
      const isUnchanged = cached?.place === place && cached.isTable === isTable && !hasAny(cached.needs, changed)
      const now = isUnchanged ? cached : { place, isTable, ...this.#look(entity, subject) }
      results.set(entity.id, now)
      if (now.problems.length > 0) reported.set(entity.id, now.problems)
    }
    // Copied, because the caller may change its map.
    this.#last = { options, byId: new Map(resolvedModel.byId), standsFor: nameConflicts.standsFor, results }
    return reported
  }

  #look(entity: EntityNode, subject: Subject): Pick<Checked, 'needs' | 'problems'> {
    const problems = this.#checks.map(check => {
      const checkProblems = check(entity, subject)
      return checkProblems.length === 0 ? nothing : checkProblems
    })
    return { needs: needsOf(entity, subject), problems: problems.every(list => list.length === 0) ? [] : problems }
  }
}

function needsOf(entity: EntityNode, { lookup, nameConflicts: { standsFor } }: Subject): readonly number[] {
  const needs = new Set<number>()
  addLine(entity.id, lookup, needs)
  for (const { associatedEntity } of entity.entityAttributes) {
    addLine(associatedEntity.id, lookup, needs)
    const member = standsFor.get(associatedEntity.id)
    if (member) addLine(member.id, lookup, needs)
  }
  return [...needs]
}

/** Path of a manifest's entities as text, cached by manifest. */
function placesOf(subject: Subject): (owner: number | undefined) => string {
  const places = new Map<number | undefined, string>([[undefined, '']])
  return owner => {
    const cached = places.get(owner)
    if (cached !== undefined || owner === undefined) return cached ?? ''
    const place = JSON.stringify(subject.manifestPath({ id: owner }))
    places.set(owner, place)
    return place
  }
}

/** The options that checks of single entities depend on. */
function optionsOf({ options: { databases, forApi } }: Subject): string {
  return JSON.stringify([databases?.map(({ label }) => label) ?? null, forApi ?? false])
}
