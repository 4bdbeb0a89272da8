import type { Api } from '@cadmus/model/api/api'
import type { Operation, Selection, WrittenResult } from '@cadmus/model/api/operation'
import { joined, type TextPieces } from '@cadmus/model/text-pieces'
import type { RootField } from '@cadmus/formats/graphql/root-fields'
import { Kind, visit, type FieldNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql'
import { HttpError } from '../../http-error.ts'
import type { Admitted, Need } from '../../auth/admitted.ts'
import type { Arguments } from './arguments.ts'
import { fieldsBelow, laidOut, type Info } from './look-ahead.ts'
import { apiNamesOf, listingOf } from './listing.ts'
import { keyOf, leastOf, sentRecord } from './resolvers.ts'

/** A field at the root: what its caller must be allowed, the one operation that it is, and the JSON of its result. */
export type PlannedField = {
  readonly need: Need
  readonly operationOf: (args: Arguments, variables: Arguments, caller: Admitted) => Operation
  readonly textOf: (result: WrittenResult) => TextPieces
}

type Written = Pick<Info, 'schema' | 'fragments'>

/** What is read of records, for a caller who may; without variables it is always the same. */
type Selecting = (variables: Arguments, caller: Admitted) => Selection

/** Null for a field that is answered by something else than one operation whose records are written. */
export function plannedField(api: Api, field: RootField, node: FieldNode, written: Written): PlannedField | null {
  const { entity, kind } = field
  switch (kind) {
    case 'selectAll':
      return listField(api, field, node, written)
    case 'select': {
      const select = selecting(api, field, [node], written)
      return planned(
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
      const { relations, layout } = laidOut(api, entity, [node], { ...written, variableValues: {} }, everybody)
      if (relations.length > 0) return null
      const names = apiNamesOf(field.names)
      const changed = { kind, entity: entity.name, ...(layout ? { layout } : {}) }
      return planned(field, args => ({ ...changed, record: sentRecord(args['record'], names) }), recordText)
    }
    case 'delete':
      return planned(
        field,
        args => ({ kind: 'delete', entity: entity.name, key: keyOf(field, args) }),
        () => 'true',
      )
    case 'aggregate':
      return null
  }
}

const everybody: Pick<Admitted, 'may'> = { may: () => true }

function listField(api: Api, field: RootField, node: FieldNode, written: Written): PlannedField {
  const { entity, names } = field
  const below = fieldsBelow([node], { ...written, variableValues: {} })
  const records = below.get('records')
  const least = Object.freeze(leastOf(entity))
  const select = records ? selecting(api, field, records, written) : () => least
  const members = [...below.keys()].map((member, at) => ({ member, before: `${at === 0 ? '{' : ','}"${member}":` }))
  const operationOf = (args: Arguments, variables: Arguments, caller: Admitted): Operation => ({
    kind: 'selectAll',
    entity: entity.name,
    select: select(variables, caller),
    ...listingOf(args, names),
  })
  return planned(field, operationOf, result => {
    if (result.kind !== 'list') throw new TypeError('What was listed is no list.')
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

function planned(
  { entity, kind }: RootField,
  operationOf: PlannedField['operationOf'],
  textOf: PlannedField['textOf'],
): PlannedField {
  return { need: { entity: entity.name, operation: kind === 'aggregate' ? 'selectAll' : kind }, operationOf, textOf }
}

function recordText(result: WrittenResult): TextPieces {
  if (result.kind !== 'record') throw new TypeError('What was read is no record.')
  return result.record
}

/** Throws where a relation is asked for in two ways. */
function selecting(api: Api, { entity }: RootField, nodes: readonly FieldNode[], written: Written): Selecting {
  if (usesVariables(nodes, written.fragments)) {
    return (variables, caller) => laidOut(api, entity, nodes, { ...written, variableValues: { ...variables } }, caller)
  }
  const needs: Exclude<Need, 'any'>[] = []
  const may = (need: Need) => {
    if (need !== 'any') needs.push(need)
    return true
  }
  const selection = laidOut(api, entity, nodes, { ...written, variableValues: {} }, { may })
  return (_variables, caller) => {
    const lacking = needs.find(need => !caller.may(need))
    if (lacking === undefined) return selection
    throw new HttpError(403, `The records of ${lacking.entity} need a scope that is not given.`)
  }
}

/** Whether what is asked of records depends on variables. */
function usesVariables(
  nodes: readonly FieldNode[],
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): boolean {
  let found = false
  const look = (node: SelectionSetNode | undefined) =>
    node && visit(node, { [Kind.VARIABLE]: () => void (found = true) })
  for (const node of nodes) look(node.selectionSet)
  for (const fragment of Object.values(fragments)) look(fragment.selectionSet)
  return found
}
