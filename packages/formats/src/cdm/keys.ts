import type { Attribute } from './attribute.ts'
import { bounds } from './bounds.ts'
import { extendsChain } from './extends-chain.ts'
import { renamed } from './guidance.ts'
import type { Lookup, ResolutionScope } from './lookup.ts'
import type { Member } from './member.ts'
import type { Report } from './report.ts'
import { isKey } from './resolved.ts'
import type { LocatedEntity } from './scope.ts'

export class Keys {
  readonly #lookup: Lookup
  readonly #report: Report
  readonly #keys = new Map<object, string>()

  constructor(lookup: Lookup, report: Report) {
    this.#lookup = lookup
    this.#report = report
  }

  /** Name of the entity's identifying attribute, or ''. Ignores reference targets, so reference cycles are harmless. */
  of(entity: LocatedEntity): string {
    const cached = this.#keys.get(entity.is)
    if (cached !== undefined) return cached
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

  #keyAmong(members: readonly Member[], resolution: ResolutionScope, searched: Set<unknown>): string | undefined {
    for (const member of members) {
      const key = this.#keyIn(member, resolution, searched)
      if (key !== undefined) return key
    }
    return undefined
  }

  #keyIn(member: Member, resolution: ResolutionScope, searched: Set<unknown>): string | undefined {
    const isKeyHere = (attribute: Attribute) => isKey(this.#lookup.keyed(attribute, resolution))
    if (member.kind === 'attribute') return isKeyHere(member.attribute) ? member.attribute.name : undefined
    if (member.kind === 'group') return this.#keyAmong(member.members, resolution, searched)
    if (member.kind === 'reference') {
      const { foreignKey, renameFormat = '{a}{M}' } = member
      if (!foreignKey || !isKeyHere(foreignKey)) return undefined
      return renamed(renameFormat, member.name, '', foreignKey.name) ?? foreignKey.name
    }
    if (member.kind === 'projected') return undefined
    const group = this.#lookup.scope.find('groups', member.name, resolution.view, resolution.written)
    if (!group || searched.has(group.is) || searched.size > bounds.nestedGroups) return undefined
    searched.add(group.is)
    return this.#keyAmong(group.is, { ...resolution, written: group.in }, searched)
  }
}
