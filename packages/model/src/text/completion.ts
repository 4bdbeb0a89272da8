import { type Column, columnName, columnsInOrder, isTypeAttribute } from '../columns.ts'
import { functions } from '../conditions/condition.ts'
import { nameText as nameInCondition } from '../conditions/text.ts'
import { onDeleteActions } from '../data-types.ts'
import { foldName } from '../paths.ts'
import { readTypeWord, typeWords } from '../sheet/words.ts'
import { computedKindOf, expressionsOf } from '../values/computed.ts'
import type { TextModel } from './marked-text.ts'
import { isTypeName } from './named-values.ts'
import { nameText, quoted, type Token, tokensOf } from './tokens.ts'
import { typeText } from './type-text.ts'

export type Completion = { label: string; detail?: string }
/** `from`, `to`: what an option replaces. */
export type Completions = { from: number; to: number; options: readonly Completion[] }

const blockWords = ['Table', 'Ref', 'Enum', 'Project']
const settingWords = [
  'pk',
  'not null',
  'null',
  'unique',
  "indexed: 'yes'",
  'default: ',
  'ref: > ',
  "delete: '",
  "update: '",
  'check: `',
  "note: '",
]
const checkWords = ["name: '"]
const indexWords = ['pk', 'unique', "name: '", "note: '"]

/** What may stand at an offset: blocks, types, settings, names of tables and columns. Null: anything, such as a new name. */
export function completionsAt(text: string, offset: number, model: TextModel): Completions | null {
  const { tokens, lineStart } = tokensBefore(text, offset)
  const place = blockAt(text, lineStart)
  if (isInCondition(tokens, text.slice(lineStart, offset), place.block)) return inCondition(text, offset, place, model)
  const isTyping = (token: Token | undefined) =>
    token !== undefined && lineStart + token.to === offset && (token.kind === 'word' || token.kind === 'name')
  const last = tokens.at(-1)
  const before = isTyping(last) ? tokens.slice(0, -1) : tokens
  const from = last && isTyping(last) ? lineStart + last.from : offset
  const options = optionsAfter(before, { model, ...place })
  if (options === null) return null
  if (from === offset || text[from] !== '"') return { from, to: offset, options }
  // The editor closes a quote as soon as it is opened.
  const isClosed = text[offset] === '"' && (offset === from + 1 || text[offset - 1] !== '"')
  return { from, to: isClosed ? offset + 1 : offset, options: options.map(inQuotes) }
}

/** Whether the offset is within the quotes of a condition: of a line in `checks`, or of a setting `check`. */
function isInCondition(tokens: readonly Token[], line: string, block: string | null): boolean {
  const last = tokens.at(-1)
  if (last?.kind !== 'expression' || (line.length > last.from + 1 && line.endsWith('`'))) return false
  const [key, sign] = tokens.slice(-3)
  return block === 'checks' || (block === 'table' && key?.text.toLowerCase() === 'check' && sign?.text === ':')
}

function inCondition(text: string, offset: number, { table }: Block, { entities }: TextModel): Completions | null {
  const [word = ''] = /"?[\p{L}\p{M}\p{N}_]*$/u.exec(text.slice(Math.max(0, offset - 200), offset)) ?? []
  const entity = entities.find(({ content }) => foldName(content.name) === foldName(table))
  const columns = entity ? columnsInOrder(entity.content) : []
  const options = [
    ...columns.map(column => ({ label: nameInCondition(columnName(column)), detail: typeIn(column) })),
    ...[...functions, 'and', 'or', 'not', 'in', 'is null'].map(label => ({ label })),
  ]
  return { from: offset - word.length, to: offset, options }
}

function typeIn(column: Column): string {
  return isTypeAttribute(column) ? typeText(column) : column.foreignKeyDataType
}

function inQuotes({ label, ...option }: Completion): Completion {
  return { ...option, label: /^\w+$/.test(label) ? quoted(label, '"') : label }
}

/** Tokens of the line up to the offset. */
function tokensBefore(text: string, offset: number): { tokens: Token[]; lineStart: number } {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  const { tokens } = tokensOf(text.slice(lineStart, offset))
  return { tokens: tokens.slice(0, -1), lineStart }
}

type Block = { block: string | null; table: string }

/** The word that begins the block around a line, and the name of its table; null outside of blocks. */
function blockAt(text: string, lineStart: number): Block {
  let inner: string | undefined
  for (let end = lineStart - 1; end > 0;) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const line = text.slice(start, Math.min(end, start + 200))
    if (line.startsWith('}')) break
    const [, word] = /^(Table|Ref|Enum|Project|TableGroup)\b/i.exec(line) ?? []
    if (word !== undefined) {
      const block = /\}\s*$/.test(line) ? null : inner || word.toLowerCase()
      return { block, table: tokensOf(line).tokens[1]?.text ?? '' }
    }
    // The nearest brace says whether the line is in a block within the table.
    if (/^\s+\}/.test(line)) inner ??= ''
    else inner ??= /^\s+(indexes|checks)\s*\{(?!.*\})/i.exec(line)?.[1]?.toLowerCase()
    end = start - 1
  }
  return { block: null, table: '' }
}

type Context = Block & { model: TextModel }

function optionsAfter(before: readonly Token[], { model, block, table }: Context): readonly Completion[] | null {
  const settings = before.findLastIndex(({ kind, text }) => kind === 'sign' && text === '[')
  const isClosed = before.slice(settings).some(({ kind, text }) => kind === 'sign' && text === ']')
  if (settings >= 0 && !isClosed)
    return inSettings(before.slice(settings + 1), { model, block, table }, before[1]?.text ?? '')
  const head = before[0]?.text.toLowerCase()
  if (block === 'ref' || (block === null && head === 'ref')) return referenceOptions(before, model)
  if (block === null) return before.length === 0 ? blockWords.map(label => ({ label })) : null
  if (block === 'checks') return null
  if (block === 'indexes') return isInList(before) || before.length === 0 ? columnOptions(table, model) : null
  if (block !== 'table') return null
  if (before.length === 0) return [{ label: "Note: '" }]
  return before.length === 1 ? typeOptions(model) : null
}

function typeOptions({ enumerations = [] }: TextModel): readonly Completion[] {
  const names = enumerations.filter(({ name }) => isTypeName(name)).map(({ name }) => nameText(name))
  return [...names, ...typeWords].map(label => ({ label }))
}

/** Whether a name of a list in parentheses follows. */
function isInList(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)
  return last?.kind === 'sign' && (last.text === '(' || last.text === ',')
}

/** Behind the last comma of the settings. */
function inSettings(tokens: readonly Token[], { model, block }: Context, type: string): readonly Completion[] | null {
  const own = tokens.slice(startOfSetting(tokens))
  const key = own[0]?.text.toLowerCase()
  if (own.length === 0)
    return (block === 'checks' ? checkWords : block === 'indexes' ? indexWords : settingWords).map(label => ({ label }))
  if (key === 'not') return [{ label: 'null' }]
  if (own[1]?.text !== ':') return null
  if (key === 'default') return own.length === 2 ? computedOptions(type) : null
  if (key === 'enum') return (model.enumerations ?? []).map(({ name }) => ({ label: quoted(name, "'") }))
  if (key === 'delete' || key === 'update') return onDeleteActions.map(action => ({ label: `'${action}'` }))
  return key === 'ref' && own.length > 2 ? referenceOptions(own, model) : null
}

/** What the database can compute for a column of the type. */
function computedOptions(type: string): readonly Completion[] | null {
  const shape = readTypeWord(type)
  const kind = shape && computedKindOf({ format: null, ...shape })
  return kind ? [{ label: `\`${expressionsOf[kind]}\`` }] : null
}

/** A comma between columns ends no setting. */
function startOfSetting(tokens: readonly Token[]): number {
  let start = 0
  let isInColumns = false
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'sign') continue
    if (text === '(' || text === ')') isInColumns = text === '('
    if (text === ',' && !isInColumns) start = at + 1
  }
  return start
}

function isOpen(tokens: readonly Token[]): boolean {
  const last = tokens.findLast(({ kind, text }) => kind === 'sign' && (text === '(' || text === ')'))
  return last?.text === '('
}

/** Tables, or behind a dot the columns of the table before it. */
function referenceOptions(tokens: readonly Token[], model: TextModel): readonly Completion[] | null {
  const last = tokens.at(-1)
  if (last?.kind !== 'sign') return null
  if (isOpen(tokens)) {
    const open = tokens.findLastIndex(({ kind, text }) => kind === 'sign' && text === '(')
    return isInList(tokens) ? columnOptions(tokens[open - 2]?.text ?? '', model) : null
  }
  if (last.text === ')') return null
  if (last.text === '.') return columnOptions(tokens.at(-2)?.text ?? '', model)
  const { entities, others } = model
  const tables = entities.map(({ content, primaryKey }) => ({ name: content.name, primaryKey }))
  return [...tables, ...others].map(({ name, primaryKey }) => ({
    label: nameText(name),
    ...(primaryKey === null ? {} : { detail: primaryKey }),
  }))
}

/** Of a table outside of the text only the key is known. */
function columnOptions(table: string, { entities, others }: TextModel): readonly Completion[] | null {
  const name = foldName(table)
  const entity = entities.find(({ content }) => foldName(content.name) === name)
  if (entity) {
    return columnsInOrder(entity.content).map(column => ({
      label: nameText(columnName(column)),
      detail: typeIn(column),
    }))
  }
  const key = others.find(other => foldName(other.name) === name)?.primaryKey ?? null
  return key === null ? null : [{ label: nameText(key) }]
}
