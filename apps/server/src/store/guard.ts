import type {
  KyselyPlugin,
  OperationNode,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely'
import { organisationTables } from './tables.ts'

const library = 0
const guarded: ReadonlySet<string | undefined> = new Set(organisationTables)
const column = 'organisation_id'

/**
 * Enforces the separation of organisations for every query: a query on an organisation's table must bind
 * `organisation_id` of each such table to this organisation (reads also to the library), by value or by equality with a
 * bound column. Writes must not set `organisation_id` to another value or overwrite rows of another organisation. With
 * `null` no such table may be accessed. Raw SQL cannot be inspected, so only reviewed fragments are allowed.
 */
export class OrganisationGuard implements KyselyPlugin {
  #organisation: number | null

  constructor(organisation: number | null) {
    this.#organisation = organisation
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    this.#check(node)
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result
  }

  #check(root: RootOperationNode): void {
    if (!kinds.has(root.kind)) throw new Error(`A query of the kind ${root.kind} is not guarded.`)
    for (const node of nodesWithin(root)) {
      if (node.kind === 'RawNode') checkText(node)
      if (node.kind === 'SelectQueryNode') this.#checkConditions(node, [this.#organisation, library])
      if (node.kind === 'UpdateQueryNode' || node.kind === 'DeleteQueryNode')
        this.#checkConditions(node, [this.#organisation])
      if (node.kind === 'InsertQueryNode') this.#checkInsert(node)
    }
  }

  #checkConditions(query: OperationNode, allowed: readonly (number | null)[]): void {
    const tables = tablesOf(query).filter(({ table }) => guarded.has(table))
    const implications: Implication[] = []
    const bound = new Set<string | undefined>()
    for (const { comparison, binds } of conditionsOf(query)) {
      const left = referenceOf(child(comparison, 'leftOperand'))
      if (left.column !== column) continue
      const right = child(comparison, 'rightOperand')
      const other = referenceOf(right)
      if (other.column === column) {
        if (binds(other.table)) implications.push([left.table, other.table])
        if (binds(left.table)) implications.push([other.table, left.table])
      }
      const values = valuesOf(right)
      const isOwn = values.length > 0 && values.every(value => allowed.some(id => id === value))
      if (isOwn && binds(left.table)) bound.add(left.table)
    }
    spread(bound, implications)
    for (const { table, alias } of tables) {
      if (this.#organisation === null) refuse(table)
      if (!bound.has(alias) && !(bound.has('') && tables.length === 1)) refuse(table)
      if (movesRows(list(query, 'updates'))) refuse(table)
    }
  }

  #checkInsert(query: OperationNode): void {
    const table = tableName(child(query, 'into'))
    if (!guarded.has(table)) return
    const columns = list(query, 'columns').map(columnName)
    const place = columns.indexOf(column)
    const rows = list(child(query, 'values'), 'values').map(cellsOf)
    const right = rows.length > 0 && rows.every(row => row[place] === this.#organisation)
    if (this.#organisation === null || !right || overwrites(query)) refuse(table)
  }
}

const kinds: ReadonlySet<string> = new Set([
  'SelectQueryNode',
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
  'RawNode',
])

function checkText(node: OperationNode): void {
  const text = asArray(property(node, 'sqlFragments')).join('?')
  if (!reviewedSql.has(text)) throw new Error(`Raw SQL that was not reviewed (raw-sql.ts): ${text}`)
}

function refuse(table: string | undefined): never {
  throw new Error(`A query on "${table}" does not stay within its organisation.`)
}

/** If the first table is bound, so is the second. */
type Implication = readonly [from: string, to: string]

function spread(bound: Set<string | undefined>, implications: readonly Implication[]): void {
  for (const _round of implications) for (const [from, to] of implications) if (bound.has(from)) bound.add(to)
}

/** Whether an insert may change an existing row of another organisation. */
function overwrites(insert: OperationNode): boolean {
  if (['replace', 'orAction', 'onDuplicateKey'].some(name => Boolean(property(insert, name)))) return true
  const conflict = child(insert, 'onConflict')
  const updates = list(conflict, 'updates')
  if (updates.length === 0) return false
  return movesRows(updates) || !list(conflict, 'columns').some(node => columnName(node) === column)
}

function movesRows(updates: readonly OperationNode[]): boolean {
  return updates.some(update => columnName(child(update, 'column')) === column)
}

/**
 * Returns all nodes of a query tree, including nested queries. A plain loop for speed, because it runs for every query.
 */
function nodesWithin(root: OperationNode): OperationNode[] {
  const nodes: OperationNode[] = []
  const open: unknown[] = [root]
  while (open.length > 0) {
    const next = open.pop()
    if (isNode(next)) nodes.push(next)
    else if (!Array.isArray(next)) continue
    for (const value of Object.values(next)) open.push(value)
  }
  return nodes
}

/** Returns the tables that a query itself reads or changes, not nested ones, with their aliases. */
function tablesOf(query: OperationNode): { table: string | undefined; alias: string | undefined }[] {
  const from = [...list(child(query, 'from'), 'froms'), ...nodesOf(child(query, 'table'))]
  const using = list(child(query, 'using'), 'tables')
  const joined = list(query, 'joins').flatMap(join => nodesOf(child(join, 'table')))
  return [...from, ...using, ...joined].map(node => ({
    table: tableName(node.kind === 'AliasNode' ? child(node, 'node') : node),
    alias: aliasOf(node),
  }))
}

/** The name under which conditions refer to a table or subquery. */
function aliasOf(node: OperationNode | undefined): string | undefined {
  return node?.kind === 'AliasNode' ? identifier(child(node, 'alias')) : tableName(node)
}

/** `binds`: whether every result row of the table with this alias fulfils the comparison. */
type Condition = { readonly comparison: OperationNode; readonly binds: (alias: string) => boolean }

/** Returns the comparisons that must hold: those in WHERE and joins, through AND and parentheses only. */
function conditionsOf(query: OperationNode): Condition[] {
  const where = conjuncts(child(child(query, 'where'), 'where'))
  return [
    ...where.map(comparison => ({ comparison, binds: () => true })),
    ...list(query, 'joins').flatMap(join =>
      conjuncts(child(child(join, 'on'), 'on')).map(comparison => ({ comparison, binds: bindingOf(join) })),
    ),
  ]
}

/** An outer join returns rows of its outer side even if they do not fulfil the condition. */
function bindingOf(join: OperationNode): Condition['binds'] {
  switch (property(join, 'joinType')) {
    case 'InnerJoin':
      return () => true
    case 'LeftJoin':
      return alias => alias === aliasOf(child(join, 'table'))
    default:
      return () => false
  }
}

function conjuncts(node: OperationNode | undefined): OperationNode[] {
  if (!node) return []
  if (node.kind === 'AndNode') return [...conjuncts(child(node, 'left')), ...conjuncts(child(node, 'right'))]
  if (node.kind === 'ParensNode') return conjuncts(child(node, 'node'))
  const operator = property(child(node, 'operator'), 'operator')
  return operator === '=' || operator === 'in' ? [node] : []
}

/** `table.column`; the table is '' if not qualified. Other operands have no column. */
function referenceOf(node: OperationNode | undefined): { table: string; column: string | undefined } {
  return { table: tableName(child(node, 'table')) ?? '', column: columnName(child(node, 'column')) }
}

/** The value or values of an operand; none for an expression. */
function valuesOf(node: OperationNode | undefined): unknown[] {
  return node?.kind === 'ValueNode' ? [property(node, 'value')] : asArray(property(node, 'values'))
}

/** The values of one inserted row; undefined for expressions. */
function cellsOf(row: OperationNode): unknown[] {
  return asArray(property(row, 'values')).map(cell => (isNode(cell) ? property(cell, 'value') : cell))
}

function tableName(node: OperationNode | undefined): string | undefined {
  return identifier(child(child(node, 'table'), 'identifier'))
}

function columnName(node: OperationNode | undefined): string | undefined {
  return identifier(child(node, 'column'))
}

function identifier(node: OperationNode | undefined): string | undefined {
  const name = property(node, 'name')
  return typeof name === 'string' ? name : undefined
}

function property(node: OperationNode | undefined, name: string): unknown {
  return node && Object.hasOwn(node, name) ? Reflect.get(node, name) : undefined
}

function child(node: OperationNode | undefined, name: string): OperationNode | undefined {
  const value = property(node, name)
  return isNode(value) ? value : undefined
}

function list(node: OperationNode | undefined, name: string): OperationNode[] {
  return asArray(property(node, name)).filter(isNode)
}

function nodesOf(node: OperationNode | undefined): OperationNode[] {
  if (node?.kind === 'ListNode') return list(node, 'items')
  return node ? [node] : []
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function isNode(value: unknown): value is OperationNode {
  return typeof value === 'object' && value !== null && 'kind' in value
}

/** Raw fragments of the query builder itself: a quoted column name, and sort directions. */
export const builderSql: readonly string[] = ['?', 'asc', 'desc']

/**
 * All raw SQL fragments allowed in queries. Each was reviewed to access no other table or row than the query around it.
 * `?` represents a value or a part made by the builder.
 */
export const reviewedSql: ReadonlySet<string> = new Set([
  ...builderSql,
  // Locks: an update without effect, and a revision counter.
  'name',
  'revision + 1',
  'id_block.next_id + ?',
  // The organisation's own scopes take precedence; the builder joins both tables.
  'coalesce(entity_scopes.scopes, entity.scopes)',
  'octet_length(body)',
  'octet_length(edits)',
  'case when sum(octet_length(scopes)) over () <= ? then scopes end',
  // Aggregates rows of the tables bound by the outer query.
  "case when entity.import_id = 0 then entity.id || ' ' || entity.content_hash || ' ' || entity.path end",
  'case manifest_member.entity_organisation_id when 0 then ? else ? end',
  'string_agg(?, ?)',
  'string_agg(?, ? order by ?, ?)',
  'concat_ws(?, entity.id, entity.name, entity.path)',
  'concat_ws(?, entity_reference.from_id, entity_reference.to_id, entity_reference.foreign_key, entity_reference.target)',
  // Updates planner statistics; returns no rows.
  'analyze entity, content, entity_column, entity_reference, manifest_member, search_text',
  // The database clock, and an offset to it.
  "cast(unixepoch('subsec') * 1000 as integer)",
  'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
  '? + ?',
  // The next job number; reveals only the number of jobs.
  '(select coalesce(max(sequence), 0) + 1 from job)',
  // Conditions on columns of tables bound by the outer query.
  'resolved = 0',
  "type <> 'EXCLUSIVE'",
  '(?, ?) > (?, ?)',
  // Replacing the prefix of a path, and matching one.
  'substr(path, 1, ?) = ?',
  '? || substr(path, ?)',
  '? || substr(folder, ?)',
  // The name index has no organisations: it only narrows entities that are bound separately.
  'entity.id in (select rowid from entity_search where entity_search match ?)',
  // Counts matches in the index up to a limit; affects only the search strategy.
  'select count(*) as count from (select 1 from entity_search where entity_search match ? limit ?)',
  'instr(entity.name_folded, ?) > 0',
  'instr(name_folded, ?) > 0',
  // Words start with the organisation's number, and the texts are bound separately.
  'search_text.id in (select rowid from search_word where search_word match ? limit ?)',
  'search_vector(search_text.words) @@ ?::tsquery',
  'lower(user_email) = ?',
  // The date of an ISO time.
  'substr(at, 1, ?)',
  // The condition of the partial index on attribute names.
  'length(entity_column.name) <= 200',
  // Searches: the pattern is a value; exact matches come first, then prefixes.
  'substr(entity.name_folded, 1, ?) = ?',
  'case when entity.name_folded = ? then 0 when ? then 1 else 2 end',
  String.raw`case when ? = ? then 0 when ? like ? escape '\' then 1 else 2 end`,
  String.raw`? like ? escape '\'`,
  String.raw`user_name_folded like ? escape '\'`,
  String.raw`(entity.path like ? escape '\' or lower(entity.path) like ? escape '\')`,
])
