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
import { permissionFor } from '../rest/surface.ts'
import { HttpError } from '../../http-error.ts'
import { invalidQuery } from './errors.ts'
import { apiNamesOf, listingOf } from './listing.ts'

export type Info = Pick<GraphQLResolveInfo, 'fragments' | 'schema' | 'variableValues'>

/**
 * The selection a query makes from an entity, with all nested relations. Throws an `OperationError` if a relation is
 * selected twice with different arguments, and an `HttpError` 403 if the caller may not read a relation.
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

/** A frozen selection with the layout of the answer, for queries without field aliases. */
export function frozenSelection(
  api: Api,
  entity: ApiEntity,
  nodes: readonly FieldNode[],
  info: Info,
  caller: Pick<Admitted, 'may'>,
): Selection {
  return Object.freeze(new LookAhead(api, info, caller, true).select(entity, nodes))
}

/** The fields directly below the nodes, by field name. An aliased field may occur several times. */
export function fieldsBelow(nodes: readonly FieldNode[], info: Info): ReadonlyMap<string, readonly FieldNode[]> {
  const fields = new Map<string, FieldNode[]>()
  const collect = (selections: readonly SelectionNode[]) => {
    for (const selection of selections) {
      if (!isIncluded(selection, info)) continue
      if (selection.kind === Kind.FIELD) {
        const { value } = selection.name
        fields.set(value, [...(fields.get(value) ?? []), selection])
      } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet.selections)
      else collect(info.fragments[selection.name.value]?.selectionSet.selections ?? [])
    }
  }
  for (const node of nodes) collect(node.selectionSet?.selections ?? [])
  return fields
}

/** The largest number of aliases under which the answer repeats a value. */
export function copiesOf(nodes: readonly FieldNode[], info: Info): number {
  const below = [...fieldsBelow(nodes, info).values()]
  return below.reduce((max, same) => Math.max(max, copiesOf(same, info)), nodes.length)
}

function isIncluded(node: SelectionNode, { variableValues }: Info): boolean {
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

  readonly #withLayout: boolean

  constructor(api: Api, info: Info, caller: Pick<Admitted, 'may'>, withLayout: boolean) {
    this.#api = api
    this.#names = apiNames(api)
    this.#info = info
    this.#caller = caller
    this.#withLayout = withLayout
  }

  select(entity: ApiEntity, nodes: readonly FieldNode[]): Selection {
    const names = this.#names.get(entity.name)
    const apiName = names ? apiNamesOf(names) : new Map<string, string>()
    const fields: string[] = []
    const relations: Selection['relations'][number][] = []
    const layout: LayoutMember[] = []
    for (const [member, children] of fieldsBelow(nodes, this.#info)) {
      const name = apiName.get(member) ?? member
      const relation = entity.relations.find(one => one.name === name)
      if (relation) relations.push(this.#related(entity, relation, member, children))
      else if (!member.startsWith('__')) fields.push(name)
      layout.push(member === '__typename' ? { as: member, text: names?.type ?? '' } : { as: member, member: name })
    }
    // The engine needs at least one field.
    const fallback = entity.key[0] ?? entity.fields[0]
    const selection = { fields: fields.length === 0 && fallback ? [fallback.name] : fields, relations }
    return this.#withLayout ? { ...selection, layout } : selection
  }

  #related(
    entity: ApiEntity,
    relation: ApiRelation,
    member: string,
    children: readonly FieldNode[],
  ): Selection['relations'][number] {
    const other = this.#api.entities.find(({ name }) => name === relation.entity)
    const names = this.#names.get(relation.entity)
    if (!other || !names) throw invalidQuery(`There is no relation "${relation.name}".`)
    if (!this.#caller.may(permissionFor(other.name, relation.kind))) {
      throw new HttpError(403, `The records of ${other.name} need a scope that the caller lacks.`)
    }
    const select = this.select(other, children)
    if (relation.kind === 'toOne') return { name: relation.name, select }
    return { name: relation.name, select, listing: this.#listing(entity, member, children, names) }
  }

  #listing(entity: ApiEntity, member: string, children: readonly FieldNode[], names: EntityNames): Listing {
    const parent = this.#info.schema.getType(this.#names.get(entity.name)?.type ?? '')
    const field = isObjectType(parent) ? parent.getFields()[member] : undefined
    if (!field) throw invalidQuery(`There is no relation "${member}".`)
    const listings = children.map(node => listingOf(getArgumentValues(field, node, this.#info.variableValues), names))
    const [listing] = listings
    if (!listing || listings.some(one => JSON.stringify(one) !== JSON.stringify(listing))) {
      throw invalidQuery(`"${member}" is selected twice with different arguments.`)
    }
    return listing
  }
}
