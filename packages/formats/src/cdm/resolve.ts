import { foldName } from '@cadmus/model/paths'
import { ImportError, quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'
import type { Attribute } from './attribute.ts'
import type { LoadedDocument } from './corpus.ts'
import { isTaken, renamed } from './guidance.ts'
import { extendsChain } from './extends-chain.ts'
import type { Lookup, Outlook } from './lookup.ts'
import type { Member, Reference, Target } from './member.ts'
import type { Place, Report } from './report.ts'
import {
  byAnyCase,
  isKey,
  merged,
  restated,
  type ResolvedAttribute,
  type ResolvedEntity,
  type ResolvedReference,
  type ResolvedTarget,
} from './resolved.ts'
import type { FoundEntity } from './scope.ts'

type Task = {
  view: LoadedDocument
  level: number
  attributes: Map<string, ResolvedAttribute>
  /** The name that was first written for each folded name. */
  spellings: Map<string, string>
  /** Groups and entities that are being taken in, so that one that contains itself ends. */
  open: ReadonlySet<unknown>
  effort: { steps: number }
}

type Context = { written: LoadedDocument; place: Place }

/** Resolves entities: what they extend, then their own members, every name looked up from the resolved entity's document. */
export class Resolver {
  readonly #lookup: Lookup
  readonly #report: Report
  readonly #resolved = new Map<object, ResolvedEntity>()
  readonly #keys = new Map<object, string>()
  readonly #twins = new Set<Attribute>()
  #steps = 0

  constructor(lookup: Lookup, report: Report) {
    this.#lookup = lookup
    this.#report = report
  }

  resolve(entity: FoundEntity): ResolvedEntity {
    const known = this.#resolved.get(entity.is)
    if (known) return known
    const chain = extendsChain(entity, this.#lookup, this.#report)
    const task = this.#resolveChain(chain, entity.in, new Set([entity.is]))
    const resolved = { entity, chain, attributes: task.attributes, named: byAnyCase(task.attributes) }
    this.#resolved.set(entity.is, resolved)
    return resolved
  }

  #resolveChain(
    chain: readonly FoundEntity[],
    view: LoadedDocument,
    open: ReadonlySet<unknown>,
    effort = { steps: 0 },
  ): Task {
    const task: Task = { view, level: 0, attributes: new Map(), spellings: new Map(), open, effort }
    chain.forEach((ancestor, level) => {
      task.level = level
      for (const name of task.attributes.keys()) if (!isTaken(name, ancestor.is.inherits)) task.attributes.delete(name)
      const place = this.#report.at(`${ancestor.in.document.path}/${ancestor.is.name}`)
      this.#apply(ancestor.is.members, task, { written: ancestor.in, place })
    })
    return task
  }

  #apply(members: readonly Member[], task: Task, context: Context): void {
    for (const member of members) {
      if (!this.#mayGoOn(task, context)) return
      if (member.kind === 'attribute') {
        this.#put(member.attribute, task, context)
        for (const supporting of member.supporting) this.#put(supporting, task, context)
        if (member.removes) task.attributes.delete(member.attribute.name)
      } else if (member.kind === 'group') {
        this.#apply(member.members, task, context)
      } else if (member.kind === 'named') {
        this.#applyNamed(member.name, task, context)
      } else {
        this.#refer(member, task, context)
      }
    }
  }

  /** Groups in groups, and entities that take each other in, could multiply without end. */
  #mayGoOn(task: Task, context: Context): boolean {
    this.#steps++
    task.effort.steps++
    if (this.#steps > bounds.attributesInAll) {
      throw new ImportError(
        'too-large',
        `The entities of this folder have more than ${bounds.attributesInAll} attributes.`,
      )
    }
    if (task.effort.steps === bounds.attributesPerEntity) {
      context.place.error(`It has more than ${bounds.attributesPerEntity} attributes; the others were left out.`)
    }
    return task.effort.steps < bounds.attributesPerEntity
  }

  #applyNamed(name: string, task: Task, context: Context): void {
    const group = this.#lookup.scope.find('groups', name, task.view, context.written)
    if (!group) {
      context.place.warning(`The attribute group ${quoted(name)} was not found; its attributes are missing.`)
    } else if (task.open.has(group.is) || task.open.size > bounds.nestedGroups) {
      context.place.warning(`The attribute group ${quoted(name)} contains itself, or is nested too deeply.`)
    } else {
      const inside = { ...task, open: new Set([...task.open, group.is]) }
      this.#apply(group.is, inside, { written: group.in, place: context.place })
    }
  }

  #put(attribute: Attribute, task: Task, context: Context, reference?: ResolvedReference): void {
    const key = this.#placeOf(attribute, task, context)
    const earlier = task.attributes.get(key)
    task.attributes.set(key, {
      attribute: earlier ? restated(earlier.attribute, attribute) : attribute,
      level: task.level,
      written: context.written,
      reference: merged(earlier?.reference, reference ?? this.#linked(attribute, context)),
    })
  }

  /**
   * Under which name an attribute stands: its own. Where an inherited name differs from it in case only both are one attribute,
   * as they would be one column, and stand under the inherited name.
   */
  #placeOf(attribute: Attribute, task: Task, context: Context): string {
    const { name } = attribute
    if (task.attributes.has(name)) return name
    const folded = foldName(name)
    const twin = task.spellings.get(folded)
    const inherited = twin === undefined ? undefined : task.attributes.get(twin)
    if (twin === undefined || !inherited || inherited.level === task.level) {
      task.spellings.set(folded, name)
      return name
    }
    // Every descendant comes by here again; the line is about the attribute.
    if (this.#twins.has(attribute)) return twin
    this.#twins.add(attribute)
    context.place.warning(
      `The names ${quoted(twin)}, which it inherits, and ${quoted(name)} differ in case only; they were read as one attribute.`,
    )
    return twin
  }

  #refer(member: Reference, task: Task, context: Context): void {
    if (!member.byReference && this.#takeIn(member, task, context)) return
    const format = member.renameFormat ?? '{a}{M}'
    const key = member.foreignKey ?? { name: 'id', dataType: 'entityId' }
    const reference = this.#targets(member, { view: task.view, written: context.written })
    this.#put({ ...key, name: renamed(format, member.name, '', key.name) }, task, context, reference)
    if (!member.typeAttribute) return
    const name = renamed(format, member.name, '', member.typeAttribute.name)
    this.#put({ ...member.typeAttribute, name }, task, context)
  }

  #targets(member: Reference, outlook: Outlook): ResolvedReference {
    const targets: ResolvedTarget[] = []
    const unknown: { name: string; attribute: string | undefined }[] = []
    for (const target of member.targets.flatMap(one => this.#options(one, member.selectsOne, outlook))) {
      if (typeof target.entity !== 'string') continue
      const entity = this.#lookup.entity(target.entity, outlook)
      if (entity) targets.push({ entity, attribute: target.attribute ?? this.keyOf(entity) })
      else unknown.push({ name: target.entity, attribute: target.attribute })
    }
    return { name: member.name, description: member.description, targets, unknown }
  }

  /** A choice of targets lists them as entity attributes, in an entity written in place or one that is named. */
  #options(target: Target, selectsOne: boolean, outlook: Outlook): readonly Target[] {
    if (!selectsOne) return [target]
    const members =
      typeof target.entity === 'string' ? this.#lookup.entity(target.entity, outlook)?.is.members : target.entity
    return (members ?? []).flatMap(member => (member.kind === 'reference' ? member.targets : []))
  }

  /** A foreign key written as a plain attribute, with a trait that links it. */
  #linked(attribute: Attribute, context: Context): ResolvedReference | undefined {
    if (!attribute.links) return undefined
    const found = attribute.links.map(link => ({ link, entity: this.#lookup.entityAt(link.path, context.written) }))
    return {
      name: attribute.name,
      description: attribute.description,
      targets: found.flatMap(({ link, entity }) =>
        entity ? [{ entity, attribute: link.attribute ?? this.keyOf(entity) }] : [],
      ),
      unknown: found.flatMap(({ link, entity }) => (entity ? [] : [{ name: link.path, attribute: link.attribute }])),
    }
  }

  /** Takes the attributes of the target in, once or by ordinals; false where that would not end. */
  #takeIn(member: Reference, task: Task, context: Context): boolean {
    const [target] = member.targets
    const inner = target && this.#attributesOf(target, task, context)
    if (!inner) return false
    const format = member.renameFormat ?? '{a}{M}'
    const { start, count } = member.expansion ?? { start: 0, count: 1 }
    for (let ordinal = start; ordinal < start + count; ordinal++) {
      const rename = (name: string) => renamed(format, member.name, member.expansion ? String(ordinal) : '', name)
      if (member.expansion && member.foreignKey) {
        this.#put({ ...member.foreignKey, name: rename(member.foreignKey.name) }, task, context)
      }
      for (const { attribute, written, reference } of inner.values()) {
        if (!this.#mayGoOn(task, context)) return true
        if (!isTaken(attribute.name, member.takes)) continue
        this.#put({ ...attribute, name: rename(attribute.name) }, task, { ...context, written }, reference)
      }
    }
    return true
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
    return this.#resolveChain(chain, task.view, new Set([...task.open, entity.is]), task.effort).attributes
  }

  /** The name of the entity's identifying attribute, or ''. Looks at no target, so reference cycles do no harm. */
  keyOf(entity: FoundEntity): string {
    const known = this.#keys.get(entity.is)
    if (known !== undefined) return known
    this.#keys.set(entity.is, '')
    const chain = extendsChain(entity, this.#lookup, this.#report)
    const searched = new Set<unknown>()
    let key: string | undefined
    for (const ancestor of chain) {
      key ??= this.#keyAmong(ancestor.is.members, { view: entity.in, written: ancestor.in }, searched)
    }
    this.#keys.set(entity.is, key ?? '')
    return key ?? ''
  }

  #keyAmong(members: readonly Member[], outlook: Outlook, searched: Set<unknown>): string | undefined {
    for (const member of members) {
      const key = this.#keyIn(member, outlook, searched)
      if (key !== undefined) return key
    }
    return undefined
  }

  #keyIn(member: Member, outlook: Outlook, searched: Set<unknown>): string | undefined {
    if (member.kind === 'attribute') return isKey(member.attribute) ? member.attribute.name : undefined
    if (member.kind === 'group') return this.#keyAmong(member.members, outlook, searched)
    if (member.kind === 'reference') {
      const { foreignKey, renameFormat = '{a}{M}' } = member
      return foreignKey && isKey(foreignKey) ? renamed(renameFormat, member.name, '', foreignKey.name) : undefined
    }
    const group = this.#lookup.scope.find('groups', member.name, outlook.view, outlook.written)
    if (!group || searched.has(group.is) || searched.size > bounds.nestedGroups) return undefined
    searched.add(group.is)
    return this.#keyAmong(group.is, { ...outlook, written: group.in }, searched)
  }
}
