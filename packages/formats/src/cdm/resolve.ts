import { foldName } from '@cadmus/model/paths'
import { ImportError, quoted } from '../import-error.ts'
import type { Attribute } from './attribute.ts'
import { bounds } from './bounds.ts'
import type { LoadedDocument } from './corpus.ts'
import { extendsChain, Keys } from './keys.ts'
import { noTarget, plainReference, renamed, tooLongName } from './guidance.ts'
import type { Lookup } from './lookup.ts'
import type { InheritFilter, Member, Reference, Target } from './member.ts'
import { describeMissing, type Place, type Report, someOf } from './report.ts'
import { project, type Step, stepOf } from './project.ts'
import type { Operation, Projection } from './projection.ts'
import { References } from './references.ts'
import {
  byAnyCase,
  isKey,
  mergeReferences,
  redefine,
  type ResolvedAttribute,
  type ResolvedEntity,
  type ResolvedReference,
} from './resolved.ts'
import type { LocatedEntity } from './scope.ts'
import { traitName } from './traits.ts'

/**
 * Resolves entities: inherited attributes first, then own members. Names are looked up from the resolved entity's
 * document.
 */
export class Resolver {
  readonly #lookup: Lookup
  readonly #report: Report
  readonly #resolved = new Map<object, ResolvedEntity>()
  readonly #references: References
  readonly #sameNames = new Set<Attribute>()
  readonly #budget = new WorkBudget()

  constructor(lookup: Lookup, report: Report) {
    this.#lookup = lookup
    this.#report = report
    this.#references = new References(lookup, new Keys(lookup, report))
  }

  resolve(entity: LocatedEntity): ResolvedEntity {
    const cached = this.#resolved.get(entity.is)
    if (cached) return cached
    const chain = extendsChain(entity, this.#lookup, this.#report)
    const task = this.#resolveChain(chain, entity.in, new Set([entity.is]))
    const resolved = { entity, chain, attributes: task.attributes, named: byAnyCase(task.attributes) }
    this.#resolved.set(entity.is, resolved)
    return resolved
  }

  #resolveChain(
    chain: readonly LocatedEntity[],
    view: LoadedDocument,
    open: ReadonlySet<unknown>,
    budget = { steps: 0, targets: 0 },
  ): Task {
    const task: Task = { view, level: 0, attributes: new Map(), spellings: new Map(), open, budget }
    chain.forEach((ancestor, level) => {
      task.level = level
      const place = this.#report.at(`${ancestor.in.document.path}/${ancestor.is.name}`)
      const filter = new AttributeFilter(ancestor.is.inherits)
      for (const name of task.attributes.keys()) if (!filter.has(name)) task.attributes.delete(name)
      filter.report(place)
      const context = { written: ancestor.in, place }
      this.#projectInherited(ancestor.is.projections, task, context)
      this.#apply(ancestor.is.members, task, context)
    })
    return task
  }

  #apply(members: readonly Member[], task: Task, context: Context): void {
    for (const member of members) {
      if (!this.#budget.canContinue(task, context)) return
      if (member.kind === 'attribute') {
        this.#putProjected(member, task, context)
        for (const supporting of member.supporting) this.#put(supporting, task, context)
        if (member.removes) task.attributes.delete(member.attribute.name)
      } else if (member.kind === 'group') {
        this.#apply(member.members, task, context)
      } else if (member.kind === 'projected') {
        this.#includeProjected(member, task, context)
      } else if (member.kind === 'named') {
        this.#applyNamed(member.name, task, context)
      } else {
        this.#refer(member, task, context)
      }
    }
  }

  #applyNamed(name: string, task: Task, context: Context): void {
    const group = this.#lookup.scope.find('groups', name, task.view, context.written)
    if (!group) {
      context.place.lost(`The attribute group ${quoted(name)} was not found; its attributes are missing.`)
    } else if (task.open.has(group.is) || task.open.size > bounds.nestedGroups) {
      context.place.lost(`The attribute group ${quoted(name)} contains itself, or is nested too deeply.`)
    } else {
      const inside = { ...task, open: new Set([...task.open, group.is]) }
      this.#apply(group.is, inside, { written: group.in, place: context.place })
    }
  }

  #put(declared: Attribute, task: Task, context: Context, reference?: ResolvedReference): void {
    const attribute = this.#lookup.keyed(declared, { view: task.view, written: context.written })
    const key = this.#placeOf(attribute, task, context)
    const earlier = task.attributes.get(key)
    task.attributes.set(key, {
      attribute: earlier ? redefine(earlier.attribute, attribute) : attribute,
      level: task.level,
      written: context.written,
      reference: mergeReferences(earlier?.reference, reference ?? this.#references.linked(attribute, context.written)),
    })
  }

  /**
   * The key of an attribute in the map: its name, or an inherited name that differs only in case, because both would
   * be one column.
   */
  #placeOf(attribute: Attribute, task: Task, context: Context): string {
    const { name } = attribute
    if (task.attributes.has(name)) return name
    const folded = foldName(name)
    const spelling = task.spellings.get(folded)
    const inherited = spelling === undefined ? undefined : task.attributes.get(spelling)
    if (spelling === undefined || !inherited || inherited.level === task.level) {
      task.spellings.set(folded, name)
      return name
    }
    // Reports the attribute once, although every descendant gets here.
    if (this.#sameNames.has(attribute)) return spelling
    this.#sameNames.add(attribute)
    context.place.changed(
      `The inherited name ${quoted(spelling)} and the name ${quoted(name)} differ only in case; they were read as one attribute.`,
    )
    return spelling
  }

  #refer(member: Reference, task: Task, context: Context): void {
    if (!member.byReference && this.#include(member, task, context)) return
    if (member.isPlain) context.place.in(member.name).changed(plainReference)
    const format = member.renameFormat ?? '{a}{M}'
    const key = member.foreignKey ?? { name: 'id', dataType: 'entityId' }
    if (task.budget.targets > bounds.targetsPerEntity) return
    const reference = this.#references.of(member, { view: task.view, written: context.written })
    const count = reference.targets.length + reference.unknown.length
    if (!this.#budget.canAddTargets(count, task, context)) return
    if (count === 0) context.place.in(member.name).changed(noTarget)
    const rename = (name: string) => this.#renamed(format, member.name, '', name, context)
    this.#put({ ...key, name: rename(key.name) }, task, context, reference)
    if (!member.typeAttribute) return
    this.#put({ ...member.typeAttribute, name: rename(member.typeAttribute.name) }, task, context)
  }

  #renamed(format: string, owner: string, ordinal: string, name: string, { place }: Context): string {
    const made = renamed(format, owner, ordinal, name)
    if (made === undefined) place.changed(tooLongName(format, name))
    return made ?? name
  }

  /** Includes the target's attributes, once or per ordinal; returns false at the limit. */
  #include(member: Reference, task: Task, context: Context): boolean {
    const [target] = member.targets
    const inner = target && this.#attributesOf(target, task, context)
    if (!inner) return false
    const format = member.renameFormat ?? '{a}{M}'
    const { start, count, counted } = member.expansion ?? { start: 0, count: 1 }
    if (counted)
      this.#put({ ...counted, name: this.#renamed(format, member.name, '', counted.name, context) }, task, context)
    const filter = new AttributeFilter(member.takes)
    const keys = new IncludedKeys()
    for (let ordinal = start; ordinal < start + count; ordinal++) {
      const sign = member.expansion ? String(ordinal) : ''
      const rename = (name: string) => this.#renamed(format, member.name, sign, name, context)
      if (member.expansion && member.foreignKey) {
        this.#put({ ...member.foreignKey, name: rename(member.foreignKey.name) }, task, context)
      }
      for (const { attribute, written, reference } of inner.values()) {
        if (!this.#budget.canContinue(task, context)) return true
        const name = rename(attribute.name)
        if (!filter.has(attribute.name, name)) continue
        this.#put({ ...keys.demote(attribute, name), name }, task, { ...context, written }, reference)
      }
      if (member.typeAttribute) {
        this.#put({ ...member.typeAttribute, name: rename(member.typeAttribute.name) }, task, context)
      }
    }
    for (const one of [filter, keys]) one.report(context.place.in(member.name))
    return true
  }

  /** Adds a type attribute or the result of its projection. */
  #putProjected(member: Extract<Member, { kind: 'attribute' }>, task: Task, context: Context): void {
    if (member.projections.length === 0) {
      this.#put(member.attribute, task, context)
      return
    }
    const { attribute } = member
    const source = [stepOf({ attribute, level: task.level, written: context.written, reference: undefined })]
    this.#putSteps(this.#projected(source, { ...member, name: attribute.name }, [], task, context), task, context)
  }

  /** Adds the result of a projection on another entity's attributes. */
  #includeProjected(member: Extract<Member, { kind: 'projected' }>, task: Task, context: Context): void {
    const inner = this.#attributesOf(member.target, task, context)
    const place = context.place.in(member.name)
    if (!inner) {
      const name = typeof member.target.entity === 'string' ? quoted(member.target.entity) : 'its source'
      return place.lost(`The attributes of ${name} are missing: it was not found, or contains itself.`)
    }
    const steps = this.#projected([...inner.values()].map(stepOf), member, [member.target], task, context)
    const keys = new IncludedKeys()
    const here = steps.map(step => ({ ...step, attribute: keys.demote(step.attribute) }))
    keys.report(place)
    this.#putSteps(here, task, context)
  }

  /** Applies the projections on the parent to all inherited attributes. */
  #projectInherited(projections: readonly Projection[], task: Task, context: Context): void {
    if (projections.length === 0) return
    const source = task.attributes.values().map(stepOf).toArray()
    const steps = this.#projected(source, { name: '', projections }, [], task, context)
    task.attributes.clear()
    task.spellings.clear()
    for (const { attribute, of } of steps) {
      const isUnchanged = of.attribute === attribute
      const changed = { ...of, attribute, level: task.level, formerly: of.attribute.name }
      task.attributes.set(attribute.name, isUnchanged ? of : changed)
      task.spellings.set(foldName(attribute.name), attribute.name)
    }
  }

  #projected(
    source: readonly Step<ResolvedAttribute>[],
    { name, projections }: { name: string; projections: readonly Projection[] },
    targets: readonly Target[],
    task: Task,
    context: Context,
  ): readonly Step<ResolvedAttribute>[] {
    const projectionContext = {
      owner: name,
      canContinue: (count: number) => this.#budget.canContinue(task, context, count),
      warn: (message: string) => context.place.lost(message),
      report: (message: string) => (name === '' ? context.place : context.place.in(name)).lost(message),
      fresh: (attribute: Attribute, operation: Operation): ResolvedAttribute => {
        const attributeOf = operation.kind === 'replace' ? operation.reference : undefined
        const resolution = { view: task.view, written: context.written }
        const reference = attributeOf && this.#references.ofProjection(targets, name, attributeOf, resolution)
        return { attribute, level: task.level, written: context.written, reference: reference || undefined }
      },
    }
    return projections.reduce((steps, projection) => project(steps, projection, projectionContext), source)
  }

  #putSteps(steps: readonly Step<ResolvedAttribute>[], task: Task, context: Context): void {
    for (const { attribute, of } of steps) {
      if (!this.#budget.canContinue(task, context)) return
      this.#put(attribute, task, { ...context, written: of.written }, of.reference)
    }
  }

  #attributesOf(target: Target, task: Task, context: Context): ReadonlyMap<string, ResolvedAttribute> | undefined {
    if (typeof target.entity !== 'string') {
      const inside: Task = { ...task, attributes: new Map(), spellings: new Map() }
      this.#apply(target.entity, inside, context)
      return inside.attributes
    }
    const entity = this.#lookup.entity(target.entity, { view: task.view, written: context.written })
    if (!entity || task.open.has(entity.is) || task.open.size > bounds.nestedGroups) return undefined
    const chain = extendsChain(entity, this.#lookup, this.#report)
    return this.#resolveChain(chain, task.view, new Set([...task.open, entity.is]), task.budget).attributes
  }
}

type Task = {
  view: LoadedDocument
  level: number
  attributes: Map<string, ResolvedAttribute>
  /** First spelling of each folded name. */
  spellings: Map<string, string>
  /** Groups and entities currently being included, to stop recursion. */
  open: ReadonlySet<unknown>
  budget: { steps: number; targets: number }
}

type Context = { written: LoadedDocument; place: Place }

/**
 * Limits the work for a folder and for each entity, because nested groups and mutual inclusion can grow
 * exponentially.
 */
class WorkBudget {
  #steps = 0
  #targets = 0

  /**
   * Counts `count` more attributes and returns whether resolving may continue. Reports once that attributes are left
   * out; throws ImportError at the limit of the folder.
   */
  canContinue({ budget }: Task, { place }: Context, count = 1): boolean {
    const before = budget.steps
    this.#steps += count
    budget.steps += count
    const { attributesInAll, attributesPerEntity } = bounds
    if (this.#steps > attributesInAll)
      throw new ImportError('too-large', `The entities of this folder have more than ${attributesInAll} attributes.`)
    if (before < attributesPerEntity && budget.steps >= attributesPerEntity) {
      place.error(`It has more than ${attributesPerEntity} attributes; the others were left out.`)
    }
    return budget.steps < attributesPerEntity
  }

  /** Counts reference targets in the same way. */
  canAddTargets(count: number, { budget }: Task, { place }: Context): boolean {
    this.#targets += count
    budget.targets += count
    const { targetsInAll, targetsPerEntity } = bounds
    if (this.#targets > targetsInAll)
      throw new ImportError('too-large', `The references of this folder have more than ${targetsInAll} targets.`)
    if (budget.targets <= targetsPerEntity) return true
    place.error(`Its references have more than ${targetsPerEntity} targets; the others were left out.`)
    return false
  }
}

/** Applies an attribute filter and records the names that were present. */
class AttributeFilter {
  readonly #filter: InheritFilter | undefined
  readonly #seen = new Set<string>()

  constructor(filter: InheritFilter | undefined) {
    this.#filter = filter
  }

  /** The filter may name a renamed attribute by its old or new name. */
  has(name: string, renamedTo = name): boolean {
    const filter = this.#filter
    // Fast path: long inheritance chains call this millions of times, nearly always without a filter.
    if (!filter) return true
    if (filter.take) this.#seen.add(name).add(renamedTo)
    if (filter.avoid.has(name) || filter.avoid.has(renamedTo)) return false
    return filter.take === undefined || filter.take.has(name) || filter.take.has(renamedTo)
  }

  report(place: Place): void {
    const missing = [...(this.#filter?.take ?? [])].filter(name => !this.#seen.has(name))
    const message = describeMissing('selectsSomeTakeNames', missing)
    if (message !== undefined) place.lost(message)
  }
}

/**
 * Demotes keys of included entities, because they do not identify the including entity. Records the attributes
 * concerned.
 */
class IncludedKeys {
  readonly #names = new Set<string>()

  /** Returns the attribute as a non-key and records it under `name`. */
  demote(attribute: Attribute, name = attribute.name): Attribute {
    if (!isKey(attribute)) return attribute
    this.#names.add(name)
    const traits = attribute.traits?.filter(trait => traitName(trait) !== 'is.identifiedBy')
    return { ...attribute, purpose: 'hasA', isKey: false, ...(traits && { traits }) }
  }

  report(place: Place): void {
    const { size } = this.#names
    if (size === 0) return
    const what = size === 1 ? 'identifies the included entity; it is' : 'identify the included entity; they are'
    place.changed(`${someOf(this.#names)} ${what} not a key here.`)
  }
}
