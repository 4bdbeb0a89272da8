import type { Context } from './context.ts'
import type { ObjectKind, OtherObject } from './other-objects.ts'
import type { ReadSchema } from './read-schema.ts'
import { isEnd, type Token } from './token.ts'

/** By the words that follow CREATE, ALTER and DROP. Those of a kind that begins like another one come first. */
const kinds: readonly ObjectKind[] = [
  ...kindsOf(
    true,
    `MATERIALIZED VIEW LOG, Materialized view logs; MATERIALIZED VIEW, Materialized views; VIEW, Views; FUNCTION, Functions;
     PROCEDURE, Procedures; PROC, Procedures; CONSTRAINT TRIGGER, Triggers; EVENT TRIGGER, Event triggers; TRIGGER, Triggers;
     EVENT, Events; PACKAGE BODY, Package bodies; PACKAGE, Packages; POLICY, Row security policies; SECURITY POLICY, Security policies;
     RULE, Rules; AGGREGATE, Aggregates; OPERATOR CLASS, Operator classes; OPERATOR FAMILY, Operator families; OPERATOR, Operators;
     CAST, Casts; SEQUENCE, Sequences; PUBLIC SYNONYM, Synonyms; SYNONYM, Synonyms; ALIAS, Aliases; TYPE BODY, Type bodies; TYPE, Types;
     DOMAIN, Domains; ASSERTION, Assertions; DATABASE LINK, Database links; PUBLIC DATABASE LINK, Database links;
     SERVER, Foreign servers; TRANSFORM, Transforms; ASSEMBLY, Assemblies; XML SCHEMA COLLECTION, XML schema collections`,
  ),
  ...kindsOf(
    false,
    `EXTENSION, Extensions; PUBLICATION, Publications; SUBSCRIPTION, Subscriptions; COLLATION, Collations; STATISTICS, Statistics;
     TEXT SEARCH, Text search objects; FULLTEXT CATALOG, Full-text catalogues; USER MAPPING, User mappings; CONVERSION, Conversions;
     FOREIGN DATA WRAPPER, Foreign data wrappers; ACCESS METHOD, Access methods; LANGUAGE, Languages; CONTEXT, Contexts;
     PARTITION FUNCTION, Partition functions; PARTITION SCHEME, Partition schemes; DIRECTORY, Directories; TABLESPACE, Tablespaces;
     ROLE, Roles and users; USER, Roles and users; LOGIN, Roles and users; GROUP, Roles and users`,
  ),
]

function kindsOf(isLost: boolean, text: string): ObjectKind[] {
  return text.split(/;\s*/).map(one => {
    const [words = '', plural = ''] = one.split(/,\s*/)
    return { words: words.trim().split(' '), plural, isLost }
  })
}

const sequence = kindOf('SEQUENCE')
/** Models have no columns for them. */
const queryTable: ObjectKind = { words: [], plural: 'Tables without a list of columns', isLost: true, of: 'table' }

const byWord = Map.groupBy(kinds, ({ words: [first = ''] }) => first)

/** Words of MySQL and Oracle between CREATE and the kind of the object. */
const prefixes = new Set('DEFINER ALGORITHM SQL AGGREGATE FORCE NOFORCE TRUSTED PROCEDURAL'.split(' '))
/** Number of tokens of the longest: ``ALGORITHM=MERGE DEFINER=`a`@`b` SQL SECURITY INVOKER``. */
const maxPrefix = 12

/** The kind whose words begin at a token ahead. */
function kindAt({ cursor }: Context, ahead: number): ObjectKind | undefined {
  const candidates = byWord.get(cursor.peek(ahead).upper)
  return candidates?.find(({ words }) => words.every((word, at) => cursor.peek(ahead + at).upper === word))
}

/** Whether the words of a kind begin at the cursor. */
export function isOther(context: Context): boolean {
  return kindAt(context, 0) !== undefined
}

/** The kind and name of the object at the cursor; undefined if its kind is unknown. */
function takeObject(context: Context): Omit<OtherObject, 'line'> | undefined {
  const { cursor, dialect } = context
  const kind = kindAt(context, 0)
  if (!kind) return undefined
  cursor.skipWords(...kind.words)
  if (kind.words[0] === 'TEXT') cursor.take()
  if (!cursor.skipWords('IF', 'NOT', 'EXISTS')) cursor.skipWords('IF', 'EXISTS')
  if (kind.words[0] === 'USER') cursor.skipWords('FOR')
  const isName = isNamed(context) && kind.words[0] !== 'OPERATOR'
  const parts = isName ? cursor.qualifiedName() : [textUpToList(context)]
  // Elsewhere, their names are unique within the schema.
  const isInTable = dialect === 'postgresql' && inTables.has(kind.plural)
  return { kind, parts, on: isInTable ? tableOf(context) : '' }
}

const inTables = new Set(['Triggers', 'Rules', 'Row security policies'])

function isNamed({ cursor }: Context): boolean {
  const { kind } = cursor.peek()
  return kind === 'word' || kind === 'name'
}

/** `===` of an operator, `(a AS b)` of a cast. */
function textUpToList(context: Context): string {
  const { cursor } = context
  const start = cursor.peek()
  if (cursor.isSign('(')) cursor.skipOne()
  else while (!isEnd(cursor.peek()) && !cursor.isSign('(')) cursor.take()
  return context.textFrom(start)
}

/** The table after ON, or after TO in a rule. */
function tableOf(context: Context): string {
  const { cursor } = context
  skipTo(context, ['ON', 'AS'])
  if (cursor.skipWords('AS')) skipTo(context, ['TO'])
  if (!isEnd(cursor.peek())) cursor.take()
  return isNamed(context) ? cursor.qualifiedName().join('.') : ''
}

function skipTo({ cursor }: Context, words: readonly string[]): void {
  while (!isEnd(cursor.peek()) && !cursor.isWord(...words)) cursor.skipOne()
}

/** Reads CREATE for an object without a place in models, and returns its kind; undefined for an unknown one. */
export function createOther(context: Context, start: Token): ObjectKind | undefined {
  const { cursor, schema } = context
  cursor.skipWords('ALTER')
  if (prefixes.has(cursor.peek().upper)) skipPrefix(context)
  const object = takeObject(context)
  if (!object) return undefined
  context.countParts()
  if (object.kind !== sequence || !isOwned(context)) schema.otherObjects.add({ ...object, line: context.lineOf(start) })
  return object.kind
}

/** Adds an object that is named by a statement which has been read so far. */
export function addOther(
  context: Context,
  start: Token,
  { word, parts }: { word: string; parts: readonly string[] },
): void {
  const kind = kindOf(word)
  if (kind) context.schema.otherObjects.add({ kind, parts, on: '', line: context.lineOf(start) })
}

/** Adds a table whose columns a query or a type decides. */
export function addQueryTable(context: Context, start: Token, parts: readonly string[]): void {
  context.schema.otherObjects.add({ kind: queryTable, parts, on: '', line: context.lineOf(start) })
}

export function dropQueryTable({ schema }: Context, parts: readonly string[]): void {
  const known = schema.otherObjects.find({ kind: queryTable, parts, on: '' })
  if (known) schema.otherObjects.delete(known)
}

/** A type that the script creates, but which has no columns or values in models. */
export function dropOtherType({ schema }: Context, parts: readonly string[]): void {
  for (const word of ['TYPE', 'DOMAIN']) deleteOther(schema, word, parts)
}

/** A key generates its values by the sequence. */
export function deleteSequence({ schema }: Context, parts: readonly string[]): void {
  deleteOther(schema, 'SEQUENCE', parts)
}

function deleteOther({ otherObjects }: ReadSchema, word: string, parts: readonly string[]): void {
  const kind = kindOf(word)
  const known = kind && otherObjects.find({ kind, parts, on: '' })
  if (known) otherObjects.delete(known)
}

function kindOf(word: string): ObjectKind | undefined {
  return kinds.find(({ words }) => words.length === 1 && words[0] === word)
}

function skipPrefix(context: Context): void {
  const { cursor } = context
  for (let ahead = 0; ahead < maxPrefix && !isEnd(cursor.peek(ahead)); ahead += 1) {
    if (!kindAt(context, ahead)) continue
    for (let count = 0; count < ahead; count += 1) cursor.take()
    return
  }
}

/** Reads ALTER for such an object; false for an unknown one. */
export function alterOther(context: Context, start: Token): ObjectKind | undefined {
  const { cursor, schema } = context
  const object = takeObject(context)
  if (!object) return undefined
  const known = schema.otherObjects.find(object)
  const line = known?.line ?? context.lineOf(start)
  if (object.kind === sequence) {
    if (known && isOwned(context)) schema.otherObjects.delete(known)
  } else if (cursor.skipWords('RENAME', 'TO') && isNamed(context)) {
    if (known) schema.otherObjects.delete(known)
    const parts = [...object.parts.slice(0, -1), cursor.name()]
    schema.otherObjects.add({ ...object, parts, line })
  } else if (!known) schema.otherObjects.add({ ...object, line })
  return object.kind
}

/** Whether a column generates its values by the sequence, which is then no object of its own. */
function isOwned(context: Context): boolean {
  const { cursor } = context
  skipTo(context, ['OWNED'])
  return cursor.skipWords('OWNED', 'BY') && !cursor.isWord('NONE')
}

/** Reads DROP for such an object. */
export function dropOther(context: Context): void {
  const { cursor, schema } = context
  const kind = kindAt(context, 0)
  const first = takeObject(context)
  if (!kind || !first) return
  for (let object = first; ; object = { kind, parts: cursor.qualifiedName(), on: '' }) {
    const known = schema.otherObjects.find(object)
    if (known) schema.otherObjects.delete(known)
    // The types of a function's parameters.
    if (cursor.isSign('(')) cursor.skipOne()
    if (!cursor.skipSign(',') || !isNamed(context)) return
  }
}

/** Reports the objects that the script leaves behind. */
export function remarkOtherObjects(context: Context): void {
  for (const { kind, parts, on, line } of context.schema.otherObjects.all) {
    const name = on === '' ? parts.join('.') : `${parts.join('.')} on ${on}`
    const message = `${kind.plural} are not imported.`
    if (kind.isLost) context.lost(line, message, { name, of: kind.of })
    else context.note(line, message, { name })
  }
}
