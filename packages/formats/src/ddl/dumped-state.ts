import { quoted } from '../import-error.ts'
import { isVersioned, scriptStem } from './play-order.ts'

export type PlayedScript = { path: string; text: string }
export type Remark = { path: string; message: string }

/**
 * Leaves out the migrations that lead to the state of a dump beside them, and puts those after it behind it. A dump is a
 * script outside the migrations that creates at least half of their tables.
 */
export function afterDump(scripts: readonly PlayedScript[]): { played: readonly PlayedScript[]; remarks: Remark[] } {
  const migrations = scripts.filter(({ path }) => isVersioned(path))
  const others = scripts.filter(({ path }) => !isVersioned(path))
  if (migrations.length === 0 || others.length === 0) return { played: scripts, remarks: [] }
  const tables = new Set(migrations.flatMap(({ text }) => [...tablesIn(text)]))
  const dump = others.find(({ text }) => holdsMost(tablesIn(text), tables))
  if (!dump) return { played: scripts, remarks: [] }
  const last = migrations.findLastIndex(isNamedIn(dump.text, migrations))
  const contained = last < 0 ? migrations : migrations.slice(0, last + 1)
  const later = migrations.slice(contained.length)
  const remarks = contained.map(({ path }) => ({
    path,
    message: `The file is not read: ${quoted(dump.path)} has the state after it.`,
  }))
  return { played: [...others, ...later], remarks: [...remarks, ...stateRemarks(dump, { tables, isKnown: last >= 0 })] }
}

function stateRemarks(dump: PlayedScript, { tables, isKnown }: { tables: Set<string>; isKnown: boolean }): Remark[] {
  if (isKnown) return []
  const missing = tables.difference(tablesIn(dump.text))
  const why = 'It does not name the migrations that it contains: none of them is read.'
  if (missing.size === 0) return [{ path: dump.path, message: why }]
  const names = [...missing].slice(0, maxNames).map(quoted).join(', ')
  const more = missing.size > maxNames ? ` and ${missing.size - maxNames} more` : ''
  return [{ path: dump.path, message: `${why} It does not create ${names}${more}, which they create.` }]
}

const maxNames = 5

function holdsMost(tables: ReadonlySet<string>, of: ReadonlySet<string>): boolean {
  return of.size > 0 && tables.intersection(of).size * 2 >= of.size
}

const name = String.raw`(?:[\w$]{1,200}|"[^"]{1,200}"|\x60[^\x60]{1,200}\x60|\[[^\]]{1,200}\])`
const created = new RegExp(
  String.raw`\bcreate\s+(?:(?:global|local|temporary|temp|unlogged)\s+)*table\s+(?:if\s+not\s+exists\s+)?(${name}(?:\s?\.\s?${name}){0,3})`,
  'gi',
)

/** The names of the tables that a script creates, without their schemas and in lower case. */
function tablesIn(text: string): Set<string> {
  const names = new Set<string>()
  for (const [, path = ''] of text.matchAll(created)) {
    const last = path.match(new RegExp(name, 'g'))?.at(-1) ?? ''
    names.add(last.replace(/^["`[]|["`\]]$/g, '').toLowerCase())
  }
  return names
}

/** Tools store the name of each migration that they have played, or its time. */
function isNamedIn(dump: string, migrations: readonly PlayedScript[]): (migration: PlayedScript) => boolean {
  const known = new Set(migrations.flatMap(({ path }) => storedNames(path)))
  const named = new Set<string>()
  for (const [word] of dump.matchAll(/\w[\w.-]{7,200}/g)) {
    const stem = word.replace(/\.sql$/i, '')
    if (known.has(stem)) named.add(stem)
  }
  return ({ path }) => storedNames(path).some(one => named.has(one))
}

function storedNames(path: string): string[] {
  const stem = scriptStem(path).replace(/[._]up$/i, '')
  const folder = path.split('/').at(-2) ?? ''
  const time = /^\d{8,}/.exec(stem)?.[0]
  return [stem, time ?? '', /^\d/.test(folder) ? folder : ''].filter(text => text.length >= 8)
}
