import { type Column, columnName, columnsInOrder, columnsOf, isRelationship, isTypeAttribute } from '../columns.ts'
import type { EntityAttribute, EntityReference } from '../entity-attribute.ts'
import { foldName } from '../paths.ts'
import { finish, mapInSteps, type Steps } from '../steps.ts'
import type { TypeAttribute } from '../type-attribute.ts'
import { type FurtherColumn, lineText, type Reference } from './line.ts'
import type { Mark, MarkedText, TextEntity, TextModel } from './marked-text.ts'
import { checkBlock } from './text-checks.ts'
import { groupBlock } from './text-groups.ts'
import { enumBody } from './text-enumerations.ts'
import { nameText, quoted } from './tokens.ts'

/** The text of a model in its present state. Every name of an entity, attribute and relationship has a mark. */
export function printModel(model: TextModel): MarkedText {
  return finish(printing(model))
}

export function* printing(model: TextModel): Steps<MarkedText> {
  const text = new MarkedParts()
  const targets = new TargetTexts(model)
  if (model.project) printProject(text, model.project)
  if (model.project)
    for (const enumeration of model.enumerations ?? []) {
      text.startBlock()
      text.add('Enum ')
      text.mark(nameText(enumeration.name), 'enumeration', enumeration.uid)
      text.add(enumBody(enumeration))
    }
  yield* mapInSteps(model.entities, entity => printEntity(text, entity, targets))
  return text.joined()
}

class MarkedParts {
  readonly #parts: string[] = []
  readonly #marks: Mark[] = []
  #length = 0

  add(part: string): void {
    this.#parts.push(part)
    this.#length += part.length
  }

  mark(name: string, kind: Mark['kind'], uid: string): void {
    const from = this.#length
    this.add(name)
    this.#marks.push({ from, to: this.#length, kind, uid })
  }

  /** An empty line before a block, unless it is the first. */
  startBlock(): void {
    if (this.#length > 0) this.add('\n')
  }

  joined(): MarkedText {
    return { text: this.#parts.join(''), marks: this.#marks }
  }
}

function printProject(text: MarkedParts, { name, description }: NonNullable<TextModel['project']>): void {
  text.add(`Project ${nameText(name)} {\n`)
  if (description !== '') text.add(`  Note: ${quoted(description, "'")}\n`)
  text.add('}\n')
}

function printEntity(text: MarkedParts, { content }: TextEntity, targets: TargetTexts): void {
  const { name, uid, description, extendsEntity } = content
  text.startBlock()
  text.add('Table ')
  text.mark(nameText(name), 'entity', uid)
  text.add(extendsEntity ? ` [extends: ${quoted(targets.nameOf(extendsEntity), "'")}] {\n` : ' {\n')
  if (description !== '') text.add(`  Note: ${quoted(description, "'")}\n\n`)
  for (const column of columnsInOrder(content)) {
    const line = targets.lineOf(column)
    const shown = nameText(columnName(column))
    text.add('  ')
    text.mark(shown, kindOf(column), column.uid)
    text.add(`${line.slice(shown.length)}\n`)
  }
  for (const block of [groupBlock(content), checkBlock(content)]) if (block !== '') text.add(`\n${block}`)
  text.add('}\n')
}

export function kindOf(column: Column): Mark['kind'] {
  return isTypeAttribute(column) ? 'attribute' : 'relationship'
}

/** How the text of a model names the targets of its relationships. */
export class TargetTexts {
  readonly #entities: ReadonlyMap<number, TextEntity>
  readonly #names = new Map<number, string>()
  readonly #ids: ReadonlyMap<string, number>
  readonly #enumerations: ReadonlyMap<string, { uid: string; name: string }>
  readonly #counts = new Map<string, number>()
  /** Columns of each entity by name in its comparison form, and by uid. */
  readonly #columns = new Map<number, ReadonlyMap<string, Column>>()

  constructor({ entities, others, enumerations = [] }: TextModel) {
    this.#enumerations = new Map(enumerations.map(({ uid, name }) => [uid, { uid, name }]))
    this.#entities = new Map(entities.map(entity => [entity.id, entity]))
    this.#ids = new Map(entities.map(({ id, content }) => [content.uid, id]))
    const named = [...others, ...entities.map(({ id, content }) => ({ id, name: content.name }))]
    for (const { id, name } of named) {
      if (!this.#names.has(id)) this.#counts.set(foldName(name), (this.#counts.get(foldName(name)) ?? 0) + 1)
      this.#names.set(id, name)
    }
  }

  /** The present name of an entity. */
  nameOf(reference: EntityReference): string {
    return this.#names.get(this.#idOf(reference)) ?? reference.name
  }

  /** The column of the text that a relationship refers to. */
  targetColumn({ associatedEntity, ...relationship }: EntityAttribute): Column | undefined {
    const { associatedEntityTypeAttribute, associatedEntityTypeAttributeUid: uid } = relationship
    const columns = this.#columnsOf(this.#idOf(associatedEntity))
    return columns?.get(uid ?? '') ?? columns?.get(foldName(associatedEntityTypeAttribute))
  }

  /** References between entities that are not stored have a uid instead of an id. */
  #idOf({ id, uid }: EntityReference): number {
    return this.#names.has(id) ? id : (this.#ids.get(uid ?? '') ?? id)
  }

  lineOf(column: Column): string {
    if (isTypeAttribute(column)) return lineText(this.#shown(column), null)
    return lineText(column, this.#targetOf(column), this.#furtherOf(column))
  }

  /** Choices of an enumeration of another manifest stand for themselves. */
  #shown(attribute: TypeAttribute): TypeAttribute {
    const { enumeration } = attribute
    return enumeration ? { ...attribute, enumeration: this.#enumerations.get(enumeration.uid) ?? null } : attribute
  }

  #furtherOf({ associatedEntity, alsoBy }: EntityAttribute): FurtherColumn[] {
    const columns = alsoBy.length === 0 ? undefined : this.#columnsOf(this.#idOf(associatedEntity))
    return alsoBy.map(({ name, target, targetUid }) => {
      const column = columns?.get(targetUid ?? '')
      return { name, target: column ? columnName(column) : target }
    })
  }

  #targetOf(relationship: EntityAttribute): Reference {
    const { associatedEntity, associatedEntityTypeAttribute } = relationship
    const name = this.#names.get(this.#idOf(associatedEntity))
    const table = this.nameOf(associatedEntity)
    const target = this.targetColumn(relationship)
    const column = target ? columnName(target) : associatedEntityTypeAttribute
    const isTable = name !== undefined && name !== '' && this.#counts.get(foldName(table)) === 1
    return { table, column, isNamed: isTable && column !== '' && this.#isNamed(relationship, target) }
  }

  /** The language knows no inherited columns, no column that refers to itself, and one reference between two columns. */
  #isNamed(relationship: EntityAttribute, target: Column | undefined): boolean {
    if (!target) return !this.#entities.has(this.#idOf(relationship.associatedEntity))
    if (target.uid === relationship.uid) return false
    const isMutual = isRelationship(target) && this.targetColumn(target)?.uid === relationship.uid
    return !isMutual || relationship.uid < target.uid
  }

  #columnsOf(id: number): ReadonlyMap<string, Column> | undefined {
    const entity = this.#entities.get(id)
    if (!entity) return undefined
    const columns = this.#columns.get(id) ?? columnsByName(entity)
    this.#columns.set(id, columns)
    return columns
  }
}

function columnsByName({ content }: TextEntity): ReadonlyMap<string, Column> {
  const columns = columnsOf(content)
  return new Map([
    ...columns.map(column => [foldName(columnName(column)), column] as const),
    ...columns.map(column => [column.uid, column] as const),
  ])
}
