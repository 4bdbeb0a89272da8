import { columnName, columnsInOrder, isTypeAttribute } from '../columns.ts'
import { dataTypes, formats, onDeleteActions } from '../data-types.ts'
import { foldName } from '../paths.ts'
import { readTypeWord } from '../sheet/words.ts'
import type { TextModel } from './marked-text.ts'
import { nameText, type Token, tokensOf } from './tokens.ts'
import { typeText } from './type-text.ts'

export type Completion = { label: string; detail?: string }
export type Completions = { from: number; options: readonly Completion[] }

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
  "note: '",
]
const typeWords = [...dataTypes, ...formats.filter(format => readTypeWord(format)?.format === format)]

/** What may stand at an offset: blocks, types, settings, names of tables and columns. Null: anything, such as a new name. */
export function completionsAt(text: string, offset: number, model: TextModel): Completions | null {
  const { tokens, lineStart } = tokensBefore(text, offset)
  const isTyping = (token: Token | undefined) =>
    token !== undefined && lineStart + token.to === offset && (token.kind === 'word' || token.kind === 'name')
  const last = tokens.at(-1)
  const before = isTyping(last) ? tokens.slice(0, -1) : tokens
  const from = last && isTyping(last) ? lineStart + last.from : offset
  const options = optionsAfter(before, { model, block: blockAt(text, lineStart) })
  return options && { from, options }
}

/** Tokens of the line up to the offset. */
function tokensBefore(text: string, offset: number): { tokens: Token[]; lineStart: number } {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  const { tokens } = tokensOf(text.slice(lineStart, offset))
  return { tokens: tokens.slice(0, -1), lineStart }
}

/** The word that begins the block around a line; null outside of blocks. */
function blockAt(text: string, lineStart: number): string | null {
  for (let end = lineStart - 1; end > 0;) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const line = text.slice(start, Math.min(end, start + 200))
    if (line.startsWith('}')) return null
    const [, word] = /^(Table|Ref|Enum|Project|TableGroup)\b/i.exec(line) ?? []
    if (word !== undefined) return /\}\s*$/.test(line) ? null : word.toLowerCase()
    end = start - 1
  }
  return null
}

type Context = { model: TextModel; block: string | null }

function optionsAfter(before: readonly Token[], { model, block }: Context): readonly Completion[] | null {
  const settings = before.findLastIndex(({ kind, text }) => kind === 'sign' && text === '[')
  const isClosed = before.slice(settings).some(({ kind, text }) => kind === 'sign' && text === ']')
  if (settings >= 0 && !isClosed) return inSettings(before.slice(settings + 1), model)
  const head = before[0]?.text.toLowerCase()
  if (block === 'ref' || (block === null && head === 'ref')) return referenceOptions(before, model)
  if (block === null) return before.length === 0 ? blockWords.map(label => ({ label })) : null
  if (block !== 'table') return null
  if (before.length === 0) return [{ label: "Note: '" }]
  return before.length === 1 ? typeWords.map(label => ({ label })) : null
}

/** Behind the last comma of the settings. */
function inSettings(tokens: readonly Token[], model: TextModel): readonly Completion[] | null {
  const own = tokens.slice(tokens.findLastIndex(({ kind, text }) => kind === 'sign' && text === ',') + 1)
  const key = own[0]?.text.toLowerCase()
  if (own.length === 0) return settingWords.map(label => ({ label }))
  if (key === 'not') return [{ label: 'null' }]
  if (own[1]?.text !== ':') return null
  if (key === 'delete') return onDeleteActions.map(action => ({ label: `'${action}'` }))
  return key === 'ref' && own.length > 2 ? referenceOptions(own, model) : null
}

/** Tables, or behind a dot the columns of the table before it. */
function referenceOptions(tokens: readonly Token[], { entities, others }: TextModel): readonly Completion[] | null {
  const [table, dot] = tokens.slice(-2)
  if (dot?.kind !== 'sign') return null
  if (dot.text !== '.') {
    const tables = entities.map(({ content, primaryKey }) => ({ name: content.name, primaryKey }))
    return [...tables, ...others].map(({ name, primaryKey }) => ({
      label: nameText(name),
      ...(primaryKey === null ? {} : { detail: primaryKey }),
    }))
  }
  const name = foldName(table?.text ?? '')
  const entity = entities.find(({ content }) => foldName(content.name) === name)
  if (entity) {
    return columnsInOrder(entity.content).map(column => ({
      label: nameText(columnName(column)),
      detail: isTypeAttribute(column) ? typeText(column) : column.foreignKeyDataType,
    }))
  }
  const key = others.find(other => foldName(other.name) === name)?.primaryKey ?? null
  return key === null ? null : [{ label: nameText(key) }]
}
