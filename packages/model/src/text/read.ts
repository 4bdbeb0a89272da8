import { assignPositions, withAutomaticKey } from '../apply-request.ts'
import { type Column, columnName, columnsInOrder, columnsOf, isRelationship, isTypeAttribute } from '../columns.ts'
import { type EntityEdit, entityEditsBetween } from '../edits/entity-edits.ts'
import { type EntityContent, type EntityNode, newEntityContent } from '../entity.ts'
import { withSettledConstraints } from '../constraints.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { textTexts } from '../messages/text.ts'
import { twoKeysProblem } from '../one-key.ts'
import { foldName } from '../paths.ts'
import { rowIn } from '../problem.ts'
import { checkFaults, faultText } from '../rules/checks.ts'
import { entityProblems } from '../rules/entity.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { type LineFields, type Outside, readLine } from './line.ts'
import type { Answers, Mark, MarkedText, TextEntity, TextModel, TextProblem, TextReading } from './marked-text.ts'
import { type MatchedColumn, type MatchedTable, matching, relationshipShape, shapeText } from './match.ts'
import { outsideOf } from './outside.ts'
import { maxProblems, parseText, parsing } from './parse.ts'
import type { ParsedColumn, ParsedText, Range, Setting } from './parsed-text.ts'
import { MarkIndex } from './places.ts'
import { type NewEntities, withLinksAsStored, withoutLinks } from './links.ts'
import { kindOf, TargetTexts } from './print.ts'
import { columnOf } from './read-column.ts'
import { newEntityId, Targets } from './targets.ts'
import { readChecks } from './text-checks.ts'
import { readGroups } from './text-groups.ts'
import { type EnumsByName, isTypeName } from './named-values.ts'
import { modelEnums, readEnumerations, type ReadEnumerations } from './text-enumerations.ts'

/**
 * What a text means for the model that it shows. Identity is decided by marks, then by names, then by place and shape; a deleted line is
 * a removal. `answers`: to the doubts of a reading before.
 */
export function* reading(marked: MarkedText, model: TextModel, answers: Answers = new Map()): Steps<TextReading> {
  const { text, marks } = marked
  const none = {
    doubts: [],
    edits: new Map(),
    added: [],
    links: new Map(),
    missing: [],
    marks,
    enumerations: null,
    choosing: new Map(),
  }
  if (text.length > limits.modelText) {
    const message = textTexts.tooLong(limits.modelText)
    return { ...none, problems: [{ from: limits.modelText, to: text.length, message }] }
  }
  const parsed = yield* parsing(text)
  // A line that cannot be read is not a deleted one.
  if (parsed.problems.length > 0) return { ...none, problems: parsed.problems }
  return yield* new ModelReader(marked, parsed, { model, answers }).read()
}

type Line = { fields: LineFields; places: ReadonlyMap<string, Range> }
type ReadLine = { line: Line | undefined; problems: readonly TextProblem[] }
type TableAfter = { table: MatchedTable; content: EntityContent }

class ModelReader {
  readonly #marked: MarkedText
  readonly #parsed: ParsedText
  readonly #model: TextModel
  readonly #answers: Answers
  readonly #problems: TextProblem[] = []
  readonly #outside: ReadonlyMap<ParsedColumn, Outside>
  readonly #read = new Map<ParsedColumn, ReadLine>()
  readonly #texts: TargetTexts
  readonly #enumerations: ReadEnumerations
  readonly #modelEnums: EnumsByName
  /** Lines of checks by uid. */
  readonly #checkPlaces = new Map<string, Range>()

  constructor(marked: MarkedText, parsed: ParsedText, { model, answers }: { model: TextModel; answers: Answers }) {
    this.#marked = marked
    this.#parsed = parsed
    this.#model = model
    this.#answers = answers
    this.#texts = new TargetTexts(model)
    this.#outside = outsideOf(parsed, this.#report)
    const index = new MarkIndex(marked.marks)
    this.#enumerations = readEnumerations(parsed, model, { marks: index, report: this.#report })
    this.#modelEnums = modelEnums(model)
  }

  readonly #report = ({ from, to }: Range, message: string): void => {
    this.#problems.push({ from, to, message })
  }

  /** Most lines are as shown and need not be read. */
  #readOf(column: ParsedColumn): ReadLine {
    const known = this.#read.get(column)
    if (known) return known
    const problems: TextProblem[] = []
    const report = ({ from, to }: Range, message: string) => void problems.push({ from, to, message })
    const { named: enums } = this.#enumerations
    const read = { line: readLine(column, { enums, outside: this.#outside.get(column), report }), problems }
    this.#read.set(column, read)
    return read
  }

  #lineOf(column: ParsedColumn): Line | undefined {
    return this.#readOf(column).line
  }

  *read(): Steps<TextReading> {
    yield
    const { tables, doubts } = yield* matching(this.#parsed.tables, this.#model, {
      marks: this.#marked.marks,
      answers: this.#answers,
      shapeOf: column => this.#shapeOf(column),
    })
    const targets = new Targets(this.#model, tables, column => this.#lineOf(column)?.fields)
    const after = yield* mapInSteps(tables, table => ({ table, content: this.#contentOf(table, targets) }))
    this.#checkProject()
    this.#checkIgnored()
    this.#checkTableNames(tables)
    const fresh: NewEntities = new Set(tables.filter(({ entity }) => !entity).map(({ uid }) => uid))
    // What could not be read breaks rules, too.
    const unread = new Set(this.#problems.map(placeText))
    yield* mapInSteps(after, one => this.#check(one, fresh, unread))
    yield* this.#checkTargets(after)
    this.#checkKeys(after)
    yield
    const { edits, links } = yield* editsOf(after, fresh)
    const present = new Set(tables.map(({ entity }) => entity))
    const missing = this.#model.entities.filter(entity => !present.has(entity))
    for (const [id, some] of this.#movedFrom(tables, missing)) edits.set(id, some)
    const read = yield* mapInSteps(after, marksOf)
    return {
      problems: this.#problems.toSorted((a, b) => a.from - b.from).slice(0, maxProblems),
      doubts,
      edits,
      added: after.flatMap(({ table, content }) => (table.entity ? [] : [content])),
      links,
      missing,
      marks: [...this.#enumerations.marks, ...read.flat()].toSorted((a, b) => a.from - b.from),
      enumerations: this.#enumerations.all,
      choosing: this.#choosing(tables),
    }
  }

  /** Attributes of existing entities whose lines name a new enumeration. */
  #choosing(tables: readonly MatchedTable[]): Map<number, EntityEdit[]> {
    const { named } = this.#enumerations
    const chosen = ({ parsed: { type, settings }, uid }: MatchedColumn) => {
      const setting = settings.find(({ key }) => key === 'enum')
      const one = setting ? named(textOf(setting)) : isTypeName(type.word) ? named(type.word) : undefined
      return one?.coming ? [{ uid, change: { enumeration: one.coming, choices: [...one.values] } }] : []
    }
    const edits = new Map<number, EntityEdit[]>()
    if (this.#enumerations.all === null) return edits
    for (const { entity, columns } of tables) {
      const changes = entity ? columns.flatMap(chosen) : []
      if (entity && changes.length > 0) edits.set(entity.id, [{ kind: 'changeAttributes', changes }])
    }
    return edits
  }

  /** A block around lines would remove what they stand for. */
  #checkIgnored(): void {
    const { text, marks } = this.#marked
    const { ignored } = this.#parsed
    let at = 0
    for (const mark of marks) {
      while ((ignored[at]?.to ?? Number.POSITIVE_INFINITY) < mark.to) at += 1
      const isHidden = mark.from >= (ignored[at]?.from ?? Number.POSITIVE_INFINITY)
      if (isHidden) this.#report(mark, textTexts.ignored(text.slice(mark.from, mark.to)))
    }
  }

  #shapeOf(column: ParsedColumn): string | undefined {
    const fields = this.#lineOf(column)?.fields
    if (!fields) return undefined
    return fields.reference ? relationshipShape : shapeText(fields.shape)
  }

  /** The entity as its table shows it. */
  #contentOf(table: MatchedTable, targets: Targets): EntityContent {
    const { parsed, entity } = table
    const columns = table.columns.map(line => this.#columnOf(line, table, targets))
    const description = parsed.note ?? ''
    const extendsEntity = this.#parentOf(table, targets)
    if (!entity) {
      const lists = placed(columns)
      const groups = readGroups(table, extendsEntity !== null, this.#report)
      const checks = this.#checksOf(table)
      const own = { name: parsed.name.text, uid: table.uid, description, extendsEntity, groups, checks }
      const content = newEntityContent({ ...own, ...lists })
      return extendsEntity ? content : withAutomaticKey(content)
    }
    const { content } = entity
    const lists = listsOf(content, columns)
    const groups = readGroups(table, content.extendsEntity !== null, this.#report)
    const checks = this.#checksOf(table)
    const isSame = content.name === parsed.name.text && content.description === description
    if (isSame && lists === content && groups === content.groups && checks === content.checks) return content
    return withSettledConstraints(
      { ...content, ...lists, name: parsed.name.text, description, groups, checks },
      content,
    )
  }

  #checksOf(table: MatchedTable): EntityContent['checks'] {
    const { checks, places } = readChecks(table, this.#report)
    for (const [uid, place] of places) this.#checkPlaces.set(uid, place)
    return checks
  }

  #parentOf({ parsed, entity }: MatchedTable, targets: Targets): EntityContent['extendsEntity'] {
    const setting = parsed.settings.find(({ key }) => key === 'extends')
    const name = setting && textOf(setting)
    const former = entity?.content.extendsEntity ?? null
    const parent = name === undefined ? undefined : targets.entity(name)
    if (entity) {
      const shown = former ? this.#texts.nameOf(former) : undefined
      const isSame = name === shown || (parent && parent.id === former?.id)
      if (!isSame) this.#report(setting ?? parsed.name, textTexts.parent)
      return former
    }
    if (name === undefined) return null
    if (parent && parent.id !== newEntityId) return parent
    this.#report(setting ?? parsed.name, textTexts.unknownTarget(name))
    return null
  }

  #columnOf(line: MatchedColumn, table: MatchedTable, targets: Targets): Column | null {
    const { parsed, uid } = line
    const old = line.old?.column ?? (table.entity && this.#model.removed?.get(uid)) ?? null
    const shown = old && this.#texts.lineOf(old)
    const isOutside = this.#outside.has(parsed)
    // An import may have brought what could not be typed.
    if (old && !isOutside && shown === this.#marked.text.slice(parsed.from, parsed.to)) return old
    const { line: read, problems } = this.#readOf(parsed)
    this.#problems.push(...problems)
    if (!read) return old
    const before = shown === null ? undefined : fieldsOf(shown, this.#modelEnums)
    return columnOf({
      uid,
      name: parsed.name.text,
      fields: read.fields,
      old,
      before,
      report: (field, message) => this.#report(placeOf(parsed, read, field), message),
      target: reference => targets.target(reference, table),
    })
  }

  #checkProject(): void {
    const { project } = this.#parsed
    const shown = this.#model.project
    if (!project || !shown || this.#model.entities.length === 0) return
    if (project.name !== shown.name || project.note !== shown.description) this.#report(project, textTexts.project)
  }

  #checkTableNames(tables: readonly MatchedTable[]): void {
    const tableOf = new Map(tables.map(table => [table.entity, table]))
    const isUnchanged = (table: MatchedTable) => table.entity?.content.name === table.parsed.name.text
    const missing = this.#model.entities.filter(entity => !tableOf.has(entity))
    const taken = new Set(
      [...missing.map(({ content }) => content.name), ...tables.filter(isUnchanged).map(nameOf)].map(foldName),
    )
    for (const table of tables.filter(one => !isUnchanged(one))) {
      if (taken.has(foldName(nameOf(table)))) this.#report(table.parsed.name, messages.entityExists(nameOf(table)))
      taken.add(foldName(nameOf(table)))
    }
  }

  /** The rules of an entity, each at its line. */
  #check({ table, content }: TableAfter, fresh: NewEntities, unread: ReadonlySet<string>): void {
    const { entity, parsed, columns } = table
    if (content === entity?.content) return
    if (entity && !entity.isEditable) {
      this.#report(parsed.name, textTexts.notEditable(entity.content.name))
      return
    }
    const lines = new Map(columns.map(({ uid, parsed: line }) => [uid, line]))
    const options = entity ? { previous: entity.content, id: entity.id } : {}
    const stored = withLinksAsStored(content, fresh)
    const faults = new Map(checkFaults(stored, entity?.content).map(fault => [faultText(fault), fault]))
    for (const { path, field = '', message } of entityProblems(stored, options)) {
      const fault = field === 'checks' ? faults.get(message) : undefined
      if (fault) {
        this.#report(this.#checkPlaces.get(fault.check.uid) ?? parsed.name, fault.message)
        continue
      }
      const line = lines.get(rowIn(path)?.uid ?? '')
      const read = line && this.#lineOf(line)
      const place = line && read && placeOf(line, read, field)
      if (place && unread.has(placeText(place))) continue
      if (place) this.#report(place, message)
      else this.#report(message === messages.oneKey ? this.#lastKey(table) : parsed.name, message)
    }
  }

  /** A relationship needs the column that it refers to. */
  *#checkTargets(after: readonly TableAfter[]): Steps<void> {
    const removed = new Set<string>()
    for (const { table, content } of after) {
      if (!table.entity || table.entity.content === content) continue
      const present = new Set(columnsOf(content).map(({ uid }) => uid))
      for (const { uid } of columnsOf(table.entity.content)) if (!present.has(uid)) removed.add(uid)
    }
    yield
    if (removed.size === 0) return
    yield* mapInSteps(after, ({ table, content }) => {
      const lines = new Map(table.columns.map(({ uid, parsed }) => [uid, parsed]))
      for (const relationship of content.entityAttributes) {
        const target = this.#texts.targetColumn(relationship)
        const line = lines.get(relationship.uid)
        const read = line && this.#lineOf(line)
        if (!line || !read || !target || !removed.has(target.uid)) continue
        const entity = this.#texts.nameOf(relationship.associatedEntity)
        this.#report(placeOf(line, read, 'reference'), textTexts.removedTarget(entity, columnName(target)))
      }
    })
  }

  /** An entity with an inherited key has no other one. */
  #checkKeys(after: readonly TableAfter[]): void {
    const before = new Map(this.#model.entities.map(entity => [entity.id, nodeOf(entity, entity.content)]))
    const now = new Map(before)
    for (const { table, content } of after) if (table.entity) now.set(table.entity.id, nodeOf(table.entity, content))
    for (const { table, content } of after) {
      const { entity } = table
      const [old, next] = [before.get(entity?.id ?? 0), now.get(entity?.id ?? 0)]
      if (!entity?.content.extendsEntity || !old || !next || content === entity.content) continue
      const state = (one: EntityNode, all: ReadonlyMap<number, EntityNode>) => ({
        entity: one,
        lookup: (id: number) => all.get(id),
      })
      const problem = twoKeysProblem(state(old, before), state(next, now))
      if (problem) this.#report(this.#lastKey(table), problem.message)
    }
  }

  #lastKey({ columns, parsed }: MatchedTable): Range {
    const lines = columns.flatMap(({ parsed: line }) => this.#lineOf(line) ?? [])
    return lines.findLast(({ fields }) => fields.isKey)?.places.get('isKey') ?? parsed.name
  }

  /** Removals from entities without a table, whose lines are now in another one. */
  #movedFrom(tables: readonly MatchedTable[], missing: readonly TextEntity[]): Map<number, EntityEdit[]> {
    const isMissing = new Set(missing)
    const edits = new Map<number, EntityEdit[]>()
    for (const { old, parsed } of missing.length === 0 ? [] : tables.flatMap(({ columns }) => columns)) {
      if (!old || !isMissing.has(old.entity)) continue
      const { id, isEditable, content } = old.entity
      if (!isEditable) this.#report(parsed.name, textTexts.notEditable(content.name))
      const { uid } = old.column
      const kind = isTypeAttribute(old.column) ? 'removeAttributes' : 'removeRelationships'
      edits.set(id, [...(edits.get(id) ?? []), { kind, uids: [uid] }])
    }
    return edits
  }
}

/** Edits by id of existing entities, and further ones that need the new entities. */
function* editsOf(after: readonly TableAfter[], fresh: NewEntities) {
  const edits = new Map<number, EntityEdit[]>()
  const links = new Map<number, EntityEdit[]>()
  yield* mapInSteps(after, ({ table: { entity }, content }) => {
    if (!entity || entity.content === content) return
    const first = withoutLinks(content, fresh, entity.content)
    const own = entityEditsBetween(entity.content, first)
    if (own.length > 0) edits.set(entity.id, own)
    const later = first === content ? [] : entityEditsBetween(first, content)
    if (later.length > 0) links.set(entity.id, later)
  })
  return { edits, links }
}

function nodeOf({ id, path }: TextEntity, content: EntityContent): EntityNode {
  return { ...content, id, path }
}

function nameOf({ parsed }: MatchedTable): string {
  return parsed.name.text
}

function placeText({ from, to }: Range): string {
  return `${from} ${to}`
}

function textOf({ value }: Setting): string {
  return value.map(({ text }) => text).join('')
}

/** The fields of a line as printed. */
function fieldsOf(shown: string, enums: EnumsByName): LineFields | undefined {
  const { tables } = parseText(`Table x {\n${shown}\n}`)
  const column = tables[0]?.columns[0]
  return column && readLine(column, { enums, report: () => {} })?.fields
}

const typeFields = new Set([
  'shape',
  'dataType',
  'format',
  'maxLength',
  'precision',
  'scale',
  'choices',
  'foreignKeyDataType',
])
const placesOfFields: Readonly<Record<string, string>> = {
  associatedEntity: 'reference',
  associatedEntityTypeAttribute: 'reference',
  purpose: 'isKey',
  defaultKind: 'defaultValue',
  foreignKeyPurpose: 'isKey',
}

function placeOf({ name, type }: ParsedColumn, { places }: Line, field: string): Range {
  const place = places.get(placesOfFields[field] ?? field)
  if (place) return { from: place.from, to: place.to }
  return typeFields.has(field) ? { from: type.from, to: type.to } : { from: name.from, to: name.to }
}

function marksOf({ table, content }: TableAfter): Mark[] {
  const { parsed, uid, columns } = table
  const kinds = new Map(
    [...content.typeAttributes, ...content.entityAttributes].map(column => [column.uid, kindOf(column)]),
  )
  const { from, to } = parsed.name
  return [
    { from, to, kind: 'entity', uid },
    ...columns.map(({ parsed: { name }, uid: own }) => ({
      from: name.from,
      to: name.to,
      kind: kinds.get(own) ?? 'attribute',
      uid: own,
    })),
  ]
}

/** Columns in the order of their lines, numbered from 0. */
function placed(columns: readonly (Column | null)[]) {
  const inOrder = columns.filter(column => column !== null).map((column, position) => ({ ...column, position }))
  return { typeAttributes: inOrder.filter(isTypeAttribute), entityAttributes: inOrder.filter(isRelationship) }
}

/** The lists of an entity with the columns of its lines; the same lists if nothing changed. */
function listsOf(
  content: EntityContent,
  lines: readonly (Column | null)[],
): Pick<EntityContent, 'typeAttributes' | 'entityAttributes'> {
  const columns = lines.filter(column => column !== null)
  const former = columnsInOrder(content)
  const isSame = columns.length === former.length && columns.every((column, index) => column === former[index])
  if (isSame) return content
  const places = new Map(former.map(({ uid, position }) => [uid, position]))
  const staying = columns.filter(({ uid }) => places.has(uid)).map(({ uid }) => uid)
  const present = new Set(staying)
  const isOrdered = former.filter(({ uid }) => present.has(uid)).every(({ uid }, index) => uid === staying[index])
  const isAppended = columns.slice(0, staying.length).every(({ uid }) => places.has(uid))
  const last = former.reduce((most, { position }) => Math.max(most, position), -1)
  // Places of their own stay, even if several are equal.
  if (isOrdered && isAppended) {
    const moved = columns.map((column, index) =>
      at(column, places.get(column.uid) ?? last + 1 + index - staying.length),
    )
    return inLists(moved, content)
  }
  const claims = columns.map((value, requested) => ({ value, requested, before: places.get(value.uid) }))
  return inLists(assignPositions(claims, []).first, content)
}

function at<T extends Column>(column: T, position: number): T {
  return column.position === position ? column : { ...column, position }
}

/** In the order of the former lists, then new ones. */
function inLists(columns: readonly Column[], former: EntityContent) {
  const byUid = new Map(columns.map(column => [column.uid, column]))
  const isFormer = new Set([...former.typeAttributes, ...former.entityAttributes].map(({ uid }) => uid))
  const ordered = (list: readonly Column[]) => list.flatMap(({ uid }) => byUid.get(uid) ?? [])
  const all = [
    ...ordered(former.typeAttributes),
    ...ordered(former.entityAttributes),
    ...columns.filter(({ uid }) => !isFormer.has(uid)),
  ]
  return { typeAttributes: all.filter(isTypeAttribute), entityAttributes: all.filter(isRelationship) }
}
