import { type Column, columnName, isKey, isTypeAttribute } from '../columns.ts'
import { type DefaultKind, onDeleteActions, type OnDelete } from '../data-types.ts'
import { sheetTexts } from '../messages/sheet.ts'
import { textTexts } from '../messages/text.ts'
import { readFlag } from '../sheet/words.ts'
import type { TypeAttribute } from '../type-attribute.ts'
import { computedNamed, expressionsOf } from '../values/computed.ts'
import { endpointOf } from './endpoint.ts'
import type { Endpoint, ParsedColumn, Range, Report, Setting } from './parsed-text.ts'
import { nameText, quoted, type Token, tokensOf } from './tokens.ts'
import type { EnumsByName } from './named-values.ts'
import { isType, readType, type Shape, typeText } from './type-text.ts'

/**
 * A reference as the text has it: `column` is empty where only the table is named; `isNamed`: whether it is a reference of the language,
 * not a setting of ours for what that cannot name.
 */
export type Reference = { table: string; column: string; isNamed: boolean }

export type FurtherColumn = { name: string; target: string }

/** What a line shows of an attribute or relationship, besides its name. */
export type LineFields = {
  shape: Shape
  isKey: boolean
  nullable: boolean
  unique: boolean
  indexed: boolean
  defaultValue: string | null
  defaultKind: DefaultKind
  description: string
  reference: Reference | null
  onDelete: OnDelete
  onUpdate: OnDelete
  /** Further columns of the foreign key, with their targets. */
  alsoBy: readonly FurtherColumn[]
}

/** The line of an attribute, or of a relationship to a target. The name comes first. */
export function lineText(column: Column, target: Reference | null, further: readonly FurtherColumn[] = []): string {
  const type = isTypeAttribute(column) ? typeText(column) : column.foreignKeyDataType
  const settings = settingsOf(column, target, further)
  return `${nameText(columnName(column))} ${type}${settings.length === 0 ? '' : ` [${settings.join(', ')}]`}`
}

function settingsOf(column: Column, target: Reference | null, further: readonly FurtherColumn[]): string[] {
  const { nullable, unique, description } = column
  const settings: string[] = isKey(column) ? ['pk'] : []
  if (isKey(column) === nullable) settings.push(nullable ? 'null' : 'not null')
  if (unique) settings.push('unique')
  if (isTypeAttribute(column)) settings.push(...attributeSettings(column))
  else {
    settings.push(...referenceSettings(target))
    if (further.length > 0) settings.push(`also: ${quoted(furtherText(further), "'")}`)
    // Not a word of the language, whose own settings have texts.
    if (column.onDelete !== 'restrict') settings.push(`delete: '${column.onDelete}'`)
    if (column.onUpdate !== 'restrict') settings.push(`update: '${column.onUpdate}'`)
  }
  if (description !== '') settings.push(`note: ${quoted(description, "'")}`)
  return settings
}

function attributeSettings(attribute: TypeAttribute): string[] {
  const { indexed, defaultValue, defaultKind } = attribute
  const computed = defaultKind === 'literal' ? [] : [`default: \`${expressionsOf[defaultKind]}\``]
  const own = attribute.enumeration && !isType(attribute) ? [`enum: ${quoted(attribute.enumeration.name, "'")}`] : []
  const written = defaultValue === null ? computed : [`default: ${literal(attribute)}`]
  return [...own, ...(indexed ? ["indexed: 'yes'"] : []), ...written]
}

function referenceSettings(target: Reference | null): string[] {
  if (target === null) return []
  const name = `${nameText(target.table)}.${nameText(target.column)}`
  return [target.isNamed ? `ref: > ${name}` : `refers: ${quoted(name, "'")}`]
}

/** `line > lineNo, place > shelf` */
export function furtherText(further: readonly FurtherColumn[]): string {
  return further.map(({ name, target }) => `${nameText(name)} > ${nameText(target)}`).join(', ')
}

function readFurther(text: string): FurtherColumn[] | undefined {
  const tokens = tokensOf(text).tokens.slice(0, -1)
  const further: FurtherColumn[] = []
  for (let at = 0; at < tokens.length; at += 4) {
    const [name, sign, target, comma] = tokens.slice(at, at + 4)
    const isPair = [name, target].every(one => one?.kind === 'word' || one?.kind === 'name') && sign?.text === '>'
    if (!isPair || (comma !== undefined && comma.text !== ',')) return undefined
    further.push({ name: name?.text ?? '', target: target?.text ?? '' })
  }
  return further
}

const plainLiterals: Readonly<Record<string, RegExp>> = {
  boolean: /^(?:true|false)$/,
  integer: /^-?\d{1,15}$/,
  double: /^-?\d{1,15}(?:\.\d{1,15})?$/,
  float: /^-?\d{1,15}(?:\.\d{1,15})?$/,
}

function literal({ dataType, defaultValue }: TypeAttribute): string {
  const value = defaultValue ?? ''
  return plainLiterals[dataType]?.test(value) ? value : quoted(value, "'")
}

/** What is written of a column outside its line: in a block `Ref` or `indexes`. */
export type Outside = { references: Endpoint[]; settings: Setting[] }

type ReadContext = { enums: EnumsByName; outside?: Outside | undefined; report: Report }

/** What a line means, or undefined if its type is unknown. Places: of settings by field, for problems. */
export function readLine(
  column: ParsedColumn,
  { enums, outside, report }: ReadContext,
): { fields: LineFields; places: Map<string, Range> } | undefined {
  const shape = readType(column.type, enums)
  if ('reason' in shape) {
    report(column.type, shape.reason)
    return undefined
  }
  const reader = new SettingsReader(shape, enums, report)
  for (const setting of column.settings) reader.read(setting, false)
  for (const setting of outside?.settings ?? []) reader.read(setting, true)
  for (const reference of outside?.references ?? []) reader.refer(reference)
  return { fields: reader.fields(), places: reader.places }
}

class SettingsReader {
  readonly places = new Map<string, Range>()
  readonly #fields: LineFields
  readonly #enums: EnumsByName
  readonly #report: Report
  #nullable: boolean | undefined
  readonly #seen = new Set<string>()

  constructor(shape: Shape, enums: EnumsByName, report: Report) {
    this.#enums = enums
    const none = { isKey: false, nullable: true, unique: false, indexed: false, defaultValue: null, description: '' }
    this.#fields = {
      shape,
      ...none,
      defaultKind: 'literal',
      reference: null,
      onDelete: 'restrict',
      onUpdate: 'restrict',
      alsoBy: [],
    }
    this.#report = report
  }

  /** Settings outside may repeat those of the line. */
  read(setting: Setting, isOutside: boolean): void {
    const field = fieldsOfKeys.get(setting.key)
    if (field === undefined) {
      if (!isOutside) this.#report(setting, textTexts.unknownSetting(setting.key))
      return
    }
    if (!isOutside && field !== 'check' && this.#seen.has(field))
      this.#report(setting, textTexts.repeatedSetting(setting.key))
    this.#seen.add(field)
    this.places.set(field, setting)
    this.#set(field, setting)
  }

  #set(field: string, setting: Setting): void {
    const fields = this.#fields
    if (field === 'isKey') fields.isKey = true
    if (field === 'nullable') this.#nullable = setting.key === 'null'
    if (field === 'unique') fields.unique = true
    if (field === 'indexed') fields.indexed = this.#flag(setting)
    if (field === 'defaultValue') this.#default(setting)
    if (field === 'description') fields.description = this.#text(setting)
    if (field === 'check' && setting.value[0]?.kind !== 'expression') this.#report(setting, textTexts.noCondition)
    if (field === 'enumeration') this.#enumeration(setting)
    if (field === 'onDelete') fields.onDelete = this.#action(setting)
    if (field === 'onUpdate') fields.onUpdate = this.#action(setting)
    if (field === 'alsoBy') fields.alsoBy = this.#further(setting)
    if (field === 'reference') this.#reference(setting, setting.value)
    if (field === 'refersTo') this.#reference(setting, [arrow, ...tokensOf(this.#text(setting)).tokens.slice(0, -1)])
  }

  refer({ table, columns, from, to }: Endpoint, isNamed = true): void {
    if (columns.length > 1) this.#report({ from, to }, textTexts.manyColumns)
    if (this.#fields.reference) this.#report({ from, to }, textTexts.severalReferences)
    this.#fields.reference = { table: table.text, column: columns[0]?.text ?? '', isNamed }
    this.places.set('reference', { from, to })
  }

  fields(): LineFields {
    const fields = this.#fields
    return { ...fields, nullable: this.#nullable ?? !fields.isKey }
  }

  #flag(setting: Setting): boolean {
    const text = setting.value.length === 0 ? 'yes' : textOf(setting.value)
    const flag = readFlag(text)
    if (flag === undefined) this.#report(setting, sheetTexts.noFlag(text))
    return flag ?? false
  }

  #text(setting: Setting): string {
    const [token, ...others] = setting.value
    if (token?.kind !== 'string' || others.length > 0) this.#report(setting, textTexts.noText)
    return token?.text ?? ''
  }

  #enumeration(setting: Setting): void {
    const name = this.#text(setting)
    const named = this.#enums(name)
    if (named) {
      const { values, enumeration } = named
      this.#fields.shape = { ...this.#fields.shape, choices: [...values], enumeration }
    } else this.#report(setting, textTexts.unknownEnumeration(name))
  }

  #default(setting: Setting): void {
    const [token, ...others] = setting.value
    const isExpression = token?.kind === 'expression' && others.length === 0
    this.#fields.defaultKind = (isExpression && computedNamed(token.text, this.#fields.shape)) || 'literal'
    this.#fields.defaultValue = this.#fields.defaultKind === 'literal' ? this.#literal(setting) : null
  }

  #literal(setting: Setting): string | null {
    const [token, ...others] = setting.value
    if (token?.kind === 'word' && token.text.toLowerCase() === 'null' && others.length === 0) return null
    const isSigned = token?.kind === 'sign' && /^[-+]$/.test(token.text) && others.length === 1
    if (setting.value.length === 0 || (others.length > 0 && !isSigned)) this.#report(setting, textTexts.noText)
    // The database computes other expressions; an import leaves them out, too.
    if (token?.kind === 'expression' && !isPlain(token.text)) return null
    return textOf(setting.value)
  }

  #further(setting: Setting): readonly FurtherColumn[] {
    const further = readFurther(this.#text(setting))
    if (!further) this.#report(setting, textTexts.noFurther)
    return further ?? []
  }

  #action(setting: Setting): OnDelete {
    const word = setting.value
      .map(({ text }) => text)
      .join('')
      .replaceAll(' ', '')
      .toLowerCase()
    if (word === 'noaction' || word === 'setdefault') return 'restrict'
    const action = onDeleteActions.find(one => one.toLowerCase() === word)
    if (action === undefined) this.#report(setting, textTexts.unknownAction(setting.key, onDeleteActions))
    return action ?? 'restrict'
  }

  #reference(setting: Setting, value: readonly Token[]): void {
    const [sign, ...end] = value
    const read = endpointOf(end, 0)
    if (sign?.kind !== 'sign' || !read || read.next < end.length)
      this.#report(setting, sign?.text === '<' ? textTexts.reverseReference : textTexts.noReference)
    else if (sign.text === '<') this.#report(setting, textTexts.reverseReference)
    else {
      if (sign.text === '-') this.#fields.unique = true
      this.refer({ ...read.endpoint, from: setting.from, to: setting.to }, setting.key === 'ref')
    }
  }
}

const arrow: Token = { kind: 'sign', from: 0, to: 0, text: '>' }

const fieldsOfKeys: ReadonlyMap<string, string> = new Map([
  ['pk', 'isKey'],
  ['primary key', 'isKey'],
  ['not null', 'nullable'],
  ['null', 'nullable'],
  ['unique', 'unique'],
  ['indexed', 'indexed'],
  ['default', 'defaultValue'],
  ['note', 'description'],
  ['ref', 'reference'],
  ['refers', 'refersTo'],
  ['delete', 'onDelete'],
  ['update', 'onUpdate'],
  ['also', 'alsoBy'],
  ['increment', 'increment'],
  ['check', 'check'],
  ['enum', 'enumeration'],
])

function isPlain(value: string): boolean {
  return Object.values(plainLiterals).some(literals => literals.test(value))
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join('')
}
