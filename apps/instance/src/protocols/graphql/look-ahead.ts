import type { Api, ApiEntity, ApiRelation } from '@cadmus/model/api/api'
import type { LayoutMember, Listing, Selection } from '@cadmus/model/api/operation'
import { apiNames, type EntityNames } from '@cadmus/formats/api-names'
import {
  getArgumentValues,
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLResolveInfo,
  type SelectionNode,
} from 'graphql'
import type { Admitted } from '../../auth/admitted.ts'
import { needFor } from '../rest/selections.ts'
import { HttpError } from '../../http-error.ts'
import { invalidQuery } from './faults.ts'
import { apiNamesOf, listingOf } from './listing.ts'

export type Info = Pick<GraphQLResolveInfo, 'fragments' | 'schema' | 'variableValues'>

/**
 * What a query reads of the records of an entity, as one selection, however deep. Throws an `OperationError` where a relation is asked
 * for twice in two ways, and an `HttpError` 403 where it leads to what the caller may not read.
 */
export function selectionOf(
  api: Api,
  entity: ApiEntity,
  nodes: readonly FieldNode[],
  info: Info,
  caller: Pick<Admitted, 'may'>,
): Selection {
  return new LookAhead(api, info, caller, false).select(entity, nodes)
}

/** The same with the layout of the answer, where every field has its own name there. Nothing of it changes any more. */
export function laidOut(
  api: Api,
  entity: ApiEntity,
  nodes: readonly FieldNode[],
  info: Info,
  caller: Pick<Admitted, 'may'>,
): Selection {
  return Object.freeze(new LookAhead(api, info, caller, true).select(entity, nodes))
}

/** The fields that are asked for right below others, by their names: one that is asked for twice has two. */
export function fieldsBelow(nodes: readonly FieldNode[], info: Info): ReadonlyMap<string, readonly FieldNode[]> {
  const found = new Map<string, FieldNode[]>()
  const take = (selections: readonly SelectionNode[]) => {
    for (const selection of selections) {
      if (!isTaken(selection, info)) continue
      if (selection.kind === Kind.FIELD) {
        const { value } = selection.name
        found.set(value, [...(found.get(value) ?? []), selection])
      } else if (selection.kind === Kind.INLINE_FRAGMENT) take(selection.selectionSet.selections)
      else take(info.fragments[selection.name.value]?.selectionSet.selections ?? [])
    }
  }
  for (const node of nodes) take(node.selectionSet?.selections ?? [])
  return found
}

/** How often the answer holds the same value, under several names, at most. */
export function copiesOf(nodes: readonly FieldNode[], info: Info): number {
  const below = [...fieldsBelow(nodes, info).values()]
  return below.reduce((most, same) => Math.max(most, copiesOf(same, info)), nodes.length)
}

function isTaken(node: SelectionNode, { variableValues }: Info): boolean {
  if (!node.directives || node.directives.length === 0) return true
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variableValues)
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variableValues)
  return skip?.['if'] !== true && include?.['if'] !== false
}

class LookAhead {
  readonly #api: Api
  readonly #names: ReadonlyMap<string, EntityNames>
  readonly #info: Info
  readonly #caller: Pick<Admitted, 'may'>

  readonly #isLaidOut: boolean

  constructor(api: Api, info: Info, caller: Pick<Admitted, 'may'>, isLaidOut: boolean) {
    this.#api = api
    this.#names = apiNames(api)
    this.#info = info
    this.#caller = caller
    this.#isLaidOut = isLaidOut
  }

  select(entity: ApiEntity, nodes: readonly FieldNode[]): Selection {
    const names = this.#names.get(entity.name)
    const apiName = names ? apiNamesOf(names) : new Map<string, string>()
    const fields: string[] = []
    const relations: Selection['relations'][number][] = []
    const layout: LayoutMember[] = []
    for (const [member, asked] of fieldsBelow(nodes, this.#info)) {
      const name = apiName.get(member) ?? member
      const relation = entity.relations.find(one => one.name === name)
      if (relation) relations.push(this.#related(entity, relation, member, asked))
      else if (!member.startsWith('__')) fields.push(name)
      layout.push(member === '__typename' ? { as: member, text: names?.type ?? '' } : { as: member, member: name })
    }
    // Records without a field would be none.
    const least = entity.key ?? entity.fields[0]
    const selection = { fields: fields.length === 0 && least ? [least.name] : fields, relations }
    return this.#isLaidOut ? { ...selection, layout } : selection
  }

  #related(
    entity: ApiEntity,
    relation: ApiRelation,
    member: string,
    asked: readonly FieldNode[],
  ): Selection['relations'][number] {
    const other = this.#api.entities.find(({ name }) => name === relation.entity)
    const names = this.#names.get(relation.entity)
    if (!other || !names) throw invalidQuery(`There is no relation "${relation.name}".`)
    if (!this.#caller.may(needFor(other.name, relation.kind))) {
      throw new HttpError(403, `The records of ${other.name} need a scope that is not given.`)
    }
    const select = this.select(other, asked)
    if (relation.kind === 'toOne') return { name: relation.name, select }
    return { name: relation.name, select, listing: this.#listing(entity, member, asked, names) }
  }

  #listing(entity: ApiEntity, member: string, asked: readonly FieldNode[], names: EntityNames): Listing {
    const parent = this.#info.schema.getType(this.#names.get(entity.name)?.type ?? '')
    const field = isObjectType(parent) ? parent.getFields()[member] : undefined
    if (!field) throw invalidQuery(`There is no relation "${member}".`)
    const listings = asked.map(node => listingOf(getArgumentValues(field, node, this.#info.variableValues), names))
    const [listing] = listings
    if (!listing || listings.some(one => JSON.stringify(one) !== JSON.stringify(listing))) {
      throw invalidQuery(`"${member}" is asked for twice with different arguments, which one record cannot hold.`)
    }
    return listing
  }
}
