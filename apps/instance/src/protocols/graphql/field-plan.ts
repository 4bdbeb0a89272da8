import type { Api } from '@cadmus/model/api/api'
import type { Operation, Selection, WrittenResult } from '@cadmus/model/api/operation'
import { joined, type TextPieces } from '@cadmus/model/text-pieces'
import type { RootField } from '@cadmus/formats/graphql/root-fields'
import { Kind, visit, type FieldNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql'
import { HttpError } from '../../http-error.ts'
import type { Admitted, Need } from '../../auth/admitted.ts'
import type { Arguments } from './arguments.ts'
import { fieldsBelow, frozenSelection, type Info } from './look-ahead.ts'
import { apiNamesOf, listingOf } from './listing.ts'
import { keyOf, minimalSelection, recordFrom } from './resolvers.ts'

/** A root field: the permission it needs, its one operation, and the JSON of its result. */
export type FieldPlan = {
  readonly need: Need
  readonly operationOf: (args: Arguments, variables: Arguments, caller: Admitted) => Operation
  readonly textOf: (result: WrittenResult) => TextPieces
}

type QuerySource = Pick<Info, 'schema' | 'fragments'>

/** The selection for a caller, checked for permission. Without variables it is computed once. */
type SelectionFor = (variables: Arguments, caller: Admitted) => Selection

/** Returns null if the field needs more than one operation, or its records cannot be written by the database. */
export function planField(api: Api, field: RootField, node: FieldNode, source: QuerySource): FieldPlan | null {
  const { entity, kind } = field
  switch (kind) {
    case 'selectAll':
      return listField(api, field, node, source)
    case 'select': {
      const select = selectionFor(api, field, [node], source)
      return fieldPlan(
        field,
        (args, variables, caller) => ({
          kind: 'select',
          entity: entity.name,
          key: keyOf(field, args),
          select: select(variables, caller),
        }),
        recordText,
      )
    }
    case 'insert':
    case 'update': {
      const { relations, layout } = frozenSelection(api, entity, [node], { ...source, variableValues: {} }, anyCaller)
      if (relations.length > 0) return null
      const names = apiNamesOf(field.names)
      const changed = { kind, entity: entity.name, ...(layout ? { layout } : {}) }
      return fieldPlan(field, args => ({ ...changed, record: recordFrom(args['record'], names) }), recordText)
    }
    case 'delete':
      return fieldPlan(
        field,
        args => ({ kind: 'delete', entity: entity.name, key: keyOf(field, args) }),
        () => 'true',
      )
    case 'aggregate':
      return null
  }
}

const anyCaller: Pick<Admitted, 'may'> = { may: () => true }

function listField(api: Api, field: RootField, node: FieldNode, source: QuerySource): FieldPlan {
  const { entity, names } = field
  const below = fieldsBelow([node], { ...source, variableValues: {} })
  const records = below.get('records')
  const least = Object.freeze(minimalSelection(entity))
  const select = records ? selectionFor(api, field, records, source) : () => least
  const members = [...below.keys()].map((member, at) => ({ member, before: `${at === 0 ? '{' : ','}"${member}":` }))
  const operationOf = (args: Arguments, variables: Arguments, caller: Admitted): Operation => ({
    kind: 'selectAll',
    entity: entity.name,
    select: select(variables, caller),
    ...listingOf(args, names),
  })
  return fieldPlan(field, operationOf, result => {
    if (result.kind !== 'list') throw new TypeError('The result is not a list.')
    const texts: Readonly<Record<string, TextPieces>> = {
      records: result.records,
      total: String(result.total),
      totalNotFiltered: String(result.totalNotFiltered),
      __typename: `"${names.type}List"`,
    }
    const parts: TextPieces[] = []
    for (const { member, before } of members) parts.push(before, texts[member] ?? 'null')
    return joined(...parts, '}')
  })
}

function fieldPlan(
  { entity, kind }: RootField,
  operationOf: FieldPlan['operationOf'],
  textOf: FieldPlan['textOf'],
): FieldPlan {
  return { need: { entity: entity.name, operation: kind === 'aggregate' ? 'selectAll' : kind }, operationOf, textOf }
}

function recordText(result: WrittenResult): TextPieces {
  if (result.kind !== 'record') throw new TypeError('The result is not a record.')
  return result.record
}

/** Throws if a relation is selected twice with different arguments. */
function selectionFor(api: Api, { entity }: RootField, nodes: readonly FieldNode[], source: QuerySource): SelectionFor {
  if (usesVariables(nodes, source.fragments)) {
    return (variables, caller) =>
      frozenSelection(api, entity, nodes, { ...source, variableValues: { ...variables } }, caller)
  }
  const needs: Exclude<Need, 'any'>[] = []
  const may = (need: Need) => {
    if (need !== 'any') needs.push(need)
    return true
  }
  const selection = frozenSelection(api, entity, nodes, { ...source, variableValues: {} }, { may })
  return (_variables, caller) => {
    const missing = needs.find(need => !caller.may(need))
    if (missing === undefined) return selection
    throw new HttpError(403, `The records of ${missing.entity} need a scope that the caller lacks.`)
  }
}

/** Whether a selection depends on variables. */
function usesVariables(
  nodes: readonly FieldNode[],
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): boolean {
  let hasVariable = false
  const look = (node: SelectionSetNode | undefined) =>
    node && visit(node, { [Kind.VARIABLE]: () => void (hasVariable = true) })
  for (const node of nodes) look(node.selectionSet)
  for (const fragment of Object.values(fragments)) look(fragment.selectionSet)
  return hasVariable
}
